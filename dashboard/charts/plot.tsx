import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { colour, useThemeTurn } from '../app/theme.js'
import type { Ticks } from './ticks.js'

export interface PlotSeries {
  readonly name: string
  /** A colour of the palette: c1 to c6, muted, ink. */
  readonly colour: string
  readonly dash?: readonly number[]
  readonly width?: number
  /** Not joined: marks only. */
  readonly marks?: boolean
  readonly steps?: boolean
  readonly bars?: boolean
  /** Filled between this series and the one with this index (from 1 on, as data have them). */
  readonly bandTo?: number
  readonly hidden?: boolean
}

/** How strongly a band is filled. */
const bandShare = 0.14

interface PlotProps {
  /** What it shows, for who cannot see it. */
  readonly label: string
  /** The x values, then each series' values; null where there is none. */
  readonly data: readonly (readonly (number | null)[])[]
  readonly series: readonly PlotSeries[]
  readonly height?: number
  readonly xWords: (value: number) => string
  readonly yWords: (value: number) => string
  readonly xLog?: boolean
  readonly yLog?: boolean
  readonly yRange?: readonly [number, number]
  /** Where the lines of an axis stand, about so many; by uPlot by default. */
  readonly xTicks?: Ticks
  readonly yTicks?: Ticks
  readonly xTitle?: string
}

/** A chart on a canvas, by uPlot: 100,000 points in 30 ms. */
export function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const turn = useThemeTurn()
  const { data, height = 220, label } = props
  const form = JSON.stringify([props.series, props.xLog, props.yLog, props.yRange, height, turn])
  useEffect(() => {
    const room = place.current!
    const made = new uPlot(optionsOf(props, room.clientWidth), aligned(data), room)
    chart.current = made
    const watch = new ResizeObserver(() => {
      if (room.clientWidth > 0 && room.clientWidth !== made.width)
        made.setSize({ width: room.clientWidth, height })
    })
    watch.observe(room)
    return () => {
      watch.disconnect()
      made.destroy()
      chart.current = null
    }
  }, [form])
  useEffect(() => chart.current?.setData(aligned(data)), [data])
  return (
    <div class="plot-frame">
      <Legend series={props.series} />
      <div class="plot" ref={place} role="img" aria-label={label} />
      {props.xTitle === undefined ? null : <p class="axis-title">{props.xTitle}</p>}
    </div>
  )
}

function Legend({ series }: { series: readonly PlotSeries[] }) {
  const named = series.filter(({ hidden }) => !hidden)
  const banded = series.filter(({ bandTo }) => bandTo !== undefined).map(({ colour: tone }) => tone)
  if (named.length < 2 && banded.length === 0) return null
  return (
    <ul class="legend">
      {named.map(({ name, colour: tone, dash, marks }) => (
        <li key={name}>
          <svg width="22" height="8" aria-hidden="true">
            {banded.includes(tone) ? (
              <rect width="22" height="8" class={`fill-${tone}`} fill-opacity={bandShare} />
            ) : null}
            {marks ? (
              <circle cx="11" cy="4" r="4" class={`fill-${tone}`} />
            ) : (
              <path
                d="M1 4H21"
                class={`stroke-${tone}`}
                stroke-width="3"
                stroke-dasharray={dash?.join(' ') ?? 'none'}
              />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

function aligned(data: PlotProps['data']): uPlot.AlignedData {
  return data as unknown as uPlot.AlignedData
}

function optionsOf(props: PlotProps, width: number): uPlot.Options {
  const { series, height = 220, xLog, yLog, yRange, xTicks, yTicks } = props
  const axis = {
    stroke: colour('muted'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: colour('rule'), width: 1 },
    ticks: { stroke: colour('rule'), width: 1, size: 4 },
  }
  return {
    width,
    height,
    legend: { show: false },
    padding: [null, roomAtEnd(props, width), null, null],
    cursor: { points: { size: 6 }, drag: { setScale: false, x: false, y: false } },
    scales: {
      x: { time: false, ...(xLog ? { distr: 3 as const } : {}) },
      y: {
        ...(yLog ? { distr: 3 as const } : {}),
        ...(yRange === undefined ? {} : { range: [...yRange] as [number, number] }),
      },
    },
    axes: [
      { ...axis, ...splitsOf(xTicks, width / 110), values: wordsOf(props.xWords), size: 30 },
      { ...axis, ...splitsOf(yTicks, height / 45), values: wordsOf(props.yWords), size: roomFor },
    ],
    series: [{}, ...series.map(seriesOf)],
    bands: series.flatMap(({ bandTo, colour: tone }, i) =>
      bandTo === undefined
        ? []
        : [{ series: [i + 1, bandTo] as [number, number], fill: faded(tone, bandShare) }],
    ),
  }
}

/** Room for the longest word of an axis, and no less than most need: plots of a view stay in line. */
function roomFor(_: uPlot, words: string[] | null): number {
  const longest = Math.max(0, ...(words ?? []).map((each) => each.length))
  return Math.max(56, 16 + 7 * longest)
}

/** What the last word below the axis needs beyond its end, where it may stand. */
function roomAtEnd({ data, xWords, xTicks, xLog }: PlotProps, width: number): number {
  const [first, last] = [data[0]?.[0] ?? null, data[0]?.at(-1) ?? null]
  if (first === null || last === null) return 16
  const tick = (xLog ? undefined : xTicks?.([first, last], width / 110).at(-1)) ?? last
  const before = last > first ? ((last - tick) / (last - first)) * (width - 80) : 0
  return Math.max(16, 4 + 3.5 * xWords(tick).length - before)
}

function splitsOf(ticks: Ticks | undefined, wanted: number) {
  if (ticks === undefined) return {}
  const splits = (_: uPlot, __: number, low: number, high: number) => ticks([low, high], wanted)
  // A logarithmic axis would else leave all but the powers of ten without words.
  return { splits, filter: (_: uPlot, all: number[]) => all }
}

/** On a logarithmic axis uPlot asks for every line; those it leaves unnamed are null. */
function wordsOf(words: (value: number) => string) {
  return (_: uPlot, splits: (number | null)[]) =>
    splits.map((each) => (each === null ? '' : words(each)))
}

function seriesOf({ colour: tone, width = 2, dash, marks, steps, bars, hidden }: PlotSeries) {
  const stroke = colour(tone)
  return {
    stroke,
    width: hidden ? 0 : marks ? 0 : width,
    ...(dash === undefined ? {} : { dash: [...dash] }),
    ...(steps ? { paths: uPlot.paths.stepped!({ align: 1 }) } : {}),
    ...(bars
      ? { paths: uPlot.paths.bars!({ size: [0.7, 40], gap: 1 }), fill: faded(tone, 0.55) }
      : {}),
    points: marks ? { show: true, size: 9, fill: stroke } : { show: false },
    spanGaps: true,
  }
}

function faded(tone: string, share: number): string {
  const hex = colour(tone).replace('#', '')
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return `rgba(${part(0)},${part(2)},${part(4)},${share})`
}
