import type { Lease } from './lease.js'
import type { Metadata, PageRecord } from './page.js'
import type { Seconds, UnixSeconds } from './units.js'
import type { RecordResult, VisitReport } from './visit-record.js'

/**
 * The frontier as clients of the URLFrontier API see it: addresses in queues.
 * A crawl is a collection of the store, a queue's key is a host of it, and an
 * address is a page whose address is kept to the byte. Identity is (crawl,
 * key, address): the same address under two keys is two pages.
 */

/** In whose name the frontier leases addresses: one for all of its nodes, since any of them may take a report. */
export const queueWorker = 'frontier'

/** Between two turns of a queue, where nobody set another. */
export const defaultQueueDelay: Seconds = 1

/** Characters of a queue's key at most. */
export const longestKey = 255

export interface QueueRef {
  readonly collection: string
  readonly key: string
}

export interface QueueAddress extends QueueRef {
  readonly url: string
}

export interface QueueItem extends QueueAddress {
  readonly metadata: Metadata
}

/** An address as it is stored. */
export interface QueuedPage extends QueueItem {
  readonly page: PageRecord
}

/** An address that was given. */
export interface GivenPage extends QueuedPage {
  readonly expiresAt: UnixSeconds
}

/** A known item that is scheduled by the client's date. */
export interface DatedItem extends QueueItem {
  readonly due: UnixSeconds | 'never'
  readonly reason: string
}

/** A known item that is a visit: recorded as a fetcher's report is, with its metadata, in one commit. */
export interface ReportedItem {
  readonly report: VisitReport
  readonly metadata: Metadata
}

/** What holds for a queue; what is left out stays as it was. */
export interface QueueRules {
  /** Null for the default of all queues. */
  readonly delay?: Seconds | null
  readonly blockedUntil?: UnixSeconds | null
  /** Completed addresses (due never) from which on the queue gives no more; 0 for none. */
  readonly limit?: number
}

export interface QueueSummary extends QueueRef {
  readonly addresses: number
  /** Leases that count. */
  readonly inProcess: number
  readonly completed: number
  readonly rules: QueueRules
  readonly lastGiven: UnixSeconds | null
}

/** Sums over queues. */
export interface QueueStats extends Pick<QueueSummary, 'addresses' | 'inProcess' | 'completed'> {
  readonly queues: number
}

/** A crawl, or one queue of it. */
export type QueueScope = Pick<QueueRef, 'collection'> & Partial<Pick<QueueRef, 'key'>>

export interface AddressFilter extends QueueScope {
  /** A part of the address. */
  readonly contains?: string
  /** Of the letters a to z. */
  readonly ignoreCase?: boolean
}

export interface GiveRequest {
  /** Null for any crawl. */
  readonly collection: string | null
  /** Only this queue. */
  readonly key?: string
  readonly maxQueues: number
  /** Addresses of one queue in flight at most. */
  readonly perQueue: number
  readonly ttl: Seconds
  readonly now: UnixSeconds
}

/**
 * Queues of a store. A collection is a crawl from its first item on: only the
 * frontier gives its pages out and adds to them, no crawler visits them. One
 * that Revisit crawls itself is no crawl (`not-a-crawl`).
 */
export interface Queues {
  /** Adds addresses that are not there, due at once; of each whether it was added. One commit. */
  discover(items: readonly QueueItem[], now: UnixSeconds): Promise<readonly boolean[]>
  /** Known items by the client's date: added or replaced, metadata too; their leases end. The last of an address counts. One commit. */
  putDated(items: readonly DatedItem[], now: UnixSeconds): Promise<void>
  /**
   * For a report on each of these addresses, in the place of a lease: its page
   * as it is before, without metadata, and a token that fits until another
   * visit of the page is recorded. Null for one that is not there. Nothing is
   * taken: whoever reports first is recorded.
   */
  claim(addresses: readonly QueueAddress[]): Promise<readonly (Lease | null)[]>
  /**
   * Records visits as `recordVisits` does, replaces the metadata and ends the
   * leases, in one commit that calls nearby may share. `lease-lost`: another
   * visit was recorded since the claim (an earlier one of the same call, too),
   * or the page's plan is being made anew: claim it again.
   */
  report(items: readonly ReportedItem[], now: UnixSeconds): Promise<readonly RecordResult[]>
  /**
   * Leases addresses that are due, queue by queue, the earliest date first. A
   * queue gives nothing while it is blocked, at its limit, within its delay
   * since it last gave or since a lease of it last ended, or with `perQueue`
   * leases that count. Queues take turns: those with fewer leases first, and of
   * these the one that has been ready longest. One transaction under the
   * queue's lock, on the disk before it resolves: of several clients at once
   * one is given an address.
   */
  give(request: GiveRequest): Promise<readonly GivenPage[]>
  find(address: QueueAddress): Promise<QueuedPage | null>
  /** Addresses in a stable order, a stretch at a time: constant memory over a million of them. */
  list(
    query: AddressFilter & { readonly after?: string; readonly limit: number },
  ): Promise<{ readonly pages: readonly QueuedPage[]; readonly next: string | null }>
  count(query: AddressFilter): Promise<number>
  /** Names of all crawls that have queues. */
  crawls(): Promise<readonly string[]>
  /** Queues with addresses, by key; without `inactive` those that have something due now or in process. */
  queues(query: {
    readonly collection: string
    readonly start: number
    readonly limit: number
    readonly inactive: boolean
    readonly now: UnixSeconds
  }): Promise<{ readonly queues: readonly QueueSummary[]; readonly total: number }>
  /** Sums of a queue, a crawl or (nothing named) all crawls. */
  stats(of: Partial<QueueRef> & { readonly now: UnixSeconds }): Promise<QueueStats>
  /** Of one queue, whether it has addresses yet or not. */
  setRules(queue: QueueRef, rules: QueueRules): Promise<void>
  /** The delay of all queues that have none of their own. */
  setDefaultDelay(delay: Seconds): Promise<void>
  /** Removes a queue, or a crawl with all of its queues, in stretches; how many addresses. */
  remove(of: QueueScope): Promise<number>
  /** Removes addresses that were created before a time, in stretches; how many. */
  purge(of: QueueScope & { readonly createdBefore: UnixSeconds }): Promise<number>
  /** Whether the frontier gives addresses at all; kept over restarts. */
  setActive(active: boolean): Promise<void>
  active(): Promise<boolean>
}
