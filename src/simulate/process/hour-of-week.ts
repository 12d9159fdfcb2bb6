import {
  type ChangeProcess,
  DAY,
  HOUR,
  humanPeriod,
  OptionError,
  type Seconds,
  WEEK,
} from '../../model/index.js'
import { type ChangeClock, ClockedPoissonTimeline } from './clocked-poisson.js'
import { checkMasses, checkParameter, checkPeriod } from './parameter.js'

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
