import * as Plot from '@observablehq/plot'
import { type Bounds, humanDuration, humanPeriod, type Seconds } from '../../model/index.js'
import { plane } from '../axis/plane.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
} from '../frame/figure-frame.js'
import { ink, paper, seriesColour } from '../frame/palette.js'
import { periodRange, periodValues } from './period-range.js'

/** The estimate as it stood after so many visits. */
export interface SharpeningPoint {
  readonly visits: number
  readonly changePeriod: Seconds | null
  readonly bounds: Bounds | null
}

export interface EstimateSharpening {
  readonly method: string
  /** In order of visits. */
  readonly points: readonly SharpeningPoint[]
}

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
      marginRight: 80,
    },
  )
  if (area === null) return emptyFigure({ ...textOf(data), width }, 'No estimate to draw yet')
  const { x, y } = area
  const line = rows.map((row) => ({ x: x.at(row.visits), y: y.at(row.changePeriod) }))
  const band = rows
    .filter(({ bounds }) => bounds !== null)
    .map((row) => ({
      x: x.at(row.visits),
      low: y.edge(row.shortest, 'low'),
      high: y.edge(row.longest, 'high'),
    }))
  const last = rows.findLast(({ changePeriod }) => y.at(changePeriod) !== undefined)
  const end =
    last === undefined ? [] : [{ ...last, x: x.at(last.visits), y: y.at(last.changePeriod) }]
  const label = (row: { changePeriod: Seconds | null }) => humanDuration(row.changePeriod ?? 0)
  return figureFrame(
    { ...textOf(data), width },
    {
      ...area.options,
      marks: [
        Plot.areaY(band, {
          x: 'x',
          y1: 'low',
          y2: 'high',
          fill: seriesColour(0),
          fillOpacity: 0.2,
        }),
        Plot.line(line, { x: 'x', y: 'y', stroke: seriesColour(0), strokeWidth: 2 }),
        Plot.dot(end, { x: 'x', y: 'y', r: 4, fill: seriesColour(0), stroke: paper }),
        Plot.text(end, {
          x: 'x',
          y: 'y',
          text: label,
          dx: 8,
          textAnchor: 'start',
          fill: ink,
          fontWeight: 600,
        }),
      ],
    },
  )
}

function textOf({ method, points }: EstimateSharpening): FigureText {
  const last = points.at(-1)
  const level = points.find(({ bounds }) => bounds !== null)?.bounds?.level
  const band =
    level === undefined ? '' : `; the band is its ${Number((100 * level).toPrecision(4))}% bounds`
  return {
    title: 'How the estimate sharpened',
    subtitle: `Method ${method}${band}`,
    description: `The estimated change period after each visit. After the last it is: ${humanPeriod(last?.changePeriod ?? null)}.`,
  }
}
