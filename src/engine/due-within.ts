import type { Due, UnixSeconds } from '../model/index.js'
import { type AllowedHours, nextAllowed } from '../schedule/allowed-hours.js'

const putOff = '; put off to the hours allowed for it'

/** A due time moved into the hours in which the page may be visited; the reason says so. */
export function dueWithin(due: Due, hours: AllowedHours | null): Due {
  if (hours === null || due.at === 'never') return due
  const at = nextAllowed(due.at, hours)
  if (at === due.at) return due
  return { at, reason: isPutOff(due) ? due.reason : due.reason + putOff }
}

export function isPutOff({ reason }: Due): boolean {
  return reason.endsWith(putOff)
}

/** What was put off, due now: the hours that it waits for may be others by now. */
export function reopened({ reason }: Due, now: UnixSeconds): Due {
  return { at: now, reason: reason.slice(0, -putOff.length) }
}
