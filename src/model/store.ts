import type { Inbox } from './inbox.js'
import type {
  ChosenRequest,
  HostHold,
  HostList,
  HostQuery,
  HostRecord,
  Lease,
  LeaseRef,
  LeaseRequest,
  LeaseTerms,
  NextDueRequest,
} from './lease.js'
import type { Outbox } from './outbox.js'
import type {
  ChangedPage,
  NewPage,
  PageChange,
  PageFilter,
  PageList,
  PageQuery,
  PageRecord,
  PageRef,
} from './page.js'
import type { Queues } from './queue.js'
import type { Json, Seconds, UnixSeconds } from './units.js'
import type {
  LoggedVisit,
  RecordResult,
  VisitList,
  VisitLogQuery,
  VisitQuery,
  VisitRange,
  VisitRecord,
  VisitReport,
} from './visit-record.js'
import type { ChoreHold, WorkerSign, WorkerSummary } from './worker.js'

/** One content of a page, and when it was first seen there. */
export interface Version {
  readonly at: UnixSeconds
  /** SHA-256 of the content, in hex: the name of its snapshot. */
  readonly digest: string
  /** Length of the content. */
  readonly bytes: number
  readonly mediaType: string | null
  readonly headers: Readonly<Record<string, string>> | null
}

/**
 * Which versions of a page are kept: the newest ones, and all that are younger
 * than a time; the current one always.
 */
export interface Retention {
  readonly newest: number
  readonly youngerThan: Seconds
}

/** How a collection is doing; quick enough to ask every second. */
export interface StoreHealth {
  readonly pages: number
  readonly hosts: number
  /** Due now, leased ones among them. */
  readonly dueNow: number
  /** Leased and not run out. */
  readonly inFlight: number
  /** The due time longest past or soonest to come; null where none is due ever. */
  readonly oldestDue: UnixSeconds | null
}

/** What is kept in all; counts every row. */
export interface StoreTotals {
  readonly pages: number
  readonly visits: number
  readonly versions: number
  readonly snapshots: number
  /** Length of all distinct contents, and what they take after compression. */
  readonly contentBytes: number
  readonly packedBytes: number
}

/** Requests made on one day: a plain record, so that a budget survives a restart. */
export interface DayCount {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly requests: number
}

/**
 * What is remembered. Each call is one transaction: all of it happens or none.
 * A promise of a write resolves once the write will survive the process being
 * killed, and for visits once it will survive the power going. Times come from
 * the caller, by the clock that `now` names.
 *
 * Pages are kept by collection, host and address, hosts by name, so that
 * another database can be split by them.
 */
export interface Store {
  /**
   * The time by the clock that all processes on the store go by: leases and
   * holds of one are judged by another. Null where the store has none of its
   * own, and the caller's counts: one machine, or a virtual clock.
   */
  now(): Promise<UnixSeconds | null>

  /** Pages already there stay as they are. One bad address refuses them all. */
  addPages(request: {
    readonly collection: string
    readonly pages: readonly NewPage[]
    readonly now: UnixSeconds
  }): Promise<{ readonly added: number; readonly already: number }>
  /** The page as it then is; null where there is none. A due time set while the page is leased outlives the visit. */
  changePage(page: PageRef, change: PageChange): Promise<PageRecord | null>
  /** The same for many pages, each once, in one commit; how many there were. */
  changePages(changes: readonly ChangedPage[]): Promise<number>
  /** Removes pages with their visits and contents; how many there were. */
  removePages(pages: readonly PageRef[]): Promise<number>
  getPage(page: PageRef): Promise<PageRecord | null>
  listPages(query: PageQuery): Promise<PageList>
  countPages(filter: PageFilter): Promise<number>
  collections(): Promise<readonly string[]>

