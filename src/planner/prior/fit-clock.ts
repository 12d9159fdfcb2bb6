import { DAY, HOUR, type Seconds, type UnixSeconds } from '../../model/units.js'
import { type WeekClock, weekClock, weekTime } from '../../numeric/week-clock.js'

/** A gap longer than this tells nothing of hours. */
const longest: Seconds = 8 * DAY
/** Nor does one in which changes were as good as certain, or out of the question. */
const most = 3
const fewest = 1e-4

/**
 * Gaps of a group's pages, with the changes that were expected in them: what
 * its hours of the week are learned from. Bounded: when full, every other gap
 * is dropped and from then on only every other one taken, and so on, so that
 * it stays an even sample of all time. The latest alone would not do: once
 * visits follow the clock they all fall in the same hours and tell little.
 */
export class GapLog {
  readonly #columns: Float64Array
  readonly #room: number
  #stride = 1
  #met = 0
  size = 0

  constructor({ room = 16_000 }: { readonly room?: number } = {}) {
    this.#room = room
    this.#columns = new Float64Array(4 * room)
  }

  /** `chance` is what was predicted, before the visit, of seeing a change in this gap. */
  note(seen: { at: UnixSeconds; gap: Seconds; changed: boolean; chance: number }): void {
    const expected = -Math.log1p(-seen.chance)
    if (!(seen.gap < longest && expected > fewest && expected < most)) return
    if (this.#met++ % this.#stride !== 0) return
    if (this.size === this.#room) this.#thin()
    const at = 4 * this.size++
    this.#columns[at] = seen.at - seen.gap
    this.#columns[at + 1] = seen.at
    this.#columns[at + 2] = seen.changed ? 1 : 0
    this.#columns[at + 3] = expected
  }

  /** Start, end, 1 if changed, and changes expected, four numbers a gap. */
  get columns(): Float64Array {
    return this.#columns.subarray(0, 4 * this.size)
  }

  #thin(): void {
    const half = this.#room >> 1
    for (let row = 0; row < half; row++) this.#columns.copyWithin(4 * row, 8 * row, 8 * row + 4)
    this.size = half
    this.#stride *= 2
  }
}

export interface ClockOptions {
  /** The clock that counts as `strength` expected changes in each weekday, a third of it in each hour. */
  readonly towards: WeekClock
  readonly strength?: number
  /** Where to start; at `towards` by default. */
  readonly start?: WeekClock
  readonly rounds?: number
}

interface Tally {
  readonly found: Float64Array
  readonly expected: Float64Array
}

/** Changes found and expected by weekday and by hour of the day: all that a clock is made of. */
export interface HourTally {
  readonly days: Tally
  readonly hours: Tally
}

const usualStrength = 20

/**
 * The weekdays and hours in which pages change, from gaps that tell only
 * whether one did: EM spreads each change seen over the hours of its gap by
 * the clock so far, and each weekday's and hour's speed is then changes found
 * over changes expected, shrunk towards another clock. Changes that come together
 * count less, see `overDispersion`. O(gaps) a round.
 */
export function fitWeekClock(logs: readonly GapLog[], options: ClockOptions): WeekClock {
  const { towards, strength, start = towards, rounds = 6 } = options
  const weights = logs.map((log) => 1 / overDispersion(log))
  let clock = start
  for (let round = 0; round < rounds; round++) {
    const tallies = logs.map((log, i) => tallyHours(log, { clock, weight: weights[i]! }))
    clock = clockFrom(tallies, { towards, ...(strength === undefined ? {} : { strength }) })
  }
  return clock
}

/** The clock that tallies come to, shrunk towards another. */
export function clockFrom(
  tallies: readonly HourTally[],
  { towards, strength = usualStrength }: Pick<ClockOptions, 'towards' | 'strength'>,
): WeekClock {
  const days = added(
    tallies.map((each) => each.days),
    7,
  )
  const hours = added(
    tallies.map((each) => each.hours),
    24,
  )
  return weekClock({
    weekdays: evened(sampled(days, { to: towards.weekdays, strength })),
    hours: evened(smoothed(sampled(hours, { to: towards.hours, strength: strength / 3 }))),
  })
}

/** One pass over a log, by the clock so far. O(gaps): what a gap lays on the hours of the week is added up at the end. */
export function tallyHours(
  { columns }: GapLog,
  { clock, weight }: { readonly clock: WeekClock; readonly weight: number },
): HourTally {
  const all = new OverHours()
  const changed = new OverHours()
  for (let row = 0; row < columns.length; row += 4) {
    const from = columns[row]!
    const to = columns[row + 1]!
    const expected = columns[row + 3]!
    const perClock = (weight * expected) / (weekTime(clock, to) - weekTime(clock, from))
    if (!(perClock > 0)) continue
    all.add(perClock, { from, to })
    if (columns[row + 2] === 1) changed.add(perClock / -Math.expm1(-expected), { from, to })
  }
  const days = emptyTally(7)
  const hours = emptyTally(24)
  const [mass, found] = [all.byHour(), changed.byHour()]
  for (let hour = 0; hour < hoursOfWeek; hour++) {
    const day = Math.floor(hour / 24)
    const ofDay = hour % 24
    const speed = clock.speeds[hour]!
    days.found[day]! += speed * found[hour]!
    hours.found[ofDay]! += speed * found[hour]!
    days.expected[day]! += (speed * mass[hour]!) / Math.max(0.02, clock.weekdays[day]!)
    hours.expected[ofDay]! += (speed * mass[hour]!) / Math.max(0.02, clock.hours[ofDay]!)
  }
  return { days, hours }
}

const hoursOfWeek = 168

/** Amounts a second, laid over stretches of time and added up by hour of the week. */
class OverHours {
  /** Where whole hours of a stretch begin, and after which they end. */
  readonly #steps = new Float64Array(hoursOfWeek + 1)
  readonly #parts = new Float64Array(hoursOfWeek)

