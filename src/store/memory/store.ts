import { EnvironmentError } from '../../model/errors.js'
import type { Inbox } from '../../model/inbox.js'
import type {
  ChosenRequest,
  HostHold,
  HostQuery,
  HostRecord,
  Lease,
  LeaseRef,
  LeaseRequest,
  LeaseTerms,
  NextDueRequest,
} from '../../model/lease.js'
import type { Outbox } from '../../model/outbox.js'
import type {
  ChangedPage,
  NewPage,
  PageChange,
  PageFilter,
  PageQuery,
  PageRef,
} from '../../model/page.js'
import type { Queues } from '../../model/queue.js'
import type { DayCount, Retention, Store } from '../../model/store.js'
import type { Json, UnixSeconds } from '../../model/units.js'
import type {
  VisitLogQuery,
  VisitQuery,
  VisitRange,
  VisitReport,
} from '../../model/visit-record.js'
import { type ChoreHold, forgetWorkersAfter, mayHold, type WorkerSign } from '../../model/worker.js'
import { newRecord } from '../page-row.js'
import {
  checkChange,
  checkChosenRequest,
  checkedPages,
  checkLeaseRequest,
  checkReport,
  checkTerms,
} from '../request-checks.js'
import { checkRetention, daySum, defaultRetention } from '../rules.js'
import { duePages, nextDueTime, withinRoom } from './due-pages.js'
import { MemoryInbox } from './inbox.js'
import {
  filteredPages,
  healthOf,
  listHosts,
  listPages,
  listVisits,
  problemsOf,
  totalsOf,
  visitLog,
  visitsWithin,
} from './lists.js'
import { noQueues } from './no-queues.js'
import { MemoryOutbox } from './outbox.js'
import { pruneVersions, recordVisits } from './recorder.js'
import { type KeptPage, MemoryState } from './state.js'

/**
 * A store that forgets all when the process ends: for tests and for trying
 * things out. It looks at every page for every question, and so shows what a
 * faster store must answer.
 */
export function openMemoryStore({
  retention = defaultRetention,
}: {
  readonly retention?: Retention
} = {}): Store {
  checkRetention(retention)
  return new MemoryStore(retention)
}

