import * as Plot from '@observablehq/plot'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { type Plane, plane } from './axis.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
} from './figure-frame.js'
import { ink, muted, paper, rule, seriesColour } from './palette.js'

/** What the change rate does within a window, as far as the updates tell. */
export type PlottedWindowState = 'constant' | 'increasing' | 'decreasing' | 'unknown'

/** Each state in words and in its colour. */
const windowStates: Readonly<
  Record<PlottedWindowState, { readonly words: string; readonly colour: string }>
> = {
  constant: { words: 'steady', colour: seriesColour(0) },
  increasing: { words: 'changing faster', colour: seriesColour(1) },
  decreasing: { words: 'changing slower', colour: seriesColour(2) },
  unknown: { words: 'too little to tell', colour: muted },
}

/** The legend of the states that occur. */
function stateLegend(
  states: readonly PlottedWindowState[],
  sign: 'dot' | 'line',
): Array<{ label: string; colour: string; sign: 'dot' | 'line' }> {
  const order: PlottedWindowState[] = ['constant', 'increasing', 'decreasing', 'unknown']
  return order
    .filter((state) => states.includes(state))
    .map((state) => ({
      label: windowStates[state].words,
      colour: windowStates[state].colour,
      sign,
    }))
}

/** One point of a Duane plot: time since the window's start, and that over the updates so far. */
export interface DuanePoint {
  readonly time: Seconds
  readonly meanGap: Seconds
}

export interface DuaneWindow {
  readonly state: PlottedWindowState
  readonly points: readonly DuanePoint[]
  /** Two points of the fitted line; none where nothing could be fitted. */
  readonly fit: readonly DuanePoint[]
}

export interface DuanePlot {
  /** In order of time. */
  readonly windows: readonly DuaneWindow[]
}

const mostWindows = 8

/**
 * The Duane plot: mean time between updates since the start of a window,
 * against that time, both logarithmic. A flat line is a steady page, a falling
 * one changes ever faster. Singh 2007, section 3.3.
 */
export function duanePlot(data: DuanePlot, options: FigureOptions = {}): string {
  const width = figureWidth(options)
  const first = Math.max(0, data.windows.length - mostWindows)
  const windows = data.windows.slice(first)
  const points = windows.flatMap((window) => [...window.points, ...window.fit])
  const area = plane(
    {
      x: { title: "time since the window's start", kind: 'duration', scale: 'log', margin: 0.04 },
      y: { title: 'mean time between updates', kind: 'duration', scale: 'log', margin: 0.04 },
    },
    {
      xs: points.map(({ time }) => time),
      ys: points.map(({ meanGap }) => meanGap),
      width,
      height: width < 500 ? 280 : 340,
      marginRight: 30,
    },
  )
  const text = textOf(data, first)
  if (area === null) return emptyFigure({ ...text, width }, 'No update was seen')
  return figureFrame(
    {
      ...text,
      width,
      legend: stateLegend(
        windows.map(({ state }) => state),
        'line',
      ),
    },
    {
      ...area.options,
      x: { ...area.options.x, grid: true },
      marks: windows.flatMap((window, i) => marksOf(window, { area, number: first + i + 1 })),
    },
  )
}

function marksOf(
  { state, points, fit }: DuaneWindow,
  { area, number }: { area: Plane; number: number },
): Plot.Markish[] {
  const { colour } = windowStates[state]
  const placed = points.map((point) => ({ x: area.x.at(point.time), y: area.y.at(point.meanGap) }))
  const line = fit.map((point) => ({ x: area.x.at(point.time), y: area.y.at(point.meanGap) }))
  return [
    Plot.line(line, { x: 'x', y: 'y', stroke: colour, strokeWidth: 1.75 }),
    Plot.dot(placed, { x: 'x', y: 'y', r: 2.5, fill: colour, fillOpacity: 0.75 }),
    Plot.text(placed.slice(-1), {
      x: 'x',
      y: 'y',
      text: () => String(number),
      dx: 7,
      textAnchor: 'start',
      fill: ink,
      stroke: paper,
      strokeWidth: 3,
      fontWeight: 600,
    }),
  ]
}

