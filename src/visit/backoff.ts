import { humanDuration } from '../model/duration.js'
import { faultAdvice } from '../model/fetcher.js'
import type { Due } from '../model/policy.js'
import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds } from '../model/units.js'

/** What holds of a page whatever became of its visit. */
interface Held {
  /** It is visited no sooner than so long after a visit, also one that failed. */
  readonly minGap?: Seconds | undefined
}

/** Doubles with each failure in a row, up to a limit. */
function doubling(
  first: Seconds,
  { times, limit, minGap = 0 }: { times: number; limit: Seconds } & Held,
): Seconds {
  return Math.max(minGap, Math.min(limit, first * 2 ** Math.min(times, 40)))
}

/**
 * When to try again after a visit that showed nothing; `failing` counts those
 * before it in a row, `message` says more of the fault than its name.
 */
export function afterFailure(
  now: UnixSeconds,
  options: { failing: number; fault: string; message?: string } & Held,
): Due {
  const { failing: times, minGap } = options
  const wait = doubling(10 * MINUTE, { times, limit: DAY, minGap })
  const advice = faultAdvice(options.fault)
  const prefix = options.message === undefined ? `${options.fault}: ` : `${options.message}; `
  const why = advice === null ? prefix.slice(0, -2) : prefix + advice
  return {
    at: now + wait,
    reason: `the visit failed (${why}); tried again after ${humanDuration(wait)}`,
  }
}

/** When to ask again what a server or robots.txt refused. */
export function afterRefusal(
  now: UnixSeconds,
  { failing: times, why, minGap }: { failing: number; why: string } & Held,
): Due {
  const wait = doubling(DAY, { times, limit: 30 * DAY, minGap })
  return {
    at: now + wait,
    reason: `refused (${why}); asked again after ${humanDuration(wait)}`,
  }
}

/** A page that is gone is visited ever more rarely. */
export function afterGone(now: UnixSeconds, { gone: times, minGap }: { gone: number } & Held): Due {
  const wait = doubling(DAY, { times, limit: 90 * DAY, minGap })
  return { at: now + wait, reason: `gone; visited again after ${humanDuration(wait)}` }
}

/** A server that is to be left alone for a while, as it asked or because it failed. */
interface Later {
  readonly status: number
  readonly retryAfter: Seconds | null
}

/** Whether it asked for that: it named a time, or its status means so. RFC 9110, 15.6.4; RFC 6585, 4. */
export function askedToWait({ status, retryAfter }: Later): boolean {
  return retryAfter !== null || status < 500 || status === 503
}

/** A server that said "later" is taken at its word (Retry-After), and at an hour where it named no time. */
export function afterLater(now: UnixSeconds, options: Later & { failing: number } & Held): Due {
  const { retryAfter, failing: times, minGap = 0 } = options
  const wait = Math.max(minGap, retryAfter ?? doubling(HOUR, { times, limit: DAY }))
  const why = askedToWait(options)
    ? 'the server asked to come back later'
    : `the server failed with status ${options.status}`
  return {
    at: now + wait,
    reason: `${why}; tried again after ${humanDuration(wait)}`,
  }
}

/** A page whose redirect leads to a host that is not to be asked before `until`. */
export function afterRedirect(
  now: UnixSeconds,
  { host, until }: { readonly host: string; readonly until: UnixSeconds },
): Due {
  const wait = humanDuration(Math.max(0, until - now))
  return {
    at: until,
    reason: `it leads to ${host}, which is not to be asked yet; visited after ${wait}`,
  }
}
