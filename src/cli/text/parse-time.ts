import { sliceOf } from '../../formats/bytes/byte-slice.js'
import { isoTime } from '../../formats/time/iso-time.js'
import { HOUR, MINUTE, OptionError, type Seconds, type UnixSeconds } from '../../model/index.js'

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
export function parseDate(
  text: string,
  { option, zone }: { readonly option: string; readonly zone: Seconds },
): UnixSeconds {
  const day = /^\d{4}-\d\d$/.test(text) ? `${text}-01` : text
  const at = /^\d{5,}(\.\d+)?$/.test(text) ? Number(text) : isoTime(sliceOf(day), zone)
  if (typeof at === 'number' && Number.isFinite(at)) return at
  throw new OptionError(
    'bad-date',
    `${option} takes dates such as 2026-03-01 or 2026-03-01T12:00:00Z; got "${text}"`,
  )
}
