import type { FetchAnswer, FetchFault } from '../../model/fetcher.js'
import type { HostFence, HostRecord } from '../../model/lease.js'
import type { DayCount } from '../../model/store.js'
import { DAY, type Json, type Seconds, type UnixSeconds } from '../../model/units.js'
import { backoff, type Politeness } from './politeness.js'
import type { RobotsRecord } from './robots-record.js'

/** The day of a time, counted from 1970, by which budgets are kept. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY)
}

export type { DayCount }

export const noRequests: DayCount = { day: 0, requests: 0 }

/** The count with one request more. A clock that was set back does not reopen a day. */
export function counted(count: DayCount, now: UnixSeconds): DayCount {
  const day = Math.max(dayOf(now), count.day)
  return day === count.day ? { day, requests: count.requests + 1 } : { day, requests: 1 }
}

/** Both counts together, of the later day. */
export function bothCounts(one: DayCount, other: DayCount): DayCount {
  if (one.day !== other.day) return one.day > other.day ? one : other
  return { day: one.day, requests: one.requests + other.requests }
}

/** When a budget allows the next request: now, or the next day. */
export function withinBudget(
  count: DayCount,
  { now, budget }: { readonly now: UnixSeconds; readonly budget: number | null },
): UnixSeconds {
  if (budget === null) return now
  const day = Math.max(dayOf(now), count.day)
  const used = day === count.day ? count.requests : 0
  return used < budget ? now : (day + 1) * DAY
}

/**
 * All that politeness needs to know of one host: a plain record, stored with
 * each visit, so that a restart forgets no delay.
 */
export interface HostState {
  readonly host: string
  /** No request before this. */
  readonly nextAllowedAt: UnixSeconds
  /** Failures of the host, not of single pages, in a row. */
  readonly failures: number
  readonly today: DayCount
  /** By origin: http and https of one host may differ. */
  readonly robots: Readonly<Record<string, RobotsRecord>>
  /** Of the lease or hold by which the host is ours; 0 where it is nobody's. */
  readonly token: number
  /** Counts the changes since then. */
  readonly step: number
}

export function newHost(host: string): HostState {
  return {
    host,
    nextAllowedAt: 0,
    failures: 0,
    today: noRequests,
    robots: {},
    token: 0,
    step: 0,
  }
}

/** When the next request to a host may start, by its delay and its budget. */
export function allowedAt(
  state: HostState,
  { now, politeness }: { readonly now: UnixSeconds; readonly politeness: Politeness },
): UnixSeconds {
  const opens = hostOpensAt(state, { now, budget: politeness.hostRequestsPerDay })
  return Math.max(state.nextAllowedAt, opens)
}

/** When a budget of requests a day lets a host be asked: now, or the next day. */
export function hostOpensAt(
  { today }: HostState,
  terms: { readonly now: UnixSeconds; readonly budget: number | null },
): UnixSeconds {
  return withinBudget(today, terms)
}

/** A request starts. Should we die before it ends, the delay counts from here. */
export function requestStarted(
  state: HostState,
  { now, politeness }: { readonly now: UnixSeconds; readonly politeness: Politeness },
): HostState {
  const nextAllowedAt = Math.max(state.nextAllowedAt, now + delayOf(state, politeness))
  const { host, failures, robots, token } = state
  const today = counted(state.today, now)
  return { host, nextAllowedAt, failures, today, robots, token, step: state.step + 1 }
}

/** How a request ended for its host; one that led to another host is `redirected`, one that never went out `not-made`. */
export type RequestEnd = FetchAnswer | 'redirected' | 'not-made'

/** A request ended: the delay counts from here, or what the server asked for (Retry-After), or the backoff. */
export function requestEnded(
  state: HostState,
  {
    end,
    now,
    politeness,
  }: { readonly end: RequestEnd; readonly now: UnixSeconds; readonly politeness: Politeness },
): HostState {
  const failures = failuresAfter(state.failures, end)
  const asked = typeof end !== 'string' && end.kind === 'later' ? (end.retryAfter ?? 0) : 0
  const wait = Math.max(delayOf(state, politeness), asked, backoff(failures, politeness))
  const { host, today, robots, token } = state
  const step = state.step + 1
  return { host, nextAllowedAt: now + wait, failures, today, robots, token, step }
}

/** Our own delay, or the longer one that robots.txt asks for, within reason. */
export function delayOf({ robots }: HostState, { delay, longestDelay }: Politeness): Seconds {
  let asked = 0
  for (const origin in robots) asked = Math.max(asked, robots[origin]!.crawlDelay ?? 0)
  return Math.max(delay, Math.min(longestDelay, asked))
}

/** Faults that a host has as a whole; the others are those of one page, or ours. */
const hostFaults: ReadonlySet<FetchFault> = new Set(['timeout', 'dns', 'connect', 'tls', 'reset'])

/** A request that we called off ourselves tells nothing of the host. */
function failuresAfter(failures: number, end: RequestEnd): number {
  if (typeof end === 'string') return end === 'redirected' ? 0 : failures
  if (end.kind === 'failed' && end.fault === 'aborted') return failures
  const failed = end.kind === 'later' || (end.kind === 'failed' && hostFaults.has(end.fault))
  return failed ? failures + 1 : 0
}

/**
 * A record without times further ahead than anybody may ask for: a clock that
 * was ahead wrote them, and they would close the host for as long.
 */
export function hostInTime(
  state: HostState,
  { now, longest }: { readonly now: UnixSeconds; readonly longest: Seconds },
): HostState {
  const robots = Object.entries(state.robots).filter(([, { until }]) => until <= now + longest)
  const isAhead = state.nextAllowedAt > now + longest
  return {
    ...state,
    nextAllowedAt: isAhead ? now : state.nextAllowedAt,
    today: state.today.day > dayOf(now) + 1 ? noRequests : state.today,
    robots: Object.fromEntries(robots),
  }
}

/** The state of a host that is ours from now on. Field by field: objects of one shape are read faster. */
export function heldBy(state: HostState, { token, step }: HostFence): HostState {
  const { host, nextAllowedAt, failures, today, robots } = state
  return { host, nextAllowedAt, failures, today, robots, token, step }
}

/** What the store remembers of a host; a new one where that is nothing. */
export function hostFrom(host: string, record: HostRecord | null): HostState {
  if (record === null || record.state === null) return newHost(host)
  return { ...(record.state as unknown as HostState), ...(record.fence ?? { token: 0, step: 0 }) }
}

/** A host's state as the store remembers it. */
export function recordOf(state: HostState, now: UnixSeconds): HostRecord {
  const { host, token, step } = state
  const blockedUntil = state.nextAllowedAt > now ? state.nextAllowedAt : null
  const json = state as unknown as Json
  if (token === 0) return { host, state: json, blockedUntil }
  return { host, state: json, blockedUntil, fence: { token, step } }
}
