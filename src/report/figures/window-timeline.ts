import * as Plot from '@observablehq/plot'
import type { Seconds, UnixSeconds } from '../../model/index.js'
import { type Plane, plane } from '../axis/plane.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
} from '../frame/figure-frame.js'
import { ink, muted, paper, rule } from '../frame/palette.js'
import { type DrawnWindowState, stateLegend, windowStates } from './window-words.js'

export interface TimelineWindow {
  readonly state: DrawnWindowState
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
  if (area === null) return emptyFigure({ ...textOf(data), width }, 'No update was seen')
  const { x, y } = area
  const dots = updates.map(({ at, gap }) => ({ x: x.at(at), y: y.at(gap) }))
  return figureFrame(
    {
      ...textOf(data),
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

function textOf({ windows, updates, verdict }: WindowTimeline): FigureText {
  const count = `${updates.length} ${updates.length === 1 ? 'update' : 'updates'} in ${windows.length} ${windows.length === 1 ? 'window' : 'windows'}`
  const subtitle = verdict === undefined ? count : `${count}. ${verdict}`
  return {
    title: 'Is it changing faster or slower?',
    subtitle,
    description: `Time between updates over time. ${subtitle}`,
  }
}
