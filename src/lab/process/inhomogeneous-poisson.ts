import { humanDuration, humanPeriod } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import {
  DAY,
  HOUR,
  type RandomSource,
  type Seconds,
  type UnixSeconds,
  WEEK,
} from '../../model/units.js'
import { poissonCount } from '../../numeric/random.js'
import type { ChangeProcess, Timeline } from './change-process.js'
import { checkMasses, checkParameter, checkPeriod } from './parameters.js'

/**
 * A clock that ticks once an expected change: seen on it, any Poisson process
 * has rate 1. `expected` never falls; `time` is its inverse.
 */
interface ChangeClock {
  /** Changes expected up to a time, from some fixed origin on. */
  expected(at: UnixSeconds): number
  time(expected: number): UnixSeconds
  /** Where the page's past begins: no change lies before; -Infinity if it has none. */
  readonly firstExpected: number
}

/**
 * A Poisson process whose rate varies in time, by transformation of time: the
 * leaps of the homogeneous process, on the clock. Exact, and an advance costs
 * a comparison if nothing changed, else at most four draws and three readings
 * of the clock.
 */
class ClockedPoissonTimeline implements Timeline {
  lastChange: UnixSeconds
  firstChange: UnixSeconds = Infinity
  changes = 0
  readonly #clock: ChangeClock
  readonly #random: RandomSource
  #next: UnixSeconds
  #nextExpected: number

  /** The content age at the start looks back on the clock, as far as the page's past goes. */
  constructor({
    from,
    random,
    clock,
  }: {
    readonly from: UnixSeconds
    readonly random: RandomSource
    readonly clock: ChangeClock
  }) {
    this.#clock = clock
    this.#random = random
    const start = clock.expected(from)
    const last = Math.max(clock.firstExpected, start - random.exponential())
    this.lastChange = Math.min(from, clock.time(last))
    this.#nextExpected = start + random.exponential()
    this.#next = Math.max(from, clock.time(this.#nextExpected))
  }