  add(amount: number, { from, to }: { readonly from: number; readonly to: number }): void {
    const first = Math.floor(from / HOUR)
    const last = Math.floor(to / HOUR)
    if (first === last) {
      this.#parts[ofWeek(first)]! += amount * (to - from)
      return
    }
    this.#parts[ofWeek(first)]! += amount * ((first + 1) * HOUR - from)
    this.#parts[ofWeek(last)]! += amount * (to - last * HOUR)
    const whole = last - first - 1
    const weeks = Math.floor(whole / hoursOfWeek)
    const begin = ofWeek(first + 1)
    const end = begin + whole - weeks * hoursOfWeek
    this.#steps[0]! += weeks * amount
    this.#steps[begin]! += amount
    this.#steps[Math.min(end, hoursOfWeek)]! -= amount
    if (end <= hoursOfWeek) return
    this.#steps[0]! += amount
    this.#steps[end - hoursOfWeek]! -= amount
  }

  byHour(): Float64Array {
    let level = 0
    return this.#parts.map((part, hour) => {
      level += this.#steps[hour]!
      return part + HOUR * level
    })
  }
}

function ofWeek(hour: number): number {
  return ((hour % hoursOfWeek) + hoursOfWeek) % hoursOfWeek
}

/**
 * How much more the changes of a log vary from day to day than independent ones
 * would: Pearson's statistic over its degrees of freedom, 1 at least. Pages that
 * are all published by one push change together, and a hundred of them tell no
 * more of the hours than one: their evidence is divided by this.
 * O(gaps + days).
 */
export function overDispersion({ columns }: GapLog): number {
  const found = new Map<number, number>()
  const expected = new Map<number, number>()
  for (let row = 0; row < columns.length; row += 4) {
    const from = columns[row]!
    const to = columns[row + 1]!
    const changed = columns[row + 2] === 1
    const chance = -Math.expm1(-columns[row + 3]!)
    const last = Math.floor(to / DAY)
    for (let day = Math.floor(from / DAY); day <= last; day++) {
      const share = (Math.min(to, (day + 1) * DAY) - Math.max(from, day * DAY)) / (to - from)
      expected.set(day, (expected.get(day) ?? 0) + share * chance)
      if (changed) found.set(day, (found.get(day) ?? 0) + share)
    }
  }
  // The level is the log's own: only how changes cluster counts here.
  const level = total(found.values()) / Math.max(1e-9, total(expected.values()))
  if (!(level > 0)) return 1
  let [squares, days] = [0, 0]
  for (const [day, each] of expected) {
    const mean = level * each
    if (!(mean > 1e-6)) continue
    squares += ((found.get(day) ?? 0) - mean) ** 2 / mean
    days++
  }
  return days > 2 ? Math.max(1, squares / (days - 1)) : 1
}

function total(values: Iterable<number>): number {
  let sum = 0
  for (const each of values) sum += each
  return sum
}

function emptyTally(size: number): Tally {
  return { found: new Float64Array(size), expected: new Float64Array(size) }
}

function added(tallies: readonly Tally[], size: number): Tally {
  const sum = emptyTally(size)
  for (const { found, expected } of tallies)
    for (let i = 0; i < size; i++) {
      sum.found[i]! += found[i]!
      sum.expected[i]! += expected[i]!
    }
  return sum
}

function sampled(
  { found, expected }: Tally,
  { to, strength }: { to: Float64Array; strength: number },
): Float64Array {
  return found.map((each, i) => (each + strength * to[i]!) / (expected[i]! + strength))
}

/** Each hour a little like its neighbours. */
function smoothed(hours: Float64Array): Float64Array {
  const n = hours.length
  return hours.map((each, i) => (hours[(i + n - 1) % n]! + 4 * each + hours[(i + 1) % n]!) / 6)
}

function evened(speeds: Float64Array): Float64Array {
  const mean = speeds.reduce((a, b) => a + b, 0) / speeds.length
  return speeds.map((each) => each / mean)
}