  /**
   * Leases pages that are due, host by host: one page of each host, then a
   * second, up to `perHost`. Hosts come in the order of the time since when
   * they could have been visited (the latest of their first due page, the end
   * of their block and their last visit), pages of a host by due time. A lease
   * that has run out no longer counts.
   *
   * The lease of a page holds its host: while it counts, no other worker is
   * given a page of that host, nor the host itself.
   */
  leaseDue(request: LeaseRequest): Promise<readonly Lease[]>
  /**
   * Leases these pages, due or not, unless a worker holds them. With `perHost`
   * they are to be visited: then only pages of hosts that do not rest are
   * leased, and of one host no more than `leaseDue` would.
   */
  leasePages(request: ChosenRequest): Promise<readonly Lease[]>
  /** Holds leases until `until`; tells of each whether it is still ours. */
  extendLeases(
    leases: readonly LeaseRef[],
    terms: { readonly until: UnixSeconds },
  ): Promise<readonly boolean[]>
  /** Gives pages back unvisited; how many of the leases were still ours. */
  releaseLeases(leases: readonly LeaseRef[]): Promise<number>
  /** The names of all who hold a page or a host, or held one until that ran out. */
  leasingWorkers(): Promise<readonly string[]>
  /** Gives back all that a worker holds, its chores too, and forgets it, such as one that was killed; how many pages. */
  releaseWorker(worker: string): Promise<number>
  /** A sign of life of a worker. Others that gave none for `forgetWorkersAfter` are forgotten. */
  noteWorker(sign: WorkerSign): Promise<void>
  /** Those who gave a sign of life, in the order of when they first did, with the leases that count at `now`. */
  workers(request: { readonly now: UnixSeconds }): Promise<readonly WorkerSummary[]>
  /**
   * Takes or renews a chore for a worker; false while another has it. One
   * holder at a time, over all processes: whoever finds the hold run out takes
   * it over, and of several that do so at once one succeeds.
   */
  holdChore(request: LeaseTerms & { readonly name: string }): Promise<boolean>
  /** Gives a chore back; whether it was still this worker's. */
  releaseChore(chore: Pick<ChoreHold, 'name' | 'worker'>): Promise<boolean>
  /** Those that are held, or were until that ran out, by name. */
  chores(): Promise<readonly ChoreHold[]>
  /** The first time from `now` on at which `leaseDue` has something to give; null if never. */
  nextDue(request: NextDueRequest): Promise<UnixSeconds | null>

  /** Records visits, each whole or not at all, in one commit that calls nearby may share. */
  recordVisits(reports: readonly VisitReport[]): Promise<readonly RecordResult[]>
  /** Whether the last visit of a page was recorded under this lease: then its report came again. */
  isReported(lease: LeaseRef): Promise<boolean>
  /** Visits of a page in order of time. */
  visitsOf(page: PageRef, range?: VisitRange): Promise<readonly VisitRecord[]>
  listVisits(query: VisitQuery): Promise<VisitList>
  /**
   * Visits with their numbers: a reader that remembers the last number it saw
   * misses none. It ends before the first place at which a visit may still
   * appear: where writers commit in another order than they were numbered,
   * the newest visits are given once all before them are there.
   */
  visitLog(query: VisitLogQuery): Promise<readonly LoggedVisit[]>
  /**
   * A number where a reader may begin: no visit with it or a lower one is
   * still to appear. That of the last visit of all collections where nothing
   * is being written; 0 before there is any.
   */
  lastVisitNumber(): Promise<number>

  /** Versions of a page in order of time; the last is the current one. */
  versionsOf(page: PageRef): Promise<readonly Version[]>
  /** The content with this digest; null where it was never kept or has been let go. */
  snapshot(digest: string): Promise<Uint8Array | null>
  /** Versions are kept by another rule from the next visit on that this process records. */
  retain(retention: Retention): Promise<void>
  /** Lets go of versions that a rule no longer keeps; how many. */
  prune(request: {
    readonly collection: string
    readonly now: UnixSeconds
    readonly retention: Retention
  }): Promise<number>

