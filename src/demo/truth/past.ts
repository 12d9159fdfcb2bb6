import { type Clock, humanTime, OptionError, type UnixSeconds } from '../../model/index.js'

/** Refuses what is not yet: a walk into the future would forget the present. */
export function checkPast(clock: Clock, at: UnixSeconds): void {
  const now = clock.now()
  if (at <= now) return
  throw new OptionError(
    'time-in-future',
    `${humanTime(at)} is not yet: the demo's clock shows ${humanTime(now)}; ask for times up to now`,
  )
}
