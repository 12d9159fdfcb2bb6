import { OptionError } from '../model/errors.js'
import { succeeded } from '../model/history.js'
import type { PageRecord } from '../model/page.js'
import type { DayCount, Retention } from '../model/store.js'
import { DAY, type Json, type UnixSeconds } from '../model/units.js'
import type { VisitRecord } from '../model/visit-record.js'

/** What a store counts for itself, so that no caller can get it wrong. */
export type Counted = Pick<
  PageRecord,
  'lastVisit' | 'lastSeen' | 'lastChange' | 'visits' | 'changes' | 'failing' | 'gone'
>

/** What is needed of it to count one more. */
export type CountedBefore = Omit<Counted, 'lastVisit'>

/** A page's counts after one more visit. */
export function afterVisit(
  before: CountedBefore,
  visit: Pick<VisitRecord, 'at' | 'outcome' | 'status'>,
): Counted {
  const { at, outcome, status } = visit
  const seen = succeeded(outcome)
  const changed = outcome === 'changed'
  return {
    lastVisit: { at, outcome, status },
    lastSeen: seen ? at : before.lastSeen,
    lastChange: changed ? at : before.lastChange,
    visits: before.visits + 1,
    changes: before.changes + (changed ? 1 : 0),
    failing: seen || outcome === 'gone' ? 0 : before.failing + 1,
    gone: seen ? 0 : before.gone + (outcome === 'gone' ? 1 : 0),
  }
}

/**
 * A stored count with more requests of some process. A clock that was set back
 * does not reopen a day, and what is given back of an earlier day is no longer
 * asked for.
 */
export function daySum(kept: Json | undefined, more: DayCount): DayCount {
  const { day, requests } = (kept ?? { day: 0, requests: 0 }) as unknown as DayCount
  if (more.day > day) return { day: more.day, requests: Math.max(0, more.requests) }
  const added = more.day === day ? more.requests : Math.max(0, more.requests)
  return { day, requests: Math.max(0, requests + added) }
}

/**
 * Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): numbers in
 * a row fall evenly over 32 bits, whatever the share and however pages were
 * added. Small enough that SQLite's whole numbers hold the product.
 */
export const hashFactor = 1_640_531_527
const range = 2 ** 32

/** What a page's hash is below where the page is in the sample. */
export function hashLimit(share: number): number {
  return Math.ceil(Math.min(1, Math.max(0, share)) * range)
}

/** Whether a page is in a sample of such a share. */
export function isInShare(number: number, share: number): boolean {
  return Math.imul(number, hashFactor) >>> 0 < hashLimit(share)
}

/** Enough to look back on; a busy page does not fill the disk. */
export const defaultRetention: Retention = { newest: 10, youngerThan: 30 * DAY }

/** Those of a page's versions, given newest first, that a rule no longer keeps. */
export function prunedVersions<V extends { readonly at: UnixSeconds }>(
  newestFirst: readonly V[],
  { retention, now }: { readonly retention: Retention; readonly now: UnixSeconds },
): readonly V[] {
  const kept = Math.max(1, retention.newest)
  return newestFirst.slice(kept).filter(({ at }) => now - at >= retention.youngerThan)
}

/** Refuses a rule that means nothing. */
export function checkRetention({ newest, youngerThan }: Retention): void {
  if (newest >= 0 && youngerThan >= 0) return
  throw new OptionError(
    'bad-retention',
    `retention takes a number of versions and a time, neither below 0; got newest ${newest}, youngerThan ${youngerThan}`,
  )
}
