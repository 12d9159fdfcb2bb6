import * as Plot from '@observablehq/plot'
import { humanDuration, humanPeriod } from '../../model/duration.js'
import { type Bounds, type PeriodRange, periodRange, rangeWords } from '../../model/estimate.js'
import type { Seconds } from '../../model/units.js'
import { type Plane, plane } from './axis.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
  textWidth,
} from './figure-frame.js'
import { periodValues } from './method-comparison.js'
import { ink, paper, seriesColour } from './palette.js'

/** The estimate as it stood after so many visits. */
export interface SharpeningPoint {
  readonly visits: number
  readonly changePeriod: Seconds | null
  readonly bounds: Bounds | null
  /** The number only stands in for what the visits could not tell: it is plotted dotted. */
  readonly standIn?: boolean
}

export interface EstimateSharpening {
  readonly method: string
  /** In order of visits. */
  readonly points: readonly SharpeningPoint[]
}

const colour = seriesColour(0)

/** How the estimate and its bounds drew together, visit by visit. O(points). */
export function estimateSharpening(data: EstimateSharpening, options: FigureOptions = {}): string {
  const width = figureWidth(options)
  const rows = data.points.map((point) => ({ ...point, ...periodRange(point.bounds) }))
  const area = plane(
    {
      x: { title: 'successful visits so far' },
      y: { title: 'change period', kind: 'duration', scale: 'log' },
    },
    {
      xs: rows.map(({ visits }) => visits),
      ys: periodValues(rows, { reach: 8 }),
      width,
      height: width < 500 ? 230 : 270,
      marginRight: Math.ceil(1.15 * textWidth(endWords(rows))) + 14,
    },
  )
  if (area === null) return emptyFigure({ ...textOf(data), width }, 'No estimate to plot yet')
  return figureFrame(
    { ...textOf(data), width },
    { ...area.options, marks: [band(rows, area), ...lines(rows, area), ...end(rows, area)] },
  )
}

type Row = SharpeningPoint & PeriodRange

function band(rows: readonly Row[], { x, y }: Plane): Plot.Markish {
  const edges = rows
    .filter(({ bounds }) => bounds !== null)
    .map((row) => ({
      x: x.at(row.visits),
      low: y.edge(row.shortest, 'low'),
      high: y.edge(row.longest, 'high'),
    }))
  return Plot.areaY(edges, { x: 'x', y1: 'low', y2: 'high', fill: colour, fillOpacity: 0.2 })
}

/** Estimates in full, stand-ins dotted; each line breaks where the other goes on. */
function lines(rows: readonly Row[], { x, y }: Plane): Plot.Markish[] {
  return [false, true].map((standIn) => {
    const points = rows.map((row, i) => {
      // A stand-in line reaches to the first estimate, so that there is no hole.
      const mine = (row.standIn === true) === standIn
      const next = standIn && rows[i - 1]?.standIn === true
      return { x: x.at(row.visits), y: mine || next ? y.at(row.changePeriod) : undefined }
    })
    const dash = standIn ? '2 4' : 'none'
    return Plot.line(points, {
      x: 'x',
      y: 'y',
      stroke: colour,
      strokeWidth: 2,
      strokeDasharray: dash,
    })
  })
}

/** The last estimate in words; of a stand-in, the bound that the visits did tell. */
function endWords(rows: readonly Row[]): string {
  const last = rows.findLast(({ changePeriod }) => changePeriod !== null)
  if (last === undefined) return ''
  if (last.standIn !== true) return humanDuration(last.changePeriod!)
  return (rangeWords(last) ?? '').replace('at least', 'over').replace('at most', 'under')
}

function end(rows: readonly Row[], { x, y }: Plane): Plot.Markish[] {
  const last = rows.findLast(({ changePeriod }) => y.at(changePeriod) !== undefined)
  if (last === undefined) return []
  const point = [{ x: x.at(last.visits), y: y.at(last.changePeriod) }]
  return [
    last.standIn === true
      ? null
      : Plot.dot(point, { x: 'x', y: 'y', r: 4, fill: colour, stroke: paper }),
    Plot.text(point, {
      x: 'x',
      y: 'y',
      text: () => endWords(rows),
      dx: 8,
      textAnchor: 'start',
      fill: ink,
      fontWeight: 600,
    }),
  ]
}

function textOf({ method, points }: EstimateSharpening): FigureText {
  const last = points.at(-1)
  const level = points.find(({ bounds }) => bounds !== null)?.bounds?.level
  const band =
    level === undefined ? '' : `; the band is its ${Number((100 * level).toPrecision(4))}% bounds`
  const dotted = points.some(({ standIn }) => standIn === true)
    ? '; dotted where no change was seen yet, or one at every visit'
    : ''
  return {
    title: 'How the estimate sharpened',
    subtitle: `Method ${method}${band}${dotted}`,
    description: `The estimated change period after each visit. After the last it is: ${humanPeriod(last?.changePeriod ?? null)}.`,
  }
}
