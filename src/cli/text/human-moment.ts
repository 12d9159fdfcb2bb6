import { humanDuration, humanTime, type UnixSeconds } from '../../model/index.js'

/** A time beside the present: `3 hours ago`, `in 2.1 days`, `now`. */
export function humanMoment(at: UnixSeconds, now: UnixSeconds): string {
  const ahead = at - now
  if (Math.abs(ahead) < 1) return 'now'
  return ahead > 0 ? `in ${humanDuration(ahead)}` : `${humanDuration(-ahead)} ago`
}

/** A time with its distance: `2026-03-01T12:00:00Z (3 hours ago)`. */
export function timeAndMoment(at: UnixSeconds, now: UnixSeconds): string {
  return `${humanTime(at)} (${humanMoment(at, now)})`
}
