import * as Plot from '@observablehq/plot'
import { humanDuration } from '../../model/duration.js'
import type { Outcome } from '../../model/history.js'
import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds, WEEK, YEAR } from '../../model/units.js'
import { type PlottedAxis, plane, plottedAxis } from './axis.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
} from './figure-frame.js'
import { ink, muted, rule, seriesColour } from './palette.js'
import { canShow } from './ticks.js'

/** One visit as a time line shows it. */
export interface TimelineVisit {
  readonly at: UnixSeconds
  readonly outcome: Outcome
  /** Time since the page's last change, where the server sent it. */
  readonly contentAge?: Seconds
}

/** How each outcome is shown, from the top. */
const timelineRows = [
  { name: 'changed', outcomes: ['changed'], colour: seriesColour(1) },
  { name: 'unchanged', outcomes: ['unchanged'], colour: seriesColour(0) },
  { name: 'first visit', outcomes: ['first'], colour: ink },
  { name: 'not seen', outcomes: ['gone', 'failed', 'refused'], colour: muted },
] as const

function isOneOf(outcomes: readonly Outcome[], outcome: Outcome): boolean {
  return outcomes.includes(outcome)
}

const lengths: readonly Seconds[] = [
  1,
  10,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  WEEK,
  2 * WEEK,
  4 * WEEK,
  13 * WEEK,
  YEAR,
  10 * YEAR,
]

/** The time line of very many visits: how many of each outcome in each stretch of time. O(visits). */
function visitCounts(
  data: FigureText & { readonly visits: readonly TimelineVisit[] },
  options: FigureOptions = {},
): string {
  const width = figureWidth(options)
  const stretch = stretchFor(data.visits, width < 500 ? 40 : 80)
  const bars = stacked(data.visits, stretch)
  const area = plane(
    {
      x: { title: 'time', kind: 'time' },
      y: { title: `visits in ${humanDuration(stretch).replace(/^1 /, 'a ')}`, fromZero: true },
    },
    {
      xs: bars.flatMap(({ from, to }) => [from, to]),
      ys: bars.map(({ high }) => high),
      width,
      height: 220,
    },
  )
  if (area === null) return emptyFigure({ ...data, width }, 'No visit to plot')
  const { x, y } = area
  const rects = bars.map((bar) => ({
    x1: x.at(bar.from),
    x2: x.at(bar.to),
    y1: y.at(bar.low),
    y2: y.at(bar.high),
    colour: bar.colour,
  }))
  const shown = timelineRows.filter(({ colour }) => bars.some((bar) => bar.colour === colour))
  return figureFrame(
    {
      ...data,
      width,
      legend: shown.map(({ name, colour }) => ({ label: name, colour, sign: 'bar' })),
    },
    {
      ...area.options,
      marks: [
        Plot.rect(rects, {
          x1: 'x1',
          x2: 'x2',
          y1: 'y1',
          y2: 'y2',
          fill: 'colour',
          insetRight: 0.5,
        }),
      ],
    },
  )
}

interface StackedBar {
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
  readonly colour: string
}

function stacked(visits: readonly TimelineVisit[], stretch: Seconds): StackedBar[] {
  const counts = new Map<number, number[]>()
  for (const { at, outcome } of visits) {
    const place = Math.floor(at / stretch)
    const row = timelineRows.findIndex(({ outcomes }) => isOneOf(outcomes, outcome))
    const here = counts.get(place) ?? timelineRows.map(() => 0)
    here[row]! += 1
    counts.set(place, here)
  }
  return [...counts].flatMap(([place, here]) => {
    let low = 0
    return here.flatMap((count, row) => {
      const bar = { low, high: low + count, colour: timelineRows[row]!.colour }
      low += count
      return count === 0 ? [] : [{ from: place * stretch, to: (place + 1) * stretch, ...bar }]
    })
  })
}

function stretchFor(visits: readonly TimelineVisit[], most: number): Seconds {
  const times = visits.map(({ at }) => at)
  const span = times.reduce((a, b) => Math.max(a, b)) - times.reduce((a, b) => Math.min(a, b))
  return lengths.find((length) => span / length <= most) ?? span / most
}

