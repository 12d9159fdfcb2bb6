import * as Plot from '@observablehq/plot'
import { shown } from '../../formats/printable-text.js'
import { type PlottedAxis, plottedAxis } from './axis.js'
import {
  cutOff,
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
  textWidth,
} from './figure-frame.js'
import { ink, muted, paper, seriesColour } from './palette.js'
import type { Axis } from './ticks.js'

export interface Bar {
  readonly label: string
  readonly value: number
  /** Bars of one label stand together, one for each group. */
  readonly group?: string
  readonly low?: number
  readonly high?: number
}

export interface BarChart extends FigureText {
  /** Of the values; linear, from 0. */
  readonly value: Axis
  readonly bars: readonly Bar[]
}

const thickness = 18
/** Between the bars of two labels, in bars. */
const between = 0.5

/** Lying bars, since their labels are words; whiskers where a value has bounds. */
export function barChart(data: BarChart, options: FigureOptions = {}): string {
  const width = figureWidth(options)
  const labels = [...new Set(data.bars.map(({ label }) => label))]
  const groups = [...new Set(data.bars.map(({ group = '' }) => group))]
  const widest = Math.max(0, ...labels.map((label) => textWidth(shown(label))))
  const room = Math.min(0.4 * width, widest + 12)
  const axis: Axis = { ...data.value, scale: 'linear', fromZero: true }
  const values = data.bars.flatMap(({ value, low, high }) => [value, low, high])
  const x = plottedAxis(axis, { along: 'x', room: width - room - 20, values })
  if (x === null) return emptyFigure({ ...data, width }, 'No data to plot')
  const rows = labels.length * (groups.length + between)
  return figureFrame(
    { ...data, width, legend: groups.length > 1 ? groups.map(legendItem) : [] },
    {
      height: Math.round(rows * thickness) + 54,
      marginLeft: room,
      marginRight: 20,
      marginTop: 8,
      marginBottom: 46,
      x: { ...x.scale, labelAnchor: 'center', labelArrow: 'none', grid: true, tickSize: 4 },
      y: { domain: [rows, 0], axis: null, type: 'linear' },
      marks: barMarks(data.bars, { x, groups, labels, room }),
    },
  )
}

function legendItem(label: string, i: number) {
  return { label, colour: seriesColour(i), sign: 'bar' as const }
}

interface Layout {
  readonly x: PlottedAxis
  readonly groups: readonly string[]
  readonly labels: readonly string[]
  readonly room: number
}

function barMarks(bars: readonly Bar[], { x, groups, labels, room }: Layout): Plot.Markish[] {
  const top = (label: string) => labels.indexOf(label) * (groups.length + between) + between / 2
  const rows = bars.map(({ label, group = '', value, low, high }) => {
    const y = top(label) + groups.indexOf(group)
    const colour = seriesColour(groups.indexOf(group))
    const bounds = { low: x.at(low), high: x.at(high) }
    return {
      from: x.at(0),
      to: x.at(value),
      ...bounds,
      y1: y + 0.06,
      y: y + 0.5,
      y2: y + 0.94,
      colour,
    }
  })
  const bounded = rows.filter(({ low, high }) => low !== undefined && high !== undefined)
  const whisker = { y: 'y', x1: 'low', x2: 'high' } as const
  return [
    Plot.text(labels, {
      y: (label: string) => top(label) + groups.length / 2,
      text: (label: string) => cutOff(shown(label), { room: room - 8 }),
      frameAnchor: 'left',
      textAnchor: 'end',
      dx: -8,
    }),
    Plot.rect(rows, { x1: 'from', x2: 'to', y1: 'y1', y2: 'y2', fill: 'colour' }),
    Plot.ruleY(bounded, { ...whisker, stroke: paper, strokeWidth: 4 }),
    Plot.ruleY(bounded, { ...whisker, stroke: ink, strokeWidth: 1.5 }),
    x.at(0) === undefined ? null : Plot.ruleX([x.at(0)], { stroke: muted }),
  ]
}