  listHosts(query: HostQuery): Promise<HostList>
  getHost(host: string): Promise<HostRecord | null>
  /** Tells of each record whether it was written; one that is older than the store's is not. */
  putHosts(
    hosts: readonly HostRecord[],
    /**
     * Who takes the hosts for its own. Leases that a crashed server lost are
     * given to others, who know of no lease before theirs: nothing is written
     * where another has the host by now.
     */
    holder?: Pick<LeaseTerms, 'worker' | 'now'>,
  ): Promise<readonly boolean[]>
  /**
   * Holds a host that no lease of ours holds, such as one that a redirect leads
   * to. Null while another worker holds it or a page of it, or anybody holds it so.
   */
  holdHost(request: LeaseTerms & { readonly host: string }): Promise<HostHold | null>
  /** Gives a host back, with its record where that has changed; whether it was still ours. */
  releaseHost(hold: Pick<HostHold, 'host' | 'token'>, record?: HostRecord): Promise<boolean>
  getSetting(collection: string, name: string): Promise<Json | undefined>
  putSetting(collection: string, name: string, value: Json): Promise<void>
  /** Writes a setting only where it is still what it was; whether it was. See `changeSetting`. */
  swapSetting(
    collection: string,
    name: string,
    change: { readonly from: Json | undefined; readonly to: Json },
  ): Promise<boolean>
  settings(collection: string): Promise<Readonly<Record<string, Json>>>
  /** Adds to a setting that counts requests of a day, in one step with reading it; the count after it. */
  addToDay(collection: string, name: string, more: DayCount): Promise<DayCount>

  /** Channels of notifications, and what is to be sent through them. */
  readonly outbox: Outbox
  /** Changes as a person goes through them. */
  readonly inbox: Inbox
  /** Addresses in queues, for clients that fetch by themselves. */
  readonly queues: Queues

  health(request: { readonly collection: string; readonly now: UnixSeconds }): Promise<StoreHealth>
  totals(): Promise<StoreTotals>
  /** What is wrong with the store, in words; empty where all is well. Reads all of it. */
  check(): Promise<readonly string[]>
  close(): Promise<void>
}

/** What was written at a time that is still to come. */
export interface TimesAhead {
  readonly visits: number
  readonly earliest: UnixSeconds
  readonly latest: UnixSeconds
  /** Pages that were added then. */
  readonly added: number
}

/** What was taken back to now. */
export interface SetBack {
  readonly pages: number
  readonly visits: number
  /** Hosts whose records may hold such times, too. */
  readonly hosts: readonly string[]
}

/** A store in a file. */
export interface FileStore extends Store {
  readonly path: string
  /** Copies the store as it is now into a new file, while work goes on; what the copy holds. */
  backup(to: string): Promise<Pick<StoreTotals, 'pages' | 'visits'>>
  /** What a clock that was ahead wrote; null where nothing is later than `now`. */
  timesAhead(now: UnixSeconds): Promise<TimesAhead | null>
  /** Takes back to now what a clock that was ahead wrote; those pages are due and learn anew. */
  setBack(now: UnixSeconds): Promise<SetBack>
}

/** Whether a store lies in a file. */
export function isFileStore(store: Store): store is FileStore {
  return 'path' in store
}

/**
 * Changes a setting that other processes change too: what was read is changed
 * and written only where it is still so, and otherwise read and changed again.
 * Undefined leaves it as it is. What it was before the change that was written.
 */
export async function changeSetting(
  store: Pick<Store, 'getSetting' | 'swapSetting'>,
  { collection, name }: { readonly collection: string; readonly name: string },
  change: (before: Json | undefined) => Json | undefined,
): Promise<Json | undefined> {
  for (;;) {
    const from = await store.getSetting(collection, name)
    const to = change(from)
    if (to === undefined || (await store.swapSetting(collection, name, { from, to }))) return from
  }
}

/** A version with its content; null where there is no such version, or its content is not kept any more. */
export async function keptContent(
  store: Pick<Store, 'snapshot'>,
  version: Version | undefined,
): Promise<{ readonly version: Version; readonly body: Uint8Array } | null> {
  const body = version === undefined ? null : await store.snapshot(version.digest)
  return version === undefined || body === null ? null : { version, body }
}
