import { InputError, OptionError } from '../model/errors.js'
import type { Lease } from '../model/lease.js'
import type { PageRecord } from '../model/page.js'
import {
  defaultQueueDelay,
  type GiveRequest,
  longestKey,
  type QueueAddress,
  type QueuedPage,
  type QueueRules,
  type ReportedItem,
} from '../model/queue.js'
import type { Seconds, UnixSeconds } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'

/** What decides when a queue may give. */
export interface QueueState {
  /** Null for the default of all. */
  readonly delay: Seconds | null
  readonly blocked: UnixSeconds | null
  readonly given: UnixSeconds | null
  readonly ended: UnixSeconds | null
  /** The earliest due time of its addresses that are not in flight; null where there is none. */
  readonly due: UnixSeconds | null
}

/** From when on a queue may give; null while it has nothing to give. */
export function readyAt(queue: QueueState, defaultDelay: Seconds): UnixSeconds | null {
  const { delay, blocked, given, ended, due } = queue
  if (due === null) return null
  const rested = Math.max(given ?? -Infinity, ended ?? -Infinity) + (delay ?? defaultDelay)
  return Math.max(due, blocked ?? -Infinity, rested)
}

/** Settings of the frontier as a whole lie with no collection. */
export const noCollection = 0
export const delaySetting = 'queue-delay'
export const activeSetting = 'queues-active'

/** A stored delay; the default where none is. */
export function delayIn(value: string | undefined): Seconds {
  return value === undefined ? defaultQueueDelay : (JSON.parse(value) as number)
}

/**
 * A claim is no lease: its token stands for the page's newest visit, below
 * zero, and fits while that is the newest.
 */
export function claimToken(newestVisit: number | null): number {
  return -1 - (newestVisit ?? 0)
}

/** What only a lease has. */
export const noLease = { worker: '', expiresAt: 0 } as const satisfies Partial<Lease>

export function isClaim(token: number): boolean {
  return token < 0
}

/** The newest visit of the page when it was claimed; 0 for none. */
export function claimedVisit(token: number): number {
  return -1 - token
}

/** An address with its page; without metadata it has none. */
export function queuedPage(page: PageRecord): QueuedPage {
  const { collection, host: key, url, metadata = {} } = page
  return { collection, key, url, metadata, page }
}

/** Reports of queues as those of any visit. */
export function queueReports(items: readonly ReportedItem[], now: UnixSeconds): VisitReport[] {
  return items.map(({ report, metadata }) => ({ ...report, metadata, reportedAt: now }))
}

export function checkItems(items: readonly QueueAddress[]): void {
  for (const { collection, key, url } of items) {
    const isKept = key.length > 0 && key.length <= longestKey && url.length > 0
    // A character of number 0 is none that PostgreSQL keeps, and addresses go back to the byte.
    if (isKept && ![collection, key, url].some((text) => text.includes('\0'))) continue
    throw new InputError(
      'bad-item',
      `an item has an address and a key of 1 to ${longestKey} characters, none of number 0; got key ${JSON.stringify(key.slice(0, 40))}, address ${JSON.stringify(url.slice(0, 80))}`,
    )
  }
}

export function checkDates(dates: readonly (UnixSeconds | 'never')[]): void {
  const bad = dates.find((date) => date !== 'never' && !Number.isFinite(date))
  if (bad === undefined) return
  throw new OptionError('bad-due', `a due time is a finite time or 'never'; got ${bad}`)
}

export function checkGive({ maxQueues, perQueue, ttl, now }: GiveRequest): void {
  const whole = Number.isInteger(maxQueues) && Number.isInteger(perQueue)
  if (whole && maxQueues >= 1 && perQueue >= 1 && Number.isFinite(now) && now + ttl > now) return
  throw new OptionError(
    'bad-lease',
    `queues and addresses a queue are whole numbers from 1 up, a lease ends after a finite time; got ${maxQueues}, ${perQueue}, ttl ${ttl}, now ${now}`,
  )
}

export function checkRules({ delay, blockedUntil, limit = 0 }: QueueRules): void {
  const isDelay = delay === undefined || delay === null || (delay >= 0 && delay < Infinity)
  const isBlock = Number.isFinite(blockedUntil ?? 0)
  if (isDelay && isBlock && Number.isInteger(limit) && limit >= 0) return
  throw new OptionError(
    'bad-rules',
    `a queue's delay is a time from 0 up, its block ends at a finite time, its limit is a whole number from 0 up; got ${delay}, ${blockedUntil}, ${limit}`,
  )
}

export function notACrawl(collection: string): OptionError {
  return new OptionError(
    'not-a-crawl',
    `the collection "${collection}" has pages that Revisit visits by itself; name another crawl for the frontier`,
  )
}

export function isACrawl(collection: string): OptionError {
  return new OptionError(
    'is-a-crawl',
    `the collection "${collection}" is a crawl of the frontier: its addresses come from the clients of \`revisit frontier\`; name another collection`,
  )
}
