import { sliceOf } from '../../formats/bytes/byte-slice.js'
import { isoTime } from '../../formats/time/iso-time.js'
import { humanMoment, humanTime, readDuration } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds } from '../../model/units.js'

/** A positive duration as people write it, with its unit: `10d`, `36h`, `5min`, `1.5 weeks`, `200ms`. */
export function positiveDuration(text: string, option: string): Seconds {
  const seconds = durationOf(text)
  if (seconds !== undefined) return seconds
  throw new OptionError(
    'bad-duration',
    `${option} takes a duration such as 10d, 36h, 2w or 5min; got "${text}"`,
  )
}

/** The same, undefined where it is none. */
export function durationOf(text: string): Seconds | undefined {
  const seconds = readDuration(text) ?? Number.NaN
  return seconds > 0 && seconds < Infinity ? seconds : undefined
}

/** Seconds east of UTC that `utc` or `+02:00` says. */
export function parseZone(text: string): Seconds {
  if (/^(utc|z)$/i.test(text)) return 0
  const found = /^([+-])(\d\d):?(\d\d)$/.exec(text)
  const [hours, minutes] = [Number(found?.[2]), Number(found?.[3])]
  if (hours <= 23 && minutes <= 59)
    return (found![1] === '-' ? -1 : 1) * (hours * HOUR + minutes * MINUTE)
  throw new OptionError('bad-zone', `--zone takes utc or an offset such as +02:00; got "${text}"`)
}

/** The present as `--now` gives it: Unix seconds, or an ISO time with its zone. */
export function parseNow(text: string): UnixSeconds {
  const at = /^\d+(\.\d+)?$/.test(text) ? Number(text) : isoTime(sliceOf(text), undefined)
  if (typeof at === 'number' && Number.isFinite(at)) return at
  throw new OptionError(
    'bad-now',
    `--now takes Unix seconds or a time such as 2026-03-01T12:00:00Z; got "${text}"`,
  )
}

/** A date (its first moment; of a month, its first day), an ISO time, or Unix seconds. */
export function parseDate(text: string, option: string, zone: Seconds = 0): UnixSeconds {
  const day = /^\d{4}-\d\d$/.test(text) ? `${text}-01` : text
  const at = /^\d{5,}(\.\d+)?$/.test(text) ? Number(text) : isoTime(sliceOf(day), zone)
  if (typeof at === 'number' && Number.isFinite(at)) return at
  throw new OptionError(
    'bad-date',
    `${option} takes dates such as 2026-03-01 or 2026-03-01T12:00:00Z; got "${text}"`,
  )
}

/** An end: after a while (`2h`), at an hour of the day in UTC (`18:30`), or at a time (ISO, Unix). */
export function parseUntil(
  text: string,
  { option, now }: { readonly option: string; readonly now: UnixSeconds },
): UnixSeconds {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (clock !== null) return nextTimeOfDay(clock, now)
  try {
    return /^[\d.]+\s*[a-z]+$/i.test(text)
      ? now + positiveDuration(text, option)
      : parseDate(text, option)
  } catch (cause) {
    throw new OptionError(
      'bad-until',
      `${option} takes a while such as 2h, an hour in UTC such as 18:30, or a time such as 2026-03-01T12:00:00Z; got "${text}"`,
      { cause },
    )
  }
}

function nextTimeOfDay([, hours, minutes]: RegExpExecArray, now: UnixSeconds): UnixSeconds {
  const midnight = Math.floor(now / DAY) * DAY
  const today = midnight + Number(hours) * HOUR + Number(minutes) * MINUTE
  return today > now ? today : today + DAY
}

/** A time with its distance: `2026-03-01T12:00:00Z (3 hours ago)`. */
export function timeAndMoment(at: UnixSeconds, now: UnixSeconds): string {
  return `${humanTime(at)} (${humanMoment(at, now)})`
}
