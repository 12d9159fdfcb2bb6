import * as Plot from '@observablehq/plot'
import type { UnixSeconds } from '../../model/index.js'
import { type DrawnAxis, drawnAxis } from '../axis/drawn-axis.js'
import { canShow } from '../axis/extent.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
} from '../frame/figure-frame.js'
import { rule, seriesColour } from '../frame/palette.js'
import { isOneOf, type TimelineVisit, timelineRows } from './timeline-rows.js'
import { visitCounts } from './visit-counts.js'

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
  if (visits.length === 0) return emptyFigure({ ...textOf(data), width }, 'No visit to draw')
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
  const x = drawnAxis(
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

function marksOf({ name, colour, times }: Row, x: DrawnAxis): Plot.Markish {
  const points = times.map((at) => ({ at: x.at(at), name }))
  return name === toldRow
    ? Plot.dot(points, { x: 'at', y: 'name', r: 3, fill: colour })
    : Plot.tickX(points, { x: 'at', y: 'name', stroke: colour, strokeWidth: 1.75 })
}

const toldRow = 'dated'

function rowsOf(visits: readonly TimelineVisit[]): Row[] {
  const rows: Row[] = timelineRows.map(({ name, outcomes, colour }) => ({
    name,
    colour,
    times: visits.filter(({ outcome }) => isOneOf(outcomes, outcome)).map(({ at }) => at),
  }))
  return [...rows, { name: toldRow, colour: seriesColour(2), times: toldTimes(visits) }].filter(
    ({ times }) => times.length > 0,
  )
}

/** Changes that the server dated, within the time of the visits: each once. */
function toldTimes(visits: readonly TimelineVisit[]): number[] {
  const first = visits.reduce((least, { at }) => Math.min(least, at), Infinity)
  const told = visits.flatMap(({ at, contentAge }) =>
    contentAge === undefined ? [] : [at - contentAge],
  )
  return [...new Set(told.filter((at) => canShow({ kind: 'time' }, at) && at >= first))]
}

function textOf({ visits }: VisitTimeline): FigureText {
  const count = (name: string) => {
    const { outcomes } = timelineRows.find((row) => row.name === name)!
    return visits.filter(({ outcome }) => isOneOf(outcomes, outcome)).length
  }
  const dated = toldTimes(visits).length
  const parts = [
    `${count('changed')} found a change`,
    `${count('unchanged')} found none`,
    ...(count('not seen') > 0 ? [`${count('not seen')} did not see the page`] : []),
    ...(dated > 0 ? [`the server dated ${dated} ${dated === 1 ? 'change' : 'changes'}`] : []),
  ]
  const subtitle = `${visits.length} ${visits.length === 1 ? 'visit' : 'visits'}: ${parts.join(', ')}`
  return { title: 'Visits and changes', subtitle, description: `A time line. ${subtitle}.` }
}