export interface VisitTimeline {
  readonly visits: readonly TimelineVisit[]
}

/** More visits than this are counted by stretch of time: their marks would run into each other. */
const mostMarks = 250
const rowHeight = 34

/**
 * When a page was visited and what was found: a row for each outcome, and one
 * for the changes that the server dated (Last-Modified). O(visits).
 */
export function visitTimeline(data: VisitTimeline, options: FigureOptions = {}): string {
  const width = figureWidth(options)
  const visits = data.visits.filter(({ at }) => canShow({ kind: 'time' }, at))
  if (visits.length === 0) return emptyFigure({ ...textOf(data), width }, 'No visit to plot')
  if (visits.length > mostMarks) return visitCounts({ ...textOf(data), visits }, options)
  return marked(visits, { text: textOf(data), width })
}

interface Row {
  readonly name: string
  readonly colour: string
  readonly times: readonly UnixSeconds[]
}

function marked(
  visits: readonly TimelineVisit[],
  { text, width }: { text: FigureText; width: number },
): string {
  const rows = rowsOf(visits)
  const marginLeft = 92
  const values = rows.flatMap(({ times }) => times)
  const x = plottedAxis(
    { title: 'time', kind: 'time' },
    { along: 'x', room: width - marginLeft, values },
  )!
  return figureFrame(
    { ...text, width },
    {
      height: rows.length * rowHeight + 68,
      marginLeft,
      marginRight: 18,
      marginTop: 6,
      marginBottom: 62,
      x: { ...x.scale, labelAnchor: 'center', labelArrow: 'none', labelOffset: 56, tickSize: 4 },
      y: {
        domain: rows.map(({ name }) => name),
        label: null,
        tickSize: 0,
        type: 'band',
        padding: 0.3,
      },
      marks: [Plot.ruleY(rows, { y: 'name', stroke: rule }), ...rows.map((row) => marksOf(row, x))],
    },
  )
}

function marksOf({ name, colour, times }: Row, x: PlottedAxis): Plot.Markish {
  const points = times.map((at) => ({ at: x.at(at), name }))
  return name === datedRow
    ? Plot.dot(points, { x: 'at', y: 'name', r: 3, fill: colour })
    : Plot.tickX(points, { x: 'at', y: 'name', stroke: colour, strokeWidth: 1.75 })
}

const datedRow = 'dated'

function rowsOf(visits: readonly TimelineVisit[]): Row[] {
  const rows: Row[] = timelineRows.map(({ name, outcomes, colour }) => ({
    name,
    colour,
    times: visits.filter(({ outcome }) => isOneOf(outcomes, outcome)).map(({ at }) => at),
  }))
  return [...rows, { name: datedRow, colour: seriesColour(2), times: datedTimes(visits) }].filter(
    ({ times }) => times.length > 0,
  )
}

/** Changes that the server dated, within the time of the visits: each once. */
function datedTimes(visits: readonly TimelineVisit[]): number[] {
  const first = visits.reduce((least, { at }) => Math.min(least, at), Infinity)
  const changedAt = visits.flatMap(({ at, contentAge }) =>
    contentAge === undefined ? [] : [at - contentAge],
  )
  return [...new Set(changedAt.filter((at) => canShow({ kind: 'time' }, at) && at >= first))]
}

function textOf({ visits }: VisitTimeline): FigureText {
  const count = (name: string) => {
    const { outcomes } = timelineRows.find((row) => row.name === name)!
    return visits.filter(({ outcome }) => isOneOf(outcomes, outcome)).length
  }
  const dated = datedTimes(visits).length
  const parts = [
    `${count('changed')} found a change`,
    `${count('unchanged')} found none`,
    ...(count('not seen') > 0 ? [`${count('not seen')} did not see the page`] : []),
    ...(dated > 0 ? [`the server dated ${dated} ${dated === 1 ? 'change' : 'changes'}`] : []),
  ]
  const subtitle = `${visits.length} ${visits.length === 1 ? 'visit' : 'visits'}: ${parts.join(', ')}`
  return { title: 'Visits and changes', subtitle, description: `A time line. ${subtitle}.` }
}
