import {
  DAY,
  HOUR,
  MINUTE,
  MONTH,
  monthNames,
  type Seconds,
  WEEK,
  YEAR,
} from '../../model/units.js'

/**
 * What the numbers of an axis are. `duration`: seconds, shown in the unit a
 * person would use; `time`: Unix seconds, shown as dates in UTC; `share`: 0 to
 * 1, shown in percent.
 */
export type AxisKind = 'number' | 'share' | 'duration' | 'time'

/** One axis of a figure, as a caller describes it. */
export interface Axis {
  /** With its unit, unless the kind tells it. */
  readonly title: string
  readonly kind?: AxisKind
  readonly scale?: 'linear' | 'log'
  /** From where to where; as far as the data reach by default. Points beyond are left out. */
  readonly domain?: readonly [number, number]
  /** Share of its length left free at either end, so that no dot is cut; 0 by default. */
  readonly margin?: number
  /** Whether a linear axis starts at 0; it does for shares. */
  readonly fromZero?: boolean
}

/** The lowest and the highest value that an axis shows; the second is above the first. */
export interface Extent {
  readonly low: number
  readonly high: number
}

/** Beyond these a sum or a ratio of two values may be no number any more. */
const largest = 1e100
const calendarEnd = 8.64e12

/** Whether an axis can show the value at all. */
export function canShow(axis: Pick<Axis, 'scale' | 'kind'>, value: unknown): value is number {
  if (typeof value !== 'number' || !(Math.abs(value) <= largest)) return false
  if (axis.kind === 'time') return Math.abs(value) <= calendarEnd
  return axis.scale === 'log' ? value >= 1 / largest : true
}

/**
 * From where to where an axis goes: the given domain, or the values with room
 * for one that stands alone. Null where there is nothing to show. O(values).
 */
export function extentOf(axis: Axis, values: Iterable<number | null | undefined>): Extent | null {
  const { domain } = axis
  if (domain?.every((end) => canShow(axis, end)) && domain[1] > domain[0])
    return opened(axis, { low: domain[0], high: domain[1] })
  let low = axis.fromZero === true && axis.scale !== 'log' ? 0 : Infinity
  let high = -Infinity
  if (axis.kind === 'share' && axis.scale !== 'log') return { low: 0, high: 1 }
  for (const value of values) {
    if (!canShow(axis, value)) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (high === -Infinity) return null
  return withMargin(axis, opened(axis, { low, high: Math.max(low, high) }))
}

/** Dates have room enough by themselves. */
function withMargin({ margin = 0, scale, kind }: Axis, { low, high }: Extent): Extent {
  if (margin === 0 || kind === 'time') return { low, high }
  if (scale !== 'log')
    return { low: low - margin * (high - low), high: high + margin * (high - low) }
  const by = (high / low) ** margin
  return { low: low / by, high: high * by }
}

/** Room around a single value, and around values too close for ticks between them. */
function opened(axis: Axis, { low, high }: Extent): Extent {
  if (axis.scale === 'log')
    return high / low > 1 + 1e-9 ? { low, high } : { low: low / 2, high: high * 2 }
  const size = Math.max(Math.abs(low), Math.abs(high))
  // Dates are held to the millisecond.
  const least = axis.kind === 'time' ? Math.max(0.1, size * 1e-9) : size * 1e-9
  if (high - low > least) return { low, high }
  if (axis.kind === 'time') return { low: low - HOUR, high: high + HOUR }
  const room = size === 0 ? 1 : size / 10
  return axis.fromZero === true && low >= 0
    ? { low: 0, high: high + room }
    : { low: low - room, high: high + room }
}

/** Round numbers at equal steps of 1, 2 or 5 times a power of ten, at most about `most` of them. */
export function evenSteps({ low, high }: Extent, { most }: { readonly most: number }): number[] {
  const rough = (high - low) / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step)
  const count = Math.min(most + 2, Math.floor(high / step) - first + 1)
  return Array.from({ length: Math.max(0, count) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

/** Powers of ten, with 2 and 5 between them while there is room; even steps where they are too few. */
export function logTicks({ low, high }: Extent, { most }: { readonly most: number }): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const every = Math.max(1, Math.ceil((last - first) / most))
  const ticksWith = (digits: readonly number[]) => {
    const found: number[] = []
    for (let power = first; power <= last; power += every)
      for (const digit of digits) found.push(Number(`${digit}e${power}`))
    return found.filter((tick) => tick >= low && tick <= high)
  }
  const choices = [[1, 2, 5], [1, 3], [1]].map(ticksWith)
  const fitting = choices.find((ticks) => ticks.length <= most) ?? choices.at(-1)!
  return fitting.length >= 2 ? fitting : evenSteps({ low, high }, { most })
}

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
interface DurationTick {
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

const plain = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 12 })

/** A number on an axis: `1,200`, `0.05`, and `3e9` for the very large and the very small. */
export function numberLabel(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e-4 && size < 1e7) return plain.format(Number(value.toPrecision(12)))
  return Number(value.toPrecision(6)).toExponential().replace('e+', 'e')
}

/** A share on an axis, in percent. */
export function shareLabel(value: number): string {
  return `${numberLabel(Number((value * 100).toPrecision(8)))}%`
}

/** Shorter axes of time have ticks within the day, and hours are told by the clock of 24. */
export const longestByClock: Seconds = 6 * DAY

/** A tick within the day, UTC: `12:00`, with the day below where it is a new one. */
export function clockLabel(tick: Date, i: number, ticks: readonly Date[] = []): string {
  const fine = ticks.some((each) => (each.getTime() / 1000) % MINUTE !== 0)
  const time = tick.toISOString().slice(11, fine ? 19 : 16)
  const before = ticks[i - 1]
  return before !== undefined && dayOf(before) === dayOf(tick) ? time : `${time}\n${dayOf(tick)}`
}

function dayOf(tick: Date): string {
  return `${tick.getUTCDate()} ${monthNames[tick.getUTCMonth()]}`
}
