import * as Plot from '@observablehq/plot'
import type { Seconds } from '../../model/index.js'
import { type Plane, plane } from '../axis/plane.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
} from '../frame/figure-frame.js'
import { ink, paper } from '../frame/palette.js'
import { type DrawnWindowState, stateLegend, windowStates } from './window-words.js'

/** One point of a Duane plot: time since the window's start, and that over the updates so far. */
export interface DuanePoint {
  readonly time: Seconds
  readonly meanGap: Seconds
}

export interface DuaneWindow {
  readonly state: DrawnWindowState
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
  const some = left > 0 ? `; the last ${mostWindows} of ${windows.length} are drawn` : ''
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
