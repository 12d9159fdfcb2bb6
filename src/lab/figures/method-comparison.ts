import * as Plot from '@observablehq/plot'
import { shown } from '../../formats/printable-text.js'
import { humanDuration } from '../../model/duration.js'
import { type Bounds, type PeriodRange, periodRange } from '../../model/estimate.js'
import type { Seconds } from '../../model/units.js'
import { type PlottedAxis, plottedAxis } from './axis.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
  textWidth,
} from './figure-frame.js'
import { ink, muted, paper, rule, seriesColour } from './palette.js'

/**
 * What an axis of change periods should hold: every period, and bounds as far
 * as `reach` times beyond them, so that one wide bound does not flatten the rest.
 */
export function periodValues(
  rows: ReadonlyArray<{ readonly changePeriod: Seconds | null } & PeriodRange>,
  { reach }: { readonly reach: number },
): number[] {
  const periods = rows.map((row) => row.changePeriod ?? 0).filter((period) => period > 0)
  const ends = rows
    .flatMap(({ shortest, longest }) => [shortest, longest])
    .filter((end) => end !== null)
  if (periods.length === 0) return ends
  const low = periods.reduce((a, b) => Math.min(a, b)) / reach
  const high = periods.reduce((a, b) => Math.max(a, b)) * reach
  return [...periods, ...ends.map((end) => Math.min(high, Math.max(low, end)))]
}

export interface MethodRow {
  readonly method: string
  readonly changePeriod: Seconds | null
  readonly bounds: Bounds | null
  /** The number only stands in for what the visits could not tell: it is put in brackets. */
  readonly standIn?: boolean
  /** Why this row wants caution, in a few words; absent where it does not. */
  readonly note?: string
}

export interface MethodComparison {
  readonly rows: readonly MethodRow[]
}

/** What each method makes of the same visits: a dot, its bounds, and a word of caution. */
export function methodComparison(data: MethodComparison, options: FigureOptions = {}): string {
  const width = figureWidth(options)
  const narrow = width < 500
  const widest = Math.max(0, ...data.rows.map(({ method }) => textWidth(shown(method))))
  const marginLeft = narrow ? 24 : Math.min(0.3 * width, widest + 14)
  const marginRight = narrow ? 24 : 150
  const rows = data.rows.map((row) => ({ ...row, ...periodRange(row.bounds) }))
  const x = plottedAxis(
    { title: 'change period', kind: 'duration', scale: 'log', margin: 0.04 },
    {
      along: 'x',
      room: width - marginLeft - marginRight,
      values: periodValues(rows, { reach: 10 }),
    },
  )
  if (x === null) return emptyFigure({ ...text, width }, 'No method has a number to show')
  const rowHeight = narrow ? 44 : 26
  return figureFrame(
    { ...text, width, legend: legendOf(data) },
    {
      height: rows.length * rowHeight + 58,
      marginLeft,
      marginRight,
      marginTop: 8,
      marginBottom: 50,
      x: { ...x.scale, labelAnchor: 'center', labelArrow: 'none', grid: true, tickSize: 4 },
      y: { domain: [rows.length, 0], axis: null, type: 'linear' },
      marks: marks(data.rows, { x, narrow }),
    },
  )
}

const text: FigureText = {
  title: 'All methods side by side',
  subtitle: 'The estimated change period with its bounds; a line that ends at the edge is open',
  description: 'One row a method: a dot at its estimate and a line along its bounds.',
}

function legendOf({ rows }: MethodComparison) {
  const colour = seriesColour(0)
  const caution = rows.some(({ note, changePeriod }) => note !== undefined && changePeriod)
  return caution
    ? ([
        { label: 'estimate', colour, sign: 'dot' },
        { label: 'with caution', colour, sign: 'hollow' },
      ] as const)
    : []
}

function marks(
  rows: readonly MethodRow[],
  { x, narrow }: { x: PlottedAxis; narrow: boolean },
): Plot.Markish[] {
  const plotted = rows.map((row, i) => {
    const { shortest, longest } = periodRange(row.bounds)
    const bounds = { low: x.edge(shortest, 'low'), high: x.edge(longest, 'high') }
    const place = { y: i + (narrow ? 0.68 : 0.5), head: i + (narrow ? 0.25 : 0.5), end: i + 1 }
    return { ...row, ...place, ...bounds, x: x.at(row.changePeriod), words: wordsOf(row) }
  })
  const bounded = plotted.filter(({ bounds }) => bounds !== null)
  const sure = plotted.filter(({ note }) => note === undefined)
  const unsure = plotted.filter(({ note }) => note !== undefined)
  const [fill, stroke] = [seriesColour(0), seriesColour(0)]
  const name = (row: { method: string }) => shown(row.method)
  return [
    Plot.ruleY(plotted.slice(0, -1), { y: 'end', stroke: rule, strokeOpacity: narrow ? 1 : 0 }),
    Plot.ruleY(bounded, {
      y: 'y',
      x1: 'low',
      x2: 'high',
      stroke,
      strokeWidth: 3,
      strokeOpacity: 0.45,
    }),
    Plot.dot(sure, { x: 'x', y: 'y', r: 4.5, fill }),
    Plot.dot(unsure, { x: 'x', y: 'y', r: 4.5, fill: paper, stroke, strokeWidth: 1.75 }),
    Plot.text(plotted, {
      y: 'head',
      text: name,
      fill: ink,
      frameAnchor: 'left',
      textAnchor: narrow ? 'start' : 'end',
      dx: narrow ? 0 : -8,
    }),
    Plot.text(plotted, {
      y: 'head',
      text: 'words',
      fill: muted,
      frameAnchor: 'right',
      textAnchor: narrow ? 'end' : 'start',
      dx: narrow ? 0 : 8,
    }),
  ]
}

function wordsOf({ changePeriod, note, standIn }: MethodRow): string {
  const caution = note === undefined ? '' : shown(note)
  if (changePeriod === null) return caution === '' ? 'no number' : caution
  if (changePeriod === 0) return 'too fast to see'
  return standIn === true ? `(${humanDuration(changePeriod)})` : humanDuration(changePeriod)
}
