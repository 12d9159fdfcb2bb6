import type { Inbox } from '../../model/inbox.js'
import type {
  ChosenRequest,
  HostHold,
  HostQuery,
  HostRecord,
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
import type { ChoreHold, WorkerSign } from '../../model/worker.js'
import { writtenHost } from '../report-rows.js'
import { checkRetention, defaultRetention } from '../rules.js'
import { WriteBuffer } from '../write-buffer.js'
import { nextDue, Touched } from './frontier.js'
import { checkStore, healthOf, totalsOf } from './health.js'
import { Collections, Hosts, listHosts } from './hosts.js'
import { PostgresInbox } from './inbox.js'
import { hostKey, type Key } from './keys.js'
import { type HoldRequest, Leases } from './leases.js'
import { PostgresOutbox } from './outbox.js'
import { PageLists } from './page-lists.js'
import { PageChanges, Pages } from './pages.js'
import { PostgresQueues } from './queues/queues.js'
import { Recorder, ReportList } from './recorder.js'
import type { Database } from './server/database.js'
import { type OpenOptions, openDatabase } from './server/open-database.js'
import { Settings } from './settings.js'
import { snapshots } from './snapshots.js'
import { listVisits, VisitLog, visitsOf } from './visits.js'
import { type ChoreRequest, chores, workers } from './workers.js'

export interface PostgresStoreOptions extends OpenOptions {
  /** Which versions of a page's content are kept; see `defaultRetention`. */
  readonly retention?: Retention
}

/**
 * A store on PostgreSQL, for any number of machines. A visit is acknowledged
 * only once the server has it on its disk; a connection that is cut costs time
 * and nothing else.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const retention = options.retention ?? defaultRetention
  checkRetention(retention)
  return new PostgresStore(await openDatabase(options), retention)
}

/** Hosts that nobody else has. */
const none: ReadonlySet<Key> = new Set()

class PostgresStore implements Store {
  readonly outbox: Outbox
  readonly inbox: Inbox
  readonly queues: Queues
  readonly #db: Database
  readonly #collections: Collections
  readonly #hosts = new Hosts()
  readonly #pages: Pages
  readonly #changes: PageChanges
  readonly #lists: PageLists
  readonly #leases: Leases
  readonly #log: VisitLog
  readonly #settings: Settings
  readonly #recorder: Recorder
  readonly #buffer = new WriteBuffer(
    () => new ReportList(),
    (reports) => this.#recorder.record(reports),
  )

  constructor(db: Database, retention: Retention) {
    this.#db = db
    const hosts = this.#hosts
    const collections = new Collections(db)
    const pages = new Pages({ db, hosts, collections })
    const leases = new Leases({ db, pages, hosts, collections })
    this.#collections = collections
    this.#pages = pages
    const changes = new PageChanges({ db, hosts, pages })
    this.#changes = changes
    this.#lists = new PageLists({ db, collections, pages })
    this.#leases = leases
    this.#log = new VisitLog(db)
    this.#settings = new Settings({ db, collections })
    this.#recorder = new Recorder({ db, hosts, leases, retention })
    this.inbox = new PostgresInbox({ db, collections })
    this.outbox = new PostgresOutbox({ db, collections })
    const record = (reports: readonly VisitReport[]) => this.recordVisits(reports)
    this.queues = new PostgresQueues({ db, hosts, pages, collections, changes, record })
  }

  async now() {
    return this.#db.now()
  }

  async addPages(request: { collection: string; pages: readonly NewPage[]; now: UnixSeconds }) {
    return this.#pages.add(request)
  }

  async changePage(page: PageRef, change: PageChange) {
    return this.#changes.change(page, change)
  }

  async changePages(changes: readonly ChangedPage[]) {
    return this.#changes.changeAll(changes)
  }

  async removePages(pages: readonly PageRef[]) {
    return this.#changes.remove(pages)
  }

  async getPage(page: PageRef) {
    return this.#pages.get(page)
  }

  async listPages(query: PageQuery) {
    return this.#lists.list(query)
  }

  async countPages(filter: PageFilter) {
    return this.#lists.count(filter)
  }

  async collections() {
    return this.#collections.all()
  }

  async leaseDue(request: LeaseRequest) {
    return this.#leases.due(request)
  }

  async leasePages(request: ChosenRequest) {
    return this.#leases.chosen(request)
  }

  async extendLeases(leases: readonly LeaseRef[], { until }: { until: UnixSeconds }) {
    return this.#leases.extend(leases, until)
  }

  async releaseLeases(leases: readonly LeaseRef[]) {
    return this.#leases.release(leases)
  }

  async leasingWorkers() {
    return this.#leases.workers()
  }

  async releaseWorker(worker: string) {
    return this.#db.writeLightly(async (session) => {
      const pages = await this.#leases.releaseWorker(session, worker)
      await chores.releaseWorker(session, worker)
      await workers.remove(session, worker)
      return pages
    })
  }

  async noteWorker(sign: WorkerSign) {
    await workers.note(this.#db, sign)
  }

  async workers({ now }: { now: UnixSeconds }) {
    return workers.all(this.#db, now)
  }

  async holdChore(request: ChoreRequest) {
    return chores.hold(this.#db, request)
  }

  async releaseChore(chore: Pick<ChoreHold, 'name' | 'worker'>) {
    return chores.release(this.#db, chore)
  }

  async chores() {
    return chores.all(this.#db)
  }

  async nextDue(request: NextDueRequest) {
    const collection = await this.#collections.find(request.collection)
    if (collection === 0 || (await this.#collections.isCrawl(collection))) return null
    return this.#db.read((session) => nextDue(session, { ...request, collection }))
  }

  async recordVisits(reports: readonly VisitReport[]) {
    return this.#buffer.add(reports)
  }

  async isReported({ page, token }: LeaseRef) {
    return (await this.#pages.lastToken(page.id)) === token
  }

  async visitsOf(page: PageRef, range?: VisitRange) {
    const key = await this.#pages.locate(page)
    return key === undefined ? [] : visitsOf(this.#db, key, range)
  }

  async listVisits(query: VisitQuery) {
    return listVisits(this.#db, query, await this.#collections.find(query.collection))
  }

  async visitLog(query: VisitLogQuery) {
    return this.#log.list(query, await this.#collections.find(query.collection))
  }

  async lastVisitNumber() {
    return this.#log.last()
  }

  async versionsOf(page: PageRef) {
    const key = await this.#pages.locate(page)
    return key === undefined ? [] : snapshots.of(this.#db, key)
  }

  async snapshot(digest: string) {
    return snapshots.body(this.#db, digest)
  }

  async retain(retention: Retention) {
    checkRetention(retention)
    this.#recorder.retention = retention
  }

  async prune(request: { collection: string; now: UnixSeconds; retention: Retention }) {
    checkRetention(request.retention)
    const collection = await this.#collections.find(request.collection)
    return snapshots.pruneAll({ db: this.#db, hosts: this.#hosts }, collection, request)
  }

  async listHosts(query: HostQuery) {
    return listHosts(this.#db, query, await this.#collections.find(query.collection))
  }

  async getHost(host: string) {
    return this.#db.read((session) => this.#hosts.get(session, host))
  }

  async putHosts(records: readonly HostRecord[], holder?: Pick<LeaseTerms, 'worker' | 'now'>) {
    if (records.length === 0) return []
    return this.#db.write(async (session) => {
      const names = records.map(({ host }) => host)
      const hosts = await this.#hosts.ensured(session, names)
      const taken =
        holder === undefined ? none : await this.#leases.heldByOthers(session, hosts, holder)
      const ours = records.filter(({ host }) => !taken.has(hostKey(host)))
      const written = await this.#hosts.put(session, ours.map(writtenHost), hosts)
      const touched = new Touched()
      for (const { host } of ours) touched.add(hostKey(host))
      await touched.settle(session)
      return records.map((record) => written[ours.indexOf(record)] === true)
    })
  }

  async holdHost(request: HoldRequest) {
    return this.#leases.hold(request)
  }

  async releaseHost(hold: Pick<HostHold, 'host' | 'token'>, record?: HostRecord) {
    return this.#leases.giveBack(hold, record)
  }

  async getSetting(collection: string, name: string) {
    return this.#settings.get({ collection, name })
  }

  async putSetting(collection: string, name: string, value: Json) {
    await this.#settings.put({ collection, name }, value)
  }

  async swapSetting(
    collection: string,
    name: string,
    change: { from: Json | undefined; to: Json },
  ) {
    return this.#settings.swap({ collection, name }, change)
  }

  async addToDay(collection: string, name: string, more: DayCount) {
    return this.#settings.addToDay({ collection, name }, more)
  }

  async settings(collection: string) {
    return this.#settings.all(collection)
  }

  async health({ collection, now }: { collection: string; now: UnixSeconds }) {
    return healthOf(this.#db, { collection: await this.#collections.find(collection), now })
  }

  async totals() {
    return totalsOf(this.#db)
  }

  async check() {
    return checkStore(this.#db)
  }

  /** Reports on their way are written first. */
  async close() {
    await this.#buffer.ended()
    await this.#db.close()
  }
}
