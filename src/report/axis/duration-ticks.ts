import { DAY, HOUR, MINUTE, MONTH, type Seconds, WEEK, YEAR } from '../../model/index.js'
import type { Extent } from './axis.js'
import { evenSteps } from './even-steps.js'

interface Unit {
  readonly size: Seconds
  readonly short: string
  readonly many: string
  /** Counts of this unit that read well, the roundest first; each list adds to the one before. */
  readonly steps: readonly (readonly number[])[]
}

const units: readonly Unit[] = [
  { size: 1, short: 's', many: 'seconds', steps: [[1], [10], [3, 30], [2, 5, 20]] },
  { size: MINUTE, short: 'min', many: 'minutes', steps: [[1], [10], [3, 30], [2, 5, 20, 40]] },
  { size: HOUR, short: 'h', many: 'hours', steps: [[1], [6], [3, 12], [2, 4, 8, 18]] },
  { size: DAY, short: 'day', many: 'days', steps: [[1], [], [3], [2, 4, 5]] },
  { size: WEEK, short: 'week', many: 'weeks', steps: [[], [1], [2], [3]] },
  { size: MONTH, short: 'month', many: 'months', steps: [[1], [3], [6], [2, 4, 9]] },
  {
    size: YEAR,
    short: 'year',
    many: 'years',
    steps: [
      [1, 100],
      [10, 1000],
      [3, 30, 300],
      [2, 5, 20, 50, 200, 500],
    ],
  },
]
const plural = new Set(['day', 'week', 'month', 'year'])

/** A mark on an axis of durations. */
export interface DurationTick {
  readonly at: Seconds
  readonly label: string
}

/** The unit in which a linear axis that reaches so far is labelled. */
export function durationUnit(longest: Seconds): { readonly size: Seconds; readonly many: string } {
  const named = units.filter(({ short }) => short !== 'week')
  return named.findLast(({ size }) => longest >= 2.5 * size) ?? named[0]!
}

/**
 * Ticks for durations on a log axis: 1 min, 1 h, 1 day, 1 month and so on, as
 * dense as `most` allows; plain numbers of one unit where the axis spans too
 * little for these, powers of ten where it leaves human times.
 */
export function durationTicks({ low, high }: Extent, { most }: { most: number }): DurationTick[] {
  const within = (ticks: DurationTick[]) => ticks.filter(({ at }) => at >= low && at <= high)
  let best: DurationTick[] = []
  for (const depth of [1, 2, 3, 4]) {
    const ticks = within([
      ...tenths({ low, high }, depth),
      ...ladder(depth),
      ...manyYears(high, depth),
    ])
    if (ticks.length > most && best.length > 1) break
    best = ticks
  }
  if (best.length > most) best = thinned(best, most)
  return best.length >= 2 ? best : evenly({ low, high }, { most })
}

function ladder(depth: number): DurationTick[] {
  return units.flatMap(({ size, short, steps }) =>
    steps
      .slice(0, depth)
      .flat()
      .sort((a, b) => a - b)
      .map((count) => ({ at: count * size, label: named(count, short) })),
  )
}

function named(count: number, short: string): string {
  return `${tersely(count)} ${short}${count !== 1 && plural.has(short) ? 's' : ''}`
}

/** Powers of ten below a second. */
function tenths({ low }: Extent, depth: number): DurationTick[] {
  if (!(low < 0.5)) return []
  const first = Math.floor(Math.log10(low))
  return powers({ first, last: -1 }, depth).map((at) => ({ at, label: `${tersely(at)} s` }))
}

/** Powers of ten from ten thousand years on. */
function manyYears(high: Seconds, depth: number): DurationTick[] {
  if (!(high > 1000 * YEAR)) return []
  const last = Math.ceil(Math.log10(high / YEAR))
  return powers({ first: 4, last }, depth).map((count) => ({
    at: count * YEAR,
    label: `${tersely(count)} years`,
  }))
}

function powers({ first, last }: { first: number; last: number }, depth: number): number[] {
  const every = depth === 1 ? Math.max(1, Math.ceil((last - first) / 6)) : 1
  const found: number[] = []
  for (let power = last; power >= first; power -= every) found.unshift(Number(`1e${power}`))
  return found
}

function thinned(ticks: readonly DurationTick[], most: number): DurationTick[] {
  const every = Math.ceil(ticks.length / Math.max(1, most))
  return ticks.filter((_, i) => i % every === 0)
}

/** Round numbers of one unit at equal steps. */
function evenly({ low, high }: Extent, { most }: { most: number }): DurationTick[] {
  const { size, short } = units.findLast((unit) => high >= 2 * unit.size) ?? units[0]!
  return evenSteps({ low: low / size, high: high / size }, { most }).map((count) => ({
    at: count * size,
    label: named(count, short),
  }))
}

function tersely(value: number): string {
  return value >= 1e-4 && value < 1e6 ? String(value) : value.toExponential(0).replace('+', '')
}
