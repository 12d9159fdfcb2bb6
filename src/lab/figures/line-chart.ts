import * as Plot from '@observablehq/plot'
import { shown } from '../../formats/printable-text.js'
import { type Plane, plane } from './axis.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
  type LegendItem,
} from './figure-frame.js'
import { ink, muted, paper, seriesColour, seriesDash } from './palette.js'
import type { Axis } from './ticks.js'

/** A point of a line; a y of null is a hole in it. `low` and `high` are the edges of its band. */
export interface LinePoint {
  readonly x: number
  readonly y: number | null
  readonly low?: number | null
  readonly high?: number | null
}

export interface LineSeries {
  readonly name: string
  /** In order of x. */
  readonly points: readonly LinePoint[]
  /**
   * `steps` holds a value up to the next x; `band` has edges only; `published`
   * are points from elsewhere, such as a paper's: hollow diamonds. Default `line`.
   */
  readonly plottedAs?: 'line' | 'steps' | 'dots' | 'band' | 'published'
  /** Which of the series' colours, from 0; by its place in the list by default. */
  readonly colour?: number
}

/** A straight line across the figure at one value. */
export interface ReferenceLine {
  readonly name: string
  readonly x?: number
  readonly y?: number
}

export interface LineChart extends FigureText {
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly LineSeries[]
  readonly references?: readonly ReferenceLine[]
}

/** Several lines over one axis, each with its error band if it has one. */
export function lineChart(data: LineChart, options: FigureOptions = {}): string {
  const width = figureWidth(options)
  const points = data.series.flatMap(({ points }) => points)
  const references = data.references ?? []
  const area = plane(data, {
    xs: [...points, ...references].map(({ x }) => x),
    ys: [...points.flatMap(({ y, low, high }) => [y, low, high]), ...references.map(({ y }) => y)],
    width,
    height: width < 500 ? 260 : 320,
  })
  if (area === null) return emptyFigure({ ...data, width }, 'No data to plot')
  const items = data.series.map((series, i) => legendOf(series, i))
  return figureFrame(
    { ...data, width, legend: items.length > 1 ? items : [] },
    {
      ...area.options,
      marks: [
        ...data.series.map((series, i) => band(series, { i: series.colour ?? i, area })),
        ...references.flatMap((line) => reference(line, area)),
        ...data.series.map((series, i) => curve(series, { i: series.colour ?? i, area })),
      ],
    },
  )
}

function legendOf({ name, plottedAs, ...series }: LineSeries, place: number): LegendItem {
  const i = series.colour ?? place
  const colour = seriesColour(i)
  if (plottedAs === 'published') return { label: name, colour: ink, sign: 'diamond' }
  if (plottedAs === 'dots') return { label: name, colour, sign: 'dot' }
  if (plottedAs === 'band') return { label: name, colour, sign: 'band' }
  return { label: name, colour, sign: 'line', dash: seriesDash(i) }
}

/** Points of a band are those with both edges; an edge of null is open. */
function band(
  { points, plottedAs }: LineSeries,
  { i, area }: { i: number; area: Plane },
): Plot.Markish {
  const { x, y } = area
  const edges = points
    .filter(({ low, high }) => low !== undefined && high !== undefined)
    .map((point) => ({
      x: x.at(point.x),
      low: y.edge(point.low, 'low'),
      high: y.edge(point.high, 'high'),
    }))
    .filter((point) => point.x !== undefined)
  return Plot.areaY(edges, {
    x: 'x',
    y1: 'low',
    y2: 'high',
    fill: seriesColour(i),
    fillOpacity: 0.2,
    curve: plottedAs === 'steps' ? 'step-after' : 'linear',
  })
}

function curve(
  { points, plottedAs }: LineSeries,
  { i, area }: { i: number; area: Plane },
): Plot.Markish {
  if (plottedAs === 'band') return null
  const { x, y } = area
  const placed = points.map((point) => ({ x: x.at(point.x), y: y.at(point.y) }))
  const colour = seriesColour(i)
  if (plottedAs === 'published')
    return Plot.dot(placed, {
      x: 'x',
      y: 'y',
      r: 5,
      symbol: 'diamond',
      stroke: ink,
      strokeWidth: 1.5,
    })
  // A line through a single point would not be seen.
  if (plottedAs === 'dots' || placed.length === 1)
    return Plot.dot(placed, { x: 'x', y: 'y', r: 3.5, fill: colour })
  return Plot.line(placed, {
    x: 'x',
    y: 'y',
    stroke: colour,
    strokeWidth: 2,
    strokeDasharray: seriesDash(i),
    curve: plottedAs === 'steps' ? 'step-after' : 'linear',
  })
}

function reference(line: ReferenceLine, { x, y }: Plane): Plot.Markish[] {
  const [atX, atY] = [x.at(line.x), y.at(line.y)]
  const plotted = { stroke: muted, strokeDasharray: '4 3' }
  const label = {
    text: () => shown(line.name),
    fill: muted,
    stroke: paper,
    frameAnchor: 'right' as const,
  }
  if (atX !== undefined)
    return [
      Plot.ruleX([atX], plotted),
      Plot.text([atX], { ...label, x: (at) => at, frameAnchor: 'top', dy: -12 }),
    ]
  if (atY === undefined) return []
  return [Plot.ruleY([atY], plotted), Plot.text([atY], { ...label, y: (at) => at, dy: -8 })]
}