  advance(to: UnixSeconds): boolean {
    if (this.#next <= to) return this.#leap(to)
    this.firstChange = Infinity
    this.changes = 0
    return false
  }

  /** Rounding on the clock may step out of the stretch by a hair; the bounds hold it inside. */
  #leap(to: UnixSeconds): true {
    const first = this.#next
    const random = this.#random
    const end = this.#clock.expected(to)
    const last = end - random.exponential()
    this.firstChange = first
    if (last > this.#nextExpected) {
      this.lastChange = Math.min(to, Math.max(first, this.#clock.time(last)))
      this.changes = 2 + poissonCount(random, last - this.#nextExpected)
    } else {
      this.lastChange = first
      this.changes = 1
    }
    this.#nextExpected = end + random.exponential()
    this.#next = Math.max(to, this.#clock.time(this.#nextExpected))
    return true
  }
}

export interface PowerLawTrendOptions {
  /** From the page's birth to its first change: one is expected by then. Singh's eta. */
  readonly scale: Seconds
  /** Below 1 the page slows down, above 1 it quickens. Singh's beta. */
  readonly shape: number
  /** When the page was born; where each timeline starts, by default. */
  readonly origin?: UnixSeconds
}

/**
 * Poisson changes whose rate follows a power of the time t since the page's
 * birth: (shape/scale) (t/scale)^(shape - 1), so (t/scale)^shape changes by t.
 *
 * There is no equilibrium: a page is born at its origin, which stands for its
 * last change until the first, and a timeline that starts later finds the
 * content age that such a page then has. There is no long-run period either;
 * `changePeriod` is the scale, which it is at shape 1.
 *
 * Singh 2007 (Crow's Weibull process).
 */
export function powerLawTrend({ scale, shape, origin }: PowerLawTrendOptions): ChangeProcess {
  const process = 'power-law-trend'
  checkPeriod({ process, name: 'scale', value: scale })
  checkParameter({
    process,
    name: 'shape',
    value: shape,
    possible: shape >= 0.01 && shape <= 10,
    why: 'it must lie between 0.01 (slows down at once) and 10 (billions of changes within ten scales)',
  })
  const direction = shape === 1 ? 'steady' : shape < 1 ? 'ever slower' : 'ever faster'
  return {
    name: process,
    summary: `Poisson changes, ${direction} (power ${shape}), the first after about ${humanDuration(scale)}`,
    changePeriod: scale,
    timeline: ({ from, random }) =>
      new ClockedPoissonTimeline({
        from,
        random,
        clock: powerClock({ scale, shape, origin: origin ?? from }),
      }),
  }
}

function powerClock({ scale, shape, origin }: Required<PowerLawTrendOptions>): ChangeClock {
  return {
    firstExpected: 0,
    expected: (at) => (at > origin ? ((at - origin) / scale) ** shape : 0),
    time: (expected) => origin + scale * expected ** (1 / shape),
  }
}

const hoursOfWeek = 168
/** Unix time begins on a Thursday; weeks are counted from the Monday before. */
const mondayLead: Seconds = 3 * DAY

/**
 * Poisson changes whose rate has a weekly course: 168 weights, one for each
 * hour of the week in UTC from Monday 0:00 on; only their ratios matter, and
 * an hour of weight 0 never sees a change.
 *
 * The past has no beginning: content age and residual at the start are looked
 * up on the week's own clock, so the start may fall into any hour.
 */
export function hourOfWeek({
  period,
  weights,
}: {
  readonly period: Seconds
  readonly weights: ArrayLike<number>
}): ChangeProcess {
  const process = 'hour-of-week'
  checkPeriod({ process, name: 'period', value: period })
  if (weights.length !== hoursOfWeek)
    throw new OptionError(
      'bad-parameter',
      `${process}: there are ${weights.length} weights, but a week has 168 hours`,
    )
  const shares = checkMasses({ process, name: 'weights', values: weights })
  const clock = weekClock(shares.map((share) => (share * WEEK) / period))
  return {
    name: process,
    summary: `Poisson changes that follow the hours of the week, ${humanPeriod(period)} on average`,
    changePeriod: period,
    timeline: ({ from, random }) => new ClockedPoissonTimeline({ from, random, clock }),
  }
}

/** The clock of a week with the given changes expected in each hour. O(log 168) a reading. */
function weekClock(perHour: Float64Array): ChangeClock {
  const upTo = new Float64Array(hoursOfWeek + 1)
  for (let hour = 0; hour < hoursOfWeek; hour++) upTo[hour + 1] = upTo[hour]! + perHour[hour]!
  const perWeek = upTo[hoursOfWeek]!
  return {
    firstExpected: -Infinity,
    expected(at) {
      const week = Math.floor((at + mondayLead) / WEEK)
      const hours = (at + mondayLead - week * WEEK) / HOUR
      const hour = Math.min(hoursOfWeek - 1, Math.floor(hours))
      return week * perWeek + upTo[hour]! + (hours - hour) * perHour[hour]!
    },
    time(expected) {
      const week = Math.floor(expected / perWeek)
      const rest = expected - week * perWeek
      const hour = hourHolding(upTo, rest)
      const part = Math.min(1, (rest - upTo[hour]!) / perHour[hour]!)
      return week * WEEK - mondayLead + (hour + part) * HOUR
    },
  }
}

/** The hour with upTo[hour] <= rest < upTo[hour + 1]; it has a weight, and the last such at the very end. */
function hourHolding(upTo: Float64Array, rest: number): number {
  let low = 0
  let high = hoursOfWeek
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (upTo[middle]! <= rest) low = middle
    else high = middle
  }
  while (low > 0 && upTo[low + 1] === upTo[low]) low--
  return low
}

/**
 * The weights of an editor's week: 1 in working hours, `rest` on working days
 * outside them, `weekend` on Saturday and Sunday. Hours in UTC.
 */
export function workingWeek({
  opens = 8,
  closes = 18,
  rest = 0.1,
  weekend = 0.1,
}: {
  readonly opens?: number
  readonly closes?: number
  readonly rest?: number
  readonly weekend?: number
} = {}): Float64Array {
  checkParameter({
    process: 'hour-of-week',
    name: 'opens',
    value: opens,
    possible: opens >= 0 && opens < closes && closes <= 24,
    why: `it must be an hour of the day before closes (${closes}), which is 24 at most`,
  })
  return Float64Array.from({ length: hoursOfWeek }, (_, index) => {
    if (index >= 5 * 24) return weekend
    const hour = index % 24
    return hour >= opens && hour < closes ? 1 : rest
  })
}
