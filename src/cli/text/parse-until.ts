import { DAY, HOUR, MINUTE, OptionError, type UnixSeconds } from '../../model/index.js'
import { parseDuration } from './parse-duration.js'
import { parseDate } from './parse-time.js'

/** An end: after a while (`2h`), at an hour of the day in UTC (`18:30`), or at a time (ISO, Unix). */
export function parseUntil(
  text: string,
  { option, now }: { readonly option: string; readonly now: UnixSeconds },
): UnixSeconds {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text)
  if (clock !== null) return nextTimeOfDay(clock, now)
  try {
    return /^[\d.]+\s*[a-z]+$/i.test(text)
      ? now + parseDuration(text, option)
      : parseDate(text, { option, zone: 0 })
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
