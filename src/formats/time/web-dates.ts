import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds } from '../../model/units.js'
import { fromCivil } from './iso-time.js'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const rest = ['uary', 'ruary', 'ch', 'il', '', 'e', 'y', 'ust', 'tember', 'ober', 'ember', 'ember']

/** The number of a month by its English name, short (`Nov`) or whole; 0 if it is none. */
function monthNumber(name: string): number {
  const lower = name.toLowerCase()
  const found = months.indexOf(lower.slice(0, 3))
  const tail = lower.slice(3)
  return found === -1 || (tail !== '' && tail !== rest[found]) ? 0 : found + 1
}

/** Hours east of UTC. RFC 822 names the American zones; MET is UTC+1 and MEST UTC+2 by common use. */
const hours: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  'etc/gmt': 0,
  'etc/utc': 0,
  bst: 1,
  met: 1,
  cet: 1,
  mest: 2,
  cest: 2,
  eet: 2,
  eest: 3,
  jst: 9,
  et: -5,
  est: -5,
  edt: -4,
  ct: -6,
  cst: -6,
  cdt: -5,
  mt: -7,
  mst: -7,
  mdt: -6,
  pt: -8,
  pst: -8,
  pdt: -7,
}

/** Seconds east of UTC of a zone by its short name; NaN for a name we do not know. */
function zoneOffset(name: string): Seconds {
  return (hours[name.toLowerCase()] ?? Number.NaN) * HOUR
}

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
export function parsedHttpDate(
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

const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\\s*)?'
const looseClock = '(\\d{1,2}):(\\d\\d)(?::(\\d\\d(?:\\.\\d+)?))?'
const zone = '\\s*([a-z/]+|[+-]\\d\\d:?\\d\\d)?'
const iso = new RegExp(`^(\\d{4})(?:-(\\d\\d)(?:-(\\d\\d)(?:[t ]${looseClock}${zone})?)?)?$`, 'i')
const dayFirst = new RegExp(
  `^${weekday}(\\d{1,2})[ -]([a-z]+)[ -](\\d{2}|\\d{4})(?:\\s+${looseClock}${zone})?$`,
  'i',
)
const monthFirst = new RegExp(
  `^${weekday}([a-z]+)\\s+(\\d{1,2})\\s+(?:(\\d{4})\\s+)?${looseClock}${zone}(?:\\s+(\\d{4}))?$`,
  'i',
)
const slashed = new RegExp(
  `^${weekday}(\\d{4})/(\\d\\d)/(\\d\\d)(?:\\s+${looseClock}${zone})?$`,
  'i',
)

/**
 * Unix seconds of a date as feeds, sitemaps and careless servers write it, or
 * NaN: RFC 822 and 2822 with their slips, W3C dates (`2014`, `2014-06`,
 * `2014-06-03T10:30Z`), asctime with a zone. A time without a zone is taken as
 * UTC, a zone by its English short name as feedparser takes it.
 */
export function looseDate(text: string, options: { readonly now?: UnixSeconds } = {}): UnixSeconds {
  const trimmed = text.trim()
  if (trimmed.length < 4 || trimmed.length > 60) return Number.NaN
  const exact = parsedHttpDate(trimmed, options)
  if (!Number.isNaN(exact)) return exact
  const found = iso.exec(trimmed) ?? slashed.exec(trimmed)
  if (found !== null)
    return civil(found[1]!, Number(found[2] ?? 1), found[3] ?? '1', found.slice(4))
  const first = dayFirst.exec(trimmed)
  if (first !== null) return civil(first[3]!, monthNumber(first[2]!), first[1]!, first.slice(4))
  const month = monthFirst.exec(trimmed)
  const year = month?.[3] ?? month?.[8]
  if (month === null || year === undefined) return Number.NaN
  return civil(year, monthNumber(month[1]!), month[2]!, month.slice(4, 8))
}

function civil(
  year: string,
  month: number,
  day: string,
  [hour = '0', minute = '0', second = '0', zoneName]: ReadonlyArray<string | undefined>,
): UnixSeconds {
  const time = { hour: Number(hour), minute: Number(minute), second: Number(second) }
  return fromCivil({ year: wholeYear(year), month, day: Number(day), ...time }) - east(zoneName)
}

/** RFC 2822, 4.3: two digits below 50 are of this century. */
function wholeYear(text: string): number {
  const year = Number(text)
  if (text.length > 2) return year
  return year < 50 ? 2000 + year : 1900 + year
}

function east(name: string | undefined): Seconds {
  if (name === undefined) return 0
  const numeric = /^([+-])(\d\d):?(\d\d)$/.exec(name)
  if (numeric === null) return zoneOffset(name)
  const [, sign, hours, minutes] = numeric
  if (Number(hours) > 23 || Number(minutes) > 59) return Number.NaN
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE)
}

/**
 * When the server says the page last changed, plausible or not; null where it
 * says nothing that can be read. Servers that break the grammar but name a
 * clear date are understood. A date less than a second from that of the answer
 * tells of the answer: pages made on request are often stamped so, and taken
 * for changes they would hide how often the page really changes (RFC 9110,
 * 8.8.2.2, does not trust such dates either).
 */
export function lastModifiedOf(
  headers: Readonly<Record<string, string>>,
  { now }: { readonly now: UnixSeconds },
): UnixSeconds | null {
  const text = headers['last-modified']
  if (text === undefined) return null
  const exact = parsedHttpDate(text, { now })
  const at = Number.isNaN(exact) ? looseDate(text, { now }) : exact
  const answered = parsedHttpDate(headers.date ?? '', { now })
  return Number.isNaN(at) || Math.abs(answered - at) < 1 ? null : at
}
