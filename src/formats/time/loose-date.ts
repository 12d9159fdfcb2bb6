import { HOUR, MINUTE, type Seconds, type UnixSeconds } from '../../model/index.js'
import { fromCivil } from './civil-time.js'
import { httpDate } from './http-date.js'
import { monthNumber } from './month-name.js'
import { zoneOffset } from './zone-name.js'

const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\\s*)?'
const clock = '(\\d{1,2}):(\\d\\d)(?::(\\d\\d(?:\\.\\d+)?))?'
const zone = '\\s*([a-z/]+|[+-]\\d\\d:?\\d\\d)?'
const iso = new RegExp(`^(\\d{4})(?:-(\\d\\d)(?:-(\\d\\d)(?:[t ]${clock}${zone})?)?)?$`, 'i')
const dayFirst = new RegExp(
  `^${weekday}(\\d{1,2})[ -]([a-z]+)[ -](\\d{2}|\\d{4})(?:\\s+${clock}${zone})?$`,
  'i',
)
const monthFirst = new RegExp(
  `^${weekday}([a-z]+)\\s+(\\d{1,2})\\s+(?:(\\d{4})\\s+)?${clock}${zone}(?:\\s+(\\d{4}))?$`,
  'i',
)
const slashed = new RegExp(`^${weekday}(\\d{4})/(\\d\\d)/(\\d\\d)(?:\\s+${clock}${zone})?$`, 'i')

/**
 * Unix seconds of a date as feeds, sitemaps and careless servers write it, or
 * NaN: RFC 822 and 2822 with their slips, W3C dates (`2014`, `2014-06`,
 * `2014-06-03T10:30Z`), asctime with a zone. A time without a zone is taken as
 * UTC, a zone by its English short name as feedparser takes it.
 */
export function looseDate(text: string, options: { readonly now?: UnixSeconds } = {}): UnixSeconds {
  const trimmed = text.trim()
  if (trimmed.length < 4 || trimmed.length > 60) return Number.NaN
  const exact = httpDate(trimmed, options)
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
