import { DAY, HOUR, MINUTE, type UnixSeconds } from '../../model/index.js'

/** A time by calendar and clock, in UTC. */
export interface CivilTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Unix seconds of a date and time in the Gregorian calendar, or NaN if there is no such time. */
export function fromCivil(civil: CivilTime): UnixSeconds {
  const { year, month, day, hour, minute, second } = civil
  const wrongDay = month < 1 || month > 12 || day < 1 || day > monthLength({ year, month })
  const wrongHour = hour < 0 || hour > 23 || minute < 0 || minute > 59
  if (year < 0 || wrongDay || wrongHour || second < 0 || second >= 60) return Number.NaN
  return dayNumber({ year, month, day }) * DAY + hour * HOUR + minute * MINUTE + second
}

function monthLength({ year, month }: { year: number; month: number }): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : monthLengths[month - 1]!
}

/**
 * Days since 1970-01-01, counted in years that begin in March so that the leap
 * day comes last. Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms", days_from_civil. `new Date` costs ten times as much.
 */
function dayNumber({ year, month, day }: { year: number; month: number; day: number }): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * 146097 + yearOfEra * 365 + leapDays + dayOfYear - 719468
}
