import { InputError } from '../model/errors.js'
import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds } from '../model/units.js'

/** When what is to be sent is sent; at once by default. */
export interface Timing {
  /** Gathers notices into one message: each full hour, once a day, or for so many seconds from the first. */
  readonly digest?: 'hour' | 'day' | Seconds
  /** When the digest of a day is sent, such as 08:00 (the default). */
  readonly digestAt?: string
  /** Nothing is sent in these hours, such as 22:00-07:00; it waits for their end. */
  readonly quiet?: string
  /** Of these times, such as Europe/Berlin; UTC by default. */
  readonly zone?: string
}

const longestDigest = 31 * DAY
const usualTime = '08:00'

/** Refuses what cannot be followed. */
export function checkTiming({ digest, digestAt, quiet, zone }: Timing): void {
  if (typeof digest === 'number' && !(digest >= 0 && digest <= longestDigest))
    throw bad('a digest gathers for 0 seconds to 31 days, or by hour or day')
  if (typeof digest === 'string' && digest !== 'hour' && digest !== 'day')
    throw bad('a digest is hour, day, or a time in seconds')
  if (digestAt !== undefined) timeOfDay(digestAt)
  if (quiet !== undefined) quietHours(quiet)
  if (zone !== undefined) zoneClock(zone)
}

function bad(message: string): InputError {
  return new InputError('bad-channel', message)
}

/** Seconds since midnight, from 08:00 or 8. */
function timeOfDay(text: string): Seconds {
  const found = /^(\d{1,2})(?::(\d\d))?$/.exec(text.trim())
  const [hours, minutes] = [Number(found?.[1]), Number(found?.[2] ?? 0)]
  if (found !== null && hours <= 24 && minutes < 60 && (hours < 24 || minutes === 0))
    return (hours * HOUR + minutes * MINUTE) % DAY
  throw bad(`${JSON.stringify(text.slice(0, 20))} is no time of day, such as 08:00`)
}

function quietHours(text: string): { readonly from: Seconds; readonly to: Seconds } {
  const [from, to, ...more] = text.split('-')
  if (from === undefined || to === undefined || more.length > 0)
    throw bad('quiet hours are such as 22:00-07:00')
  return { from: timeOfDay(from), to: timeOfDay(to) }
}

/** Seconds since midnight at a place, at a time. */
function zoneClock(zone: string): (at: UnixSeconds) => Seconds {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    return (at) => {
      const [hours, minutes, seconds] = format
        .format(at * 1000)
        .split(':')
        .map(Number)
      return hours! * HOUR + minutes! * MINUTE + seconds!
    }
  } catch (cause) {
    throw new InputError(
      'bad-channel',
      `${JSON.stringify(zone.slice(0, 50))} is no time zone, such as Europe/Berlin`,
      { cause },
    )
  }
}

/** Whether nothing is to be sent at a time. */
export function isQuiet({ quiet, zone = 'UTC' }: Timing, now: UnixSeconds): boolean {
  if (quiet === undefined) return false
  const { from, to } = quietHours(quiet)
  const time = zoneClock(zone)(now)
  return from <= to ? time >= from && time < to : time >= from || time < to
}

/**
 * When what has waited since `since` is sent as one. A clock that is put
 * forward or back in between moves it by that hour.
 */
export function digestDue(
  { digest, digestAt = usualTime, zone = 'UTC' }: Timing,
  since: UnixSeconds,
): UnixSeconds {
  if (typeof digest === 'number') return since + digest
  const time = zoneClock(zone)(since)
  const part = since - Math.floor(since)
  if (digest === 'hour') return since - part - (time % HOUR) + HOUR
  const wait = (timeOfDay(digestAt) - time + DAY) % DAY
  return since - part + (wait === 0 && part > 0 ? DAY : wait)
}
