import * as Plot from '@observablehq/plot'
import { dayNames } from '../../model/units.js'
import {
  emptyFigure,
  type FigureOptions,
  type FigureText,
  figureFrame,
  figureWidth,
} from './figure-frame.js'
import { ink, muted, paper, rule, seriesColour } from './palette.js'

/** Changes of a page by hour of the week: 168 numbers from Monday 00:00 UTC. */
export interface HourOfWeek {
  /** Changes in each hour; a change whose hour is not known is shared out among the hours it may be in. */
  readonly changes: ArrayLike<number>
  /** Hours watched; an hour with 0 is drawn as unknown. */
  readonly watched: ArrayLike<number>
  /** How many of the changes are known to the hour; all of them by default. */
  readonly dated?: number
}

const two = (hour: number) => String(hour).padStart(2, '0')

interface HourCell {
  readonly day: number
  readonly hour: number
  readonly changes: number
  /** Changes per hour watched; null where nobody watched. */
  readonly density: number | null
}

/** When in the week a page changes: the darker, the more changes per hour watched. */
export function hourOfWeek(data: HourOfWeek, options: FigureOptions = {}): string {
  const width = figureWidth(options)
  const cells = cellsOf(data)
  const most = cells.reduce((a, { density }) => Math.max(a, density ?? 0), 0)
  const text = textOf(data, cells)
  if (!(most > 0)) return emptyFigure({ ...text, width }, 'No change was seen')
  const marginLeft = 42
  const cellWidth = (width - marginLeft - 12) / 24
  const height = Math.round(Math.max(20, Math.min(28, cellWidth)))
  // A count of 0.7 in a square would look more exact than it is.
  const whole = cells.every(({ changes }) => Number.isInteger(changes))
  const squares = cells.map((cell) => ({
    ...cell,
    opacity: cell.density === null ? 0 : 0.06 + 0.94 * (cell.density / most),
    label: whole ? labelOf(cell) : '',
    labelColour: (cell.density ?? 0) / most > 0.55 ? paper : ink,
  }))
  return figureFrame(
    { ...text, width },
    {
      height: 7 * height + 52,
      marginLeft,
      marginRight: 12,
      marginTop: 6,
      marginBottom: 46,
      x: {
        domain: Array.from({ length: 24 }, (_, hour) => hour),
        type: 'band',
        padding: 0.06,
        label: 'hour of the day (UTC)',
        labelAnchor: 'center',
        labelArrow: 'none',
        ticks: Array.from({ length: 8 }, (_, i) => 3 * i),
        tickFormat: two,
        tickSize: 0,
      },
      y: {
        domain: dayNames.map((_, day) => day),
        type: 'band',
        padding: 0.06,
        label: null,
        tickSize: 0,
        tickFormat: (day: number) => dayNames[day]!,
      },
      marks: [
        Plot.cell(squares, {
          x: 'hour',
          y: 'day',
          fill: seriesColour(0),
          fillOpacity: 'opacity',
          stroke: rule,
          strokeWidth: 0.5,
        }),
        cellWidth < 22
          ? null
          : Plot.text(squares, {
              x: 'hour',
              y: 'day',
              text: 'label',
              fill: 'labelColour',
              fontSize: 10,
            }),
        Plot.text(
          squares.filter(({ density }) => density === null),
          { x: 'hour', y: 'day', text: () => '·', fill: muted },
        ),
      ],
      opacity: { type: 'identity' },
      color: { type: 'identity' },
    },
  )
}

function cellsOf({ changes, watched }: HourOfWeek): HourCell[] {
  return Array.from({ length: 168 }, (_, i) => {
    const [count, hours] = [amount(changes[i]), amount(watched[i])]
    const density = hours > 0 && Number.isFinite(count / hours) ? count / hours : null
    return { day: Math.floor(i / 24), hour: i % 24, changes: count, density }
  })
}

function amount(value: number | undefined): number {
  return value !== undefined && value > 0 && value < 1e100 ? value : 0
}

function labelOf({ changes }: HourCell): string {
  return changes > 0 && changes < 1000 ? String(changes) : ''
}

function textOf({ dated }: HourOfWeek, cells: readonly HourCell[]): FigureText {
  const title = 'When in the week it changes'
  const total = cells.reduce((all, { changes }) => all + changes, 0)
  if (!(total > 0)) return { title, description: 'No change was seen.' }
  const subtitle = `${busiestWords(cells, total)} Darker is more changes per hour watched. ${datedWords(dated ?? total, total)}`
  return { title, subtitle, description: `A square for each hour of the week. ${subtitle}` }
}

function busiestWords(cells: readonly HourCell[], total: number): string {
  const busiest = cells.reduce((a, b) => ((b.density ?? 0) > (a.density ?? 0) ? b : a))
  const from = `${dayNames[busiest.day]} ${two(busiest.hour)}:00`
  const share = Number(((100 * busiest.changes) / total).toPrecision(2))
  return `Busiest: ${from} to ${two((busiest.hour + 1) % 24)}:00, with ${share}% of all changes (0.6% if all hours were alike).`
}

function datedWords(dated: number, total: number): string {
  const all = Math.round(total)
  if (dated >= all) return 'The server dated every change.'
  const some = dated === 0 ? 'No change is dated' : `${dated} of ${all} changes are dated`
  return `${some}: ${dated === 0 ? 'each' : 'each other'} is shared out over the gap that saw it.`
}
