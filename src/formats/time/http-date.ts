import type { UnixSeconds } from '../../model/index.js'
import { fromCivil } from './civil-time.js'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const fixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/

/**
 * Unix seconds of the date that servers write in Last-Modified, such as
 * `Sun, 06 Nov 1994 08:49:37 GMT`, or NaN if it is none. RFC 9110, 5.6.7; the
 * two obsolete forms are not read.
 */
export function httpDate(text: string): UnixSeconds {
  const found = fixdate.exec(text)
  if (found === null) return Number.NaN
  const [, day, month, year, hour, minute, second] = found
  return fromCivil({
    year: Number(year),
    month: months.indexOf(month!) + 1,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  })
}
