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
import { ink, muted, paper, seriesColour } from './palette.js'
import type { Axis } from './ticks.js'

export interface ScatterPoint {
  readonly x: number
  readonly y: number
  /** Written beside the point. */
  readonly label?: string
}

export interface ScatterPlot extends FigureText {
  readonly x: Axis
  readonly y: Axis
  readonly groups: ReadonlyArray<{
    readonly name: string
    readonly points: readonly ScatterPoint[]
  }>
  /** Points from elsewhere, such as a paper's: drawn as hollow diamonds. */
  readonly published?: { readonly name: string; readonly points: readonly ScatterPoint[] }
  /** Draws the line on which x equals y. */
  readonly equalLine?: boolean
}

/** Points of several groups, beside published ones. */
export function scatterPlot(data: ScatterPlot, options: FigureOptions = {}): string {
  const width = figureWidth(options)
  const published = data.published?.points ?? []
  const points = [...data.groups.flatMap(({ points }) => points), ...published]
  const area = plane(data, {
    xs: points.map(({ x }) => x),
    ys: points.map(({ y }) => y),
    width,
    height: width < 500 ? 300 : 380,
  })
  if (area === null) return emptyFigure({ ...data, width }, 'No data to plot')
  return figureFrame(
    { ...data, width, legend: legendOf(data) },
    {
      ...area.options,
      marks: [
        data.equalLine === true ? equalLine(area) : null,
        ...data.groups.flatMap((group, i) => dots(group.points, { i, area })),
        diamonds(published, area),
        labels(published, area),
      ],
    },
  )
}

function legendOf({ groups, published }: ScatterPlot): LegendItem[] {
  const items: LegendItem[] = groups.map(({ name }, i) => ({
    label: name,
    colour: seriesColour(i),
    sign: 'dot',
  }))
  if (published === undefined || published.points.length === 0) return items.length > 1 ? items : []
  return [...items, { label: published.name, colour: ink, sign: 'diamond' }]
}

function dots(
  points: readonly ScatterPoint[],
  { i, area }: { i: number; area: Plane },
): Plot.Markish[] {
  const opacity = points.length > 500 ? 0.4 : 0.85
  return [
    Plot.dot(placed(points, area), {
      x: 'x',
      y: 'y',
      r: points.length > 500 ? 2 : 3.5,
      fill: seriesColour(i),
      fillOpacity: opacity,
    }),
    labels(points, area),
  ]
}

function diamonds(points: readonly ScatterPoint[], area: Plane): Plot.Markish {
  const plotted = {
    x: 'x',
    y: 'y',
    r: 5,
    symbol: 'diamond',
    stroke: ink,
    strokeWidth: 1.5,
  } as const
  return Plot.dot(placed(points, area), plotted)
}

function labels(points: readonly ScatterPoint[], area: Plane): Plot.Markish {
  const labelled = points.filter(({ label }) => label !== undefined)
  return Plot.text(placed(labelled, area), {
    x: 'x',
    y: 'y',
    text: 'label',
    dx: 8,
    textAnchor: 'start',
    stroke: paper,
    strokeWidth: 3,
    fill: ink,
  })
}

function placed(points: readonly ScatterPoint[], { x, y }: Plane) {
  return points
    .map((point) => ({
      x: x.at(point.x),
      y: y.at(point.y),
      label: shown(point.label ?? ''),
    }))
    .filter((point) => point.x !== undefined && point.y !== undefined)
}

/** Where both axes reach. */
function equalLine({ x, y }: Plane): Plot.Markish {
  const low = Math.max(x.extent.low, y.extent.low)
  const high = Math.min(x.extent.high, y.extent.high)
  const ends = low < high ? [low, high] : []
  return Plot.line(
    ends.map((end) => ({ x: x.at(end), y: y.at(end) })),
    { x: 'x', y: 'y', stroke: muted, strokeDasharray: '4 3' },
  )
}