function textOf({ windows }: DuanePlot, left: number): FigureText {
  const last = windows.at(-1)
  const some = left > 0 ? `; the last ${mostWindows} of ${windows.length} are plotted` : ''
  return {
    title: 'Duane plot of each window',
    subtitle: `Numbers name the windows in order of time; flat is steady, falling is faster${some}`,
    description: `${windows.length} windows.${last === undefined ? '' : lastWords(last)}`,
  }
}

function lastWords({ state }: DuaneWindow): string {
  const { words } = windowStates[state]
  return state === 'unknown'
    ? ` In the last one there is ${words}.`
    : ` In the last one the page is ${words}.`
}

export interface TimelineWindow {
  readonly state: PlottedWindowState
  readonly from: UnixSeconds
  readonly to: UnixSeconds
  /** The fitted mean time between updates along the window; empty where nothing could be fitted. */
  readonly fit: ReadonlyArray<{ readonly at: UnixSeconds; readonly meanGap: Seconds | null }>
}

export interface WindowTimeline {
  /** Each update and the time since the one before. */
  readonly updates: ReadonlyArray<{ readonly at: UnixSeconds; readonly gap: Seconds }>
  readonly windows: readonly TimelineWindow[]
  /** What the trend over all is, in a sentence. */
  readonly verdict?: string
}

const mostDots = 2000

/** Time between updates over the calendar, with the windows in which it stays, shrinks or grows. */
export function windowTimeline(data: WindowTimeline, options: FigureOptions = {}): string {
  const width = figureWidth(options)
  const { windows } = data
  const updates = thinned(data.updates)
  const area = plane(
    {
      x: { title: 'time', kind: 'time' },
      y: { title: 'time since the update before', kind: 'duration', scale: 'log', margin: 0.06 },
    },
    {
      xs: [...updates.map(({ at }) => at), ...windows.flatMap(({ from, to }) => [from, to])],
      ys: updates.map(({ gap }) => gap),
      width,
      height: width < 500 ? 280 : 320,
    },
  )
  if (area === null)
    return emptyFigure({ ...windowTimelineText(data), width }, 'No update was seen')
  const { x, y } = area
  const dots = updates.map(({ at, gap }) => ({ x: x.at(at), y: y.at(gap) }))
  return figureFrame(
    {
      ...windowTimelineText(data),
      width,
      legend: stateLegend(
        windows.map(({ state }) => state),
        'line',
      ),
    },
    {
      ...area.options,
      marks: [
        Plot.ruleX(starts(windows, area), { stroke: rule }),
        Plot.dot(dots, { x: 'x', y: 'y', r: 2, fill: muted, fillOpacity: 0.7 }),
        ...windows.map((window) => fitOf(window, area)),
        windows.length > 12 ? null : numbers(windows, area),
      ],
    },
  )
}

function starts(windows: readonly TimelineWindow[], { x }: Plane) {
  return windows.map(({ from }) => x.at(from)).filter((at) => at !== undefined)
}

function fitOf({ state, fit }: TimelineWindow, { x, y }: Plane): Plot.Markish {
  const points = fit.map(({ at, meanGap }) => ({ x: x.at(at), y: y.at(meanGap) }))
  return Plot.line(points, { x: 'x', y: 'y', stroke: windowStates[state].colour, strokeWidth: 2.5 })
}

function numbers(windows: readonly TimelineWindow[], { x }: Plane): Plot.Markish {
  const labels = windows.map(({ from, to }, i) => ({
    x: x.at((from + to) / 2),
    text: String(i + 1),
  }))
  return Plot.text(labels, {
    x: 'x',
    text: 'text',
    frameAnchor: 'bottom',
    dy: -2,
    stroke: paper,
    strokeWidth: 3,
    fill: ink,
    fontWeight: 600,
  })
}

function thinned<T>(items: readonly T[]): readonly T[] {
  const every = Math.ceil(items.length / mostDots)
  return every <= 1 ? items : items.filter((_, i) => i % every === 0)
}

function windowTimelineText({ windows, updates, verdict }: WindowTimeline): FigureText {
  const count = `${updates.length} ${updates.length === 1 ? 'update' : 'updates'} in ${windows.length} ${windows.length === 1 ? 'window' : 'windows'}`
  const subtitle = verdict === undefined ? count : `${count}. ${verdict}`
  return {
    title: 'Is it changing faster or slower?',
    subtitle,
    description: `Time between updates over time. ${subtitle}`,
  }
}
