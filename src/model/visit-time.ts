import { humanTime } from './human.js'
import type { UnixSeconds } from './units.js'

/** Why a visit cannot have been at its time; the text is made only when asked for. */
export interface TimeFault {
  readonly code: 'bad-time' | 'time-not-forward' | 'time-in-future'
  readonly message: () => string
}

/**
 * The one rule for the times of a page's visits: finite, after the visit
 * before, and not in the future. Undefined where a time keeps it. A value and
 * not an error, so that a reader of many lines can skip and count.
 */
export function visitTimeFault(
  at: UnixSeconds,
  { after, now }: { readonly after: UnixSeconds; readonly now: UnixSeconds },
): TimeFault | undefined {
  if (at > after && at <= now && at !== Infinity) return undefined
  if (!Number.isFinite(at))
    return { code: 'bad-time', message: () => 'the time of this visit is not a finite number' }
  if (at > now)
    return {
      code: 'time-in-future',
      message: () => `this visit (${humanTime(at)}) lies in the future`,
    }
  return { code: 'time-not-forward', message: () => notForward(at, { before: after }) }
}

function notForward(at: UnixSeconds, { before }: { before: UnixSeconds }): string {
  const relation = at === before ? 'at the same time as' : 'before'
  return `this visit (${humanTime(at)}) is ${relation} the one that precedes it (${humanTime(before)}); visits of a page must go forward in time`
}
