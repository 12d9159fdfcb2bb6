import type { Due } from '../model/index.js'
import { type AllowedHours, nextAllowed } from '../schedule/allowed-hours.js'

const putOff = '; put off to the hours allowed for it'

/** A due time moved into the hours in which the page may be visited; the reason says so. */
export function dueWithin(due: Due, hours: AllowedHours | null): Due {
  if (hours === null || due.at === 'never') return due
  const at = nextAllowed(due.at, hours)
  if (at === due.at) return due
  return { at, reason: due.reason.endsWith(putOff) ? due.reason : due.reason + putOff }
}
