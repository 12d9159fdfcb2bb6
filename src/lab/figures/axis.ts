import type * as Plot from '@observablehq/plot'
import { shown } from '../../formats/printable-text.js'
import { humanTime } from '../../model/duration.js'
import { textWidth } from './figure-frame.js'
import {
  type Axis,
  canShow,
  clockLabel,
  durationTicks,
  durationUnit,
  type Extent,
  evenSteps,
  extentOf,
  logTicks,
  longestByClock,
  numberLabel,
  shareLabel,
} from './ticks.js'

/** A value as Plot takes it; undefined where it cannot be shown. */
type Placed = number | Date | undefined

/** An axis with its domain, ready to be plotted. */
export interface PlottedAxis {
  readonly extent: Extent
  /** For Plot's `x` or `y`. */
  readonly scale: Plot.ScaleOptions
  /** Where to plot a value; undefined outside the domain. */
  at(value: number | null | undefined): Placed
  /** The same for an edge of a band: it goes no further than the domain, open ends as far. */
  edge(value: number | null | undefined, open: 'low' | 'high'): Placed
}

interface Room {
  /** Length of the axis in px. */
  readonly room: number
  /** Labels stand side by side along x, one above the other along y. */
  readonly along: 'x' | 'y'
  /** Values to cover. */
  readonly values: Iterable<number | null | undefined>
}

/** Works out the domain, the ticks and their labels; null where no value can be shown. */
export function plottedAxis(axis: Axis, { values, ...room }: Room): PlottedAxis | null {
  const extent = extentOf(axis, values)
  if (extent === null) return null
  const { low, high } = extent
  const place = placing(axis, extent)
  const inside = (value: number | null | undefined): value is number =>
    canShow(axis, value) && value >= low && value <= high
  return {
    extent,
    scale: {
      domain: [place(low), place(high)] as Plot.ScaleOptions['domain'] & object,
      ...scaleOf(axis, { extent, ...room }),
    },
    at: (value) => (inside(value) ? place(value) : undefined),
    edge: (value, open) => {
      if (value === null || value === undefined || Number.isNaN(value))
        return place(open === 'low' ? low : high)
      return place(Math.min(high, Math.max(low, value)))
    },
  }
}

/**
 * From our seconds to the numbers of the axis: its unit, dates, or logarithms
 * (Plot's own log scale leaves out labels that we chose).
 */
function placing(axis: Axis, extent: Extent): (value: number) => number | Date {
  if (axis.kind === 'time') return (value) => new Date(value * 1000)
  if (axis.scale === 'log') return Math.log10
  const size = axis.kind === 'duration' ? unitOf(extent).size : 1
  return (value) => value / size
}

function unitOf({ low, high }: Extent) {
  return durationUnit(Math.max(Math.abs(low), Math.abs(high)))
}

function scaleOf(
  axis: Axis,
  { extent, room, along }: { extent: Extent } & Omit<Room, 'values'>,
): Plot.ScaleOptions {
  const label = shown(axis.title)
  const each = along === 'y' ? 34 : axis.kind === 'time' ? 90 : axis.kind === 'duration' ? 75 : 60
  const most = Math.max(2, Math.floor(room / each))
  if (axis.kind === 'time')
    return {
      type: 'utc',
      label: `${label} (UTC, ${dates(extent)})`,
      ticks: most,
      ...(extent.high - extent.low < longestByClock ? { tickFormat: clockLabel } : {}),
    }
  if (axis.kind === 'duration') return durationScale(axis, { extent, most })
  const format = axis.kind === 'share' ? shareLabel : numberLabel
  if (axis.scale !== 'log')
    return { type: 'linear', label, ticks: evenSteps(extent, { most }), tickFormat: format }
  const ticks = logTicks(extent, { most }).map((at) => ({ at, label: format(at) }))
  return { label, ...logScale(ticks) }
}

/** The days at both ends: labels along the axis often leave out the year. */
function dates({ low, high }: Extent): string {
  const [from, to] = [low, high].map((at) => humanTime(at).replace(/T.*/, ''))
  return from === to ? from! : `${from} to ${to}`
}

function durationScale(
  { title, scale }: Axis,
  { extent, most }: { extent: Extent; most: number },
): Plot.ScaleOptions {
  const label = shown(title)
  if (scale === 'log') return { label, ...logScale(durationTicks(extent, { most })) }
  const { size, many } = unitOf(extent)
  const ticks = evenSteps({ low: extent.low / size, high: extent.high / size }, { most })
  return { type: 'linear', label: `${label} (${many})`, ticks, tickFormat: numberLabel }
}

function logScale(ticks: ReadonlyArray<{ at: number; label: string }>): Plot.ScaleOptions {
  const labels = new Map(ticks.map(({ at, label }) => [Math.log10(at), label]))
  return {
    type: 'linear',
    ticks: [...labels.keys()],
    tickFormat: (at: number) => labels.get(at) ?? '',
  }
}

/** Room that the labels of a vertical axis need at its left. */
function labelRoom({ scale }: Pick<PlottedAxis, 'scale'>): number {
  const { ticks, tickFormat } = scale
  if (!Array.isArray(ticks) || typeof tickFormat !== 'function') return 80
  const format = tickFormat as (tick: number) => string
  const widest = Math.max(0, ...(ticks as number[]).map((tick) => textWidth(format(tick))))
  return Math.ceil(Math.min(110, Math.max(20, widest) + 14))
}

type Values = Iterable<number | null | undefined>

/** Two axes, and the options of the plot that plots them. */
export interface Plane {
  readonly x: PlottedAxis
  readonly y: PlottedAxis
  readonly options: Plot.PlotOptions & { height: number }
}

const marginTop = 26
/** Dates take two lines. */
const marginBelow = (x: Axis) => (x.kind === 'time' ? 58 : 46)

/** Lays out a plot with an axis below and one at the left; null where there is nothing to show. */
export function plane(
  axes: { readonly x: Axis; readonly y: Axis },
  {
    xs,
    ys,
    width,
    height,
    marginRight = axes.x.kind === 'duration' ? 30 : 18,
  }: { xs: Values; ys: Values; width: number; height: number; marginRight?: number },
): Plane | null {
  const marginBottom = marginBelow(axes.x)
  const y = plottedAxis(axes.y, { along: 'y', room: height - marginTop - marginBottom, values: ys })
  if (y === null) return null
  const marginLeft = labelRoom(y)
  const x = plottedAxis(axes.x, { along: 'x', room: width - marginLeft - marginRight, values: xs })
  if (x === null) return null
  const options = {
    height,
    marginLeft,
    marginRight,
    marginTop,
    marginBottom,
    x: {
      ...x.scale,
      labelAnchor: 'center',
      labelArrow: 'none',
      labelOffset: marginBottom - 6,
      tickSize: 4,
    },
    y: { ...y.scale, labelArrow: 'none', grid: true, tickSize: 0 },
  } as const
  return { x, y, options }
}