class MemoryStore implements Store {
  readonly outbox: Outbox = new MemoryOutbox()
  readonly inbox: Inbox = new MemoryInbox((id) => this.#state.find({ id })?.record)
  readonly queues: Queues = noQueues
  #retention: Retention
  #held: MemoryState | undefined = new MemoryState()

  constructor(retention: Retention) {
    this.#retention = retention
  }

  get #state(): MemoryState {
    if (this.#held !== undefined) return this.#held
    throw new EnvironmentError('store-closed', 'this store has been closed; open a new one')
  }

  async now() {
    return null
  }

  async addPages(request: { collection: string; pages: readonly NewPage[]; now: UnixSeconds }) {
    const { collection, now } = request
    const state = this.#state
    const pages = checkedPages(request.pages)
    const before = state.pages.size
    state.collections.add(collection)
    for (const page of pages)
      if (!state.find({ collection, url: page.url }))
        state.add(structuredClone(newRecord(page, { collection, now })))
    const added = state.pages.size - before
    return { added, already: pages.length - added }
  }

  async changePage(ref: PageRef, change: PageChange) {
    checkChange(change)
    const page = this.#state.find(ref)
    if (page === undefined) return null
    page.record = changed(page, structuredClone(change))
    const lease = this.#state.leases.get(page.number)
    if (change.due !== undefined && lease !== undefined) lease.dueSet = true
    return structuredClone(page.record)
  }

  async changePages(changes: readonly ChangedPage[]) {
    for (const { change } of changes) checkChange(change)
    const pages = await Promise.all(
      changes.map(({ page, change }) => this.changePage(page, change)),
    )
    return pages.filter((page) => page !== null).length
  }

  async removePages(refs: readonly PageRef[]) {
    const state = this.#state
    const pages = new Set(refs.flatMap((ref) => state.find(ref) ?? []))
    for (const page of pages) state.remove(page)
    return pages.size
  }

  async getPage(ref: PageRef) {
    const page = this.#state.find(ref)
    return page === undefined ? null : structuredClone(page.record)
  }

  async listPages(query: PageQuery) {
    return listPages(this.#state, query)
  }

  async countPages(filter: PageFilter) {
    return filteredPages(this.#state, filter).length
  }

  async collections() {
    return [...this.#state.collections].sort()
  }

  async leaseDue(request: LeaseRequest) {
    checkLeaseRequest(request)
    return this.#give(duePages(this.#state, request).slice(0, request.limit), request)
  }

  async leasePages(request: ChosenRequest) {
    const { now, perHost } = request
    checkChosenRequest(request)
    const state = this.#state
    const pages = new Set(request.pages.flatMap((ref) => state.find(ref) ?? []))
    const free = [...pages].filter(
      ({ number }) => !((state.leases.get(number)?.expires ?? now) > now),
    )
    const chosen = perHost === undefined ? free : withinRoom(state, free, { ...request, perHost })
    return this.#give(chosen, request)
  }

  async extendLeases(leases: readonly LeaseRef[], { until }: { until: UnixSeconds }) {
    return leases.map((lease) => {
      const held = this.#holding(lease)
      if (held !== undefined) this.#state.leases.set(held.page.number, { ...held, expires: until })
      return held !== undefined
    })
  }

  async releaseLeases(leases: readonly LeaseRef[]) {
    return leases.filter((lease) => {
      const held = this.#holding(lease)
      return held !== undefined && this.#state.leases.delete(held.page.number)
    }).length
  }

  async leasingWorkers() {
    const { leases, holds } = this.#state
    return [...new Set([...leases.values(), ...holds.values()].map(({ worker }) => worker))]
  }

  async releaseWorker(worker: string) {
    const { leases, holds, chores, workers } = this.#state
    for (const chore of chores.values()) if (chore.worker === worker) chores.delete(chore.name)
    workers.delete(worker)
    const pages = [...leases].filter(([, lease]) => lease.worker === worker)
    const hosts = [...holds].filter(([, hold]) => hold.worker === worker)
    for (const [number] of pages) leases.delete(number)
    for (const [host] of hosts) holds.delete(host)
    return pages.length
  }

  async noteWorker({ now, ...sign }: WorkerSign) {
    const { workers } = this.#state
    const since = workers.get(sign.name)?.since ?? now
    workers.set(sign.name, { ...sign, since, lastSign: now })
    for (const { name, lastSign } of workers.values())
      if (lastSign < now - forgetWorkersAfter) workers.delete(name)
  }

  async workers({ now }: { now: UnixSeconds }) {
    const { workers, leases } = this.#state
    const counting = [...leases.values()].filter(({ expires }) => expires > now)
    return [...workers.values()]
      .sort((a, b) => a.since - b.since || (a.name < b.name ? -1 : 1))
      .map((each) => ({
        ...each,
        leases: counting.filter(({ worker }) => worker === each.name).length,
      }))
  }

  async holdChore(request: LeaseTerms & { readonly name: string }) {
    checkTerms(request)
    const { name, worker, now, ttl } = request
    const { chores } = this.#state
    const held = chores.get(name)
    if (!mayHold(held, request)) return false
    const since = held?.worker === worker ? held.since : now
    chores.set(name, { name, worker, since, expiresAt: now + ttl })
    return true
  }

  async releaseChore({ name, worker }: Pick<ChoreHold, 'name' | 'worker'>) {
    const { chores } = this.#state
    return chores.get(name)?.worker === worker && chores.delete(name)
  }

  async chores() {
    return [...this.#state.chores.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async nextDue(request: NextDueRequest) {
    return nextDueTime(this.#state, request)
  }

  async recordVisits(reports: readonly VisitReport[]) {
    for (const report of reports) checkReport(report)
    return recordVisits(this.#state, reports, this.#retention)
  }

  async isReported({ page, token }: LeaseRef) {
    return this.#state.find({ id: page.id })?.lastToken === token
  }

  async visitsOf(ref: PageRef, range: VisitRange = {}) {
    return visitsWithin(this.#state.find(ref)?.visits ?? [], range)
  }

  async listVisits(query: VisitQuery) {
    return listVisits(this.#state, query)
  }

  async visitLog(query: VisitLogQuery) {
    return visitLog(this.#state, query)
  }

  async lastVisitNumber() {
    return this.#state.lastVisit
  }

  async versionsOf(ref: PageRef) {
    return [...(this.#state.find(ref)?.versions ?? [])]
  }

  async snapshot(digest: string) {
    return this.#state.contents.get(digest)?.slice() ?? null
  }

  async retain(retention: Retention) {
    checkRetention(retention)
    this.#retention = retention
  }

  async prune({
    collection,
    ...rule
  }: {
    collection: string
    now: UnixSeconds
    retention: Retention
  }) {
    checkRetention(rule.retention)
    let gone = 0
    for (const page of filteredPages(this.#state, { collection }))
      gone += pruneVersions(this.#state, page, rule)
    return gone
  }

  async listHosts(query: HostQuery) {
    return listHosts(this.#state, query)
  }

  async getHost(host: string) {
    return this.#state.host(host)
  }

  async putHosts(hosts: readonly HostRecord[]) {
    return hosts.map((record) => this.#state.putHost(record))
  }

  async holdHost(request: LeaseTerms & { readonly host: string }) {
    checkTerms(request)
    const { host, now, ttl, worker } = request
    const state = this.#state
    const others = state.holding(host, now).filter((each) => each.worker !== worker)
    if (others.length > 0 || (state.holds.get(host)?.expires ?? now) > now) return null
    const token = ++state.token
    const expiresAt = now + ttl
    if (!state.hosts.has(host)) state.hosts.set(host, null)
    state.fenceLeft(host, { token, worker, now })
    state.holds.set(host, { token, worker, expires: expiresAt })
    return { host, token, worker, expiresAt, record: state.host(host) }
  }

  async releaseHost({ host, token }: Pick<HostHold, 'host' | 'token'>, record?: HostRecord) {
    const state = this.#state
    if (record !== undefined) state.putHost(record)
    return state.holds.get(host)?.token === token && state.holds.delete(host)
  }

  async getSetting(collection: string, name: string) {
    return (await this.settings(collection))[name]
  }

  async putSetting(collection: string, name: string, value: Json) {
    const state = this.#state
    const settings = state.settings.get(collection) ?? new Map<string, Json>()
    state.collections.add(collection)
    state.settings.set(collection, settings.set(name, structuredClone(value)))
  }

  async swapSetting(
    collection: string,
    name: string,
    { from, to }: { readonly from: Json | undefined; readonly to: Json },
  ) {
    const now = this.#state.settings.get(collection)?.get(name)
    if (JSON.stringify(now) !== JSON.stringify(from)) return false
    await this.putSetting(collection, name, to)
    return true
  }

  async addToDay(collection: string, name: string, more: DayCount) {
    const sum = daySum(this.#state.settings.get(collection)?.get(name), more)
    await this.putSetting(collection, name, sum as unknown as Json)
    return sum
  }

  async settings(collection: string) {
    return structuredClone(Object.fromEntries(this.#state.settings.get(collection) ?? []))
  }

  async health(request: { collection: string; now: UnixSeconds }) {
    return healthOf(this.#state, request)
  }

  async totals() {
    return totalsOf(this.#state)
  }

  async check() {
    return problemsOf(this.#state)
  }

  async close() {
    this.#held = undefined
  }

  #holding({ page, token }: LeaseRef) {
    const held = this.#state.leases.get(Number(page.id))
    return held?.token === token ? held : undefined
  }

  #give(pages: readonly KeptPage[], { now, ttl, worker }: LeaseTerms): Lease[] {
    const state = this.#state
    const firstToken = state.token + 1
    return pages.map((page) => {
      const token = ++state.token
      const { host } = page.record
      state.fenceLeft(host, { token: firstToken, worker, now })
      state.leases.set(page.number, { page, token, worker, expires: now + ttl })
      const expiresAt = now + ttl
      const hostRecord = hostWithoutHints(state.host(host))
      return { page: structuredClone(page.record), host, token, worker, expiresAt, hostRecord }
    })
  }
}

/** A lease brings what politeness needs. */
function hostWithoutHints(record: HostRecord | null): HostRecord | null {
  if (record === null) return null
  const { hints: _, ...rest } = record
  return rest
}

function changed({ record }: KeptPage, { group, ...change }: PageChange): KeptPage['record'] {
  const { group: before, ...rest } = { ...record, ...change }
  const now = group === undefined ? before : group
  return now === null || now === undefined ? rest : { ...rest, group: now }
}
