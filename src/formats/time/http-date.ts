import { DAY, type UnixSeconds } from '../../model/index.js'
import { fromCivil } from './civil-time.js'
import { monthNumber } from './month-name.js'

const short = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const long = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)'
const clock = '(\\d\\d):(\\d\\d):(\\d\\d)'
const fixdate = new RegExp(`^${short}, (\\d\\d) (\\w{3}) (\\d{4}) ${clock} GMT$`)
const rfc850 = new RegExp(`^${long}, (\\d\\d)-(\\w{3})-(\\d\\d) ${clock} GMT$`)
const asctime = new RegExp(`^${short} (\\w{3}) ([ \\d]\\d) ${clock} (\\d{4})$`)

/**
 * Unix seconds of a date as HTTP writes it, or NaN if it is none: the fixed
 * form `Sun, 06 Nov 1994 08:49:37 GMT` and the two obsolete ones that servers
 * must still be understood in. A year of two digits that would lie more than
 * 50 years after `now` (which is needed for that form alone) is in the past.
 * The weekday is not compared with the date; years before 1900 are refused.
 *
 * RFC 9110, 5.6.7.
 */
export function httpDate(
  text: string,
  { now = Number.NaN }: { readonly now?: UnixSeconds } = {},
): UnixSeconds {
  const fixed = fixdate.exec(text)
  if (fixed !== null) return timeOf(fixed[3]!, fixed[2]!, fixed[1]!, fixed.slice(4))
  const old = asctime.exec(text)
  if (old !== null) return timeOf(old[6]!, old[1]!, old[2]!, old.slice(3, 6))
  const two = rfc850.exec(text)
  if (two === null) return Number.NaN
  return timeOf(String(fullYear(Number(two[3]), { now })), two[2]!, two[1]!, two.slice(4))
}

/** Without a present, the years 70 to 99 are of the last century. */
function fullYear(twoDigits: number, { now }: { now: UnixSeconds }): number {
  if (Number.isNaN(now)) return twoDigits < 70 ? 2000 + twoDigits : 1900 + twoDigits
  const thisYear = new Date(now * 1000).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}

function timeOf(year: string, month: string, day: string, time: readonly string[]): UnixSeconds {
  const [hour, minute, second] = time.map(Number) as [number, number, number]
  if (Number(year) < 1900) return Number.NaN
  const date = { year: Number(year), month: monthNumber(month), day: Number(day) }
  // A leap second comes only before midnight; it is the first second of the next day.
  if (second === 60 && hour === 23 && minute === 59)
    return fromCivil({ ...date, hour: 0, minute: 0, second: 0 }) + DAY
  return fromCivil({ ...date, hour, minute, second })
}
