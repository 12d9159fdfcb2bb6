import type { Inbox } from '../../model/inbox.js'
import type {
  ChosenRequest,
  HostHold,
  HostQuery,
  HostRecord,
  LeaseRef,
  LeaseRequest,
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
import type { DayCount, FileStore, Retention } from '../../model/store.js'
import type { Json, UnixSeconds } from '../../model/units.js'
import type {
  VisitLogQuery,
  VisitQuery,
  VisitRange,
  VisitReport,
} from '../../model/visit-record.js'
import type { ChoreHold, WorkerSign } from '../../model/worker.js'
import { type PackedReports, reportPacker, unpackReports, writtenHost } from '../report-rows.js'
import { checkRetention, defaultRetention } from '../rules.js'
import { WriteBuffer } from '../write-buffer.js'
import { setBack, timesAhead } from './clock-repair.js'
import { backupStore } from './file/backup.js'
import type { Database } from './file/database.js'
import { type OpenOptions, openDatabase } from './file/open-database.js'
import { Frontier, NextDue } from './frontier.js'
import { checkStore, Health } from './health.js'
import { HostLists, Hosts, Names } from './hosts.js'
import { SqliteInbox } from './inbox.js'
import {
  type HoldRequest,
  HostLeases,
  LeasedCounts,
  type LeasedRows,
  Leases,
  leasesOf,
} from './leases.js'
import { SqliteOutbox } from './outbox.js'
import { PageLists } from './page-lists.js'
import { PageChanges, Pages } from './pages.js'
import { Crawls } from './queues/crawls.js'
import { SqliteQueues } from './queues/queues.js'
import { QueueStates } from './queues/states.js'
import { Recorder } from './recorder.js'
import { Settings } from './settings.js'
import { readyVisits, Snapshots, storedContent } from './snapshots.js'
import { VisitLog, Visits } from './visits.js'
import { type ChoreRequest, Chores, Workers } from './workers.js'

export interface SqliteStoreOptions extends OpenOptions {
  /** Which versions of a page's content are kept; see `defaultRetention`. */
  readonly retention?: Retention
}

/**
 * A store in one SQLite file (and its log beside it), for one machine and any
 * number of processes. WAL with full sync: a visit is acknowledged only once
 * it is on the disk.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const retention = options.retention ?? defaultRetention
  checkRetention(retention)
  return new SqliteStore(openDatabase(options), retention)
}

export class SqliteStore implements FileStore {
  readonly path: string
  readonly outbox: Outbox
  readonly inbox: Inbox
  readonly queues: SqliteQueues
  readonly #db: Database
  readonly #collections: Names
  readonly #crawls: Crawls
  readonly #queueStates: QueueStates
  readonly #pages: Pages
  readonly #changes: PageChanges
  readonly #lists: PageLists
  readonly #leases: Leases
  readonly #nextDue: NextDue
  readonly #visits: Visits
  readonly #log: VisitLog
  readonly #snapshots: Snapshots
  readonly #recorder: Recorder
  readonly #buffer = new WriteBuffer(reportPacker, (reports) => this.recordPacked(reports))
  readonly #hosts: Hosts
  readonly #holds: HostLeases
  readonly #hostLists: HostLists
  readonly #settings: Settings
  readonly #workers: Workers
  readonly #chores: Chores
  readonly #health: Health

  constructor(db: Database, retention: Retention) {
    this.path = db.path
    this.#db = db
    const collections = new Names(db, 'collections')
    const hosts = new Names(db, 'hosts')
    const crawls = new Crawls({ db, collections })
    const states = new QueueStates({ db, crawls })
    const frontier = new Frontier({ db, queues: states })
    const visits = new Visits(db)
    const snapshots = new Snapshots(db)
    this.#collections = collections
    this.#crawls = crawls
    this.#queueStates = states
    this.#visits = visits
    this.#log = new VisitLog(db)
    this.#hostLists = new HostLists(db)
    this.#snapshots = snapshots
    const pages = new Pages({ db, collections, hosts, crawls, frontier })
    this.#pages = pages
    const inbox = new SqliteInbox({ db, collections })
    this.inbox = inbox
    const changes = new PageChanges({ db, frontier, visits, snapshots, inbox })
    this.#changes = changes
    this.#lists = new PageLists({ db, collections, hosts, pages })
    const counts = new LeasedCounts(db)
    this.#hosts = new Hosts({ db, hosts, frontier })
    const leases = new Leases({ db, collections, counts, crawls, pages, hosts: this.#hosts })
    this.#leases = leases
    this.#holds = new HostLeases({ db, names: hosts, hosts: this.#hosts, leases })
    this.#nextDue = new NextDue(db)
    this.#settings = new Settings({ db, collections })
    this.#workers = new Workers(db)
    this.#chores = new Chores(db)
    this.#health = new Health(db)
    this.outbox = new SqliteOutbox({ db, collections })
    const kept = { frontier, leases, visits, snapshots, log: this.#log, hosts: this.#hosts }
    this.#recorder = new Recorder({ db, counts, retention, ...kept })
    const record = (reports: readonly VisitReport[]) => this.recordVisits(reports)
    const queued = { collections, hosts, counts, crawls, frontier, leases, pages, changes, states }
    this.queues = new SqliteQueues({ db, record, ...queued })
  }

  /** One machine, one clock. */
  async now() {
    return null
  }

  async addPages(request: { collection: string; pages: readonly NewPage[]; now: UnixSeconds }) {
    return this.#db.write(() => this.#pages.add(request))
  }

  async changePage(page: PageRef, change: PageChange) {
    return this.#db.write(() => {
      const id = this.#pages.locate(page)
      if (id === undefined) return null
      this.#changes.change(id, change)
      return this.#pages.byNumber(id)
    })
  }

  async changePages(changes: readonly ChangedPage[]) {
    return this.#db.write(() => {
      const found = changes.map(({ page, change }) => {
        const id = this.#pages.locate(page)
        if (id !== undefined) this.#changes.change(id, change)
        return id
      })
      return found.filter((id) => id !== undefined).length
    })
  }

  async removePages(pages: readonly PageRef[]) {
    return this.#db.write(() => {
      const ids = new Set(pages.flatMap((page) => this.#pages.locate(page) ?? []))
      for (const id of ids) this.#changes.remove(id)
      return ids.size
    })
  }

  async getPage(page: PageRef) {
    return this.#db.read(() => this.#pages.get(page))
  }

  async listPages(query: PageQuery) {
    return this.#db.read(() => this.#lists.list(query))
  }

  async countPages(filter: PageFilter) {
    return this.#db.read(() => this.#lists.count(filter))
  }

  async collections() {
    return this.#db.read(() => this.#collections.all())
  }

  async leaseDue(request: LeaseRequest) {
    const collectionOf = () => request.collection
    return leasesOf(await this.leaseRows(request), { ...request, collectionOf })
  }

  /** The same as rows, for the way to another thread. */
  async leaseRows(request: LeaseRequest): Promise<LeasedRows> {
    return this.#db.writeLightly(() => this.#leases.due(request), { beside: true })
  }

  async leasePages(request: ChosenRequest) {
    return this.#db.writeLightly(() => this.#leases.chosen(request))
  }

  async extendLeases(leases: readonly LeaseRef[], { until }: { until: UnixSeconds }) {
    return this.#db.writeLightly(() => leases.map((lease) => this.#leases.extend(lease, until)))
  }

  async releaseLeases(leases: readonly LeaseRef[]) {
    return this.#db.writeLightly(() => leases.filter((lease) => this.#leases.release(lease)).length)
  }

  async leasingWorkers() {
    return this.#leases.workers()
  }

  async releaseWorker(worker: string) {
    return this.#db.writeLightly(() => {
      this.#chores.releaseWorker(worker)
      this.#workers.remove(worker)
      return this.#leases.releaseWorker(worker)
    })
  }

  async noteWorker(sign: WorkerSign) {
    this.#db.writeLightly(() => this.#workers.note(sign), { beside: true })
  }

  async workers({ now }: { now: UnixSeconds }) {
    return this.#db.readOne(() => this.#workers.all(now))
  }

  async holdChore(request: ChoreRequest) {
    if (this.#db.readOne(() => this.#chores.isTaken(request))) return false
    return this.#db.writeLightly(() => this.#chores.hold(request), { beside: true })
  }

  async releaseChore(chore: Pick<ChoreHold, 'name' | 'worker'>) {
    return this.#db.writeLightly(() => this.#chores.release(chore), { beside: true })
  }

  async chores() {
    return this.#db.readOne(() => this.#chores.all())
  }

  async nextDue(request: NextDueRequest) {
    return this.#db.read(() => {
      const collection = this.#collections.find(request.collection)
      if (collection === undefined || this.#crawls.is(collection)) return null
      return this.#nextDue.after({ ...request, collection })
    })
  }

  async recordVisits(reports: readonly VisitReport[]) {
    return this.#buffer.add(reports)
  }

  /** Commits reports that a buffer has gathered, here or on another thread. */
  async recordPacked(reports: PackedReports) {
    const { visits, hosts } = unpackReports(reports)
    const ready = await readyVisits(visits, { db: this.#db, snapshots: this.#snapshots })
    return this.#db.writeBeside(() => this.#recorder.record({ visits: ready, hosts }))
  }

  async isReported({ page, token }: LeaseRef) {
    return this.#db.readOne(() => this.#pages.lastToken(page.id) === token)
  }

  async visitsOf(page: PageRef, range?: VisitRange) {
    return this.#db.read(() => {
      const id = this.#pages.locate(page)
      return id === undefined ? [] : this.#visits.of(id, range)
    })
  }

  async listVisits(query: VisitQuery) {
    return this.#db.read(() =>
      this.#visits.list(query, this.#collections.find(query.collection) ?? 0),
    )
  }

  async visitLog(query: VisitLogQuery) {
    return this.#db.read(() => this.#log.list(query, this.#collections.find(query.collection) ?? 0))
  }

  async lastVisitNumber() {
    return this.#db.read(() => this.#log.last())
  }

  async versionsOf(page: PageRef) {
    return this.#db.read(() => {
      const id = this.#pages.locate(page)
      return id === undefined ? [] : this.#snapshots.of(id)
    })
  }

  async snapshot(digest: string) {
    const packed = this.#db.read(() => this.#snapshots.body(digest))
    return packed === undefined ? null : storedContent(packed, this.path)
  }

  async retain(retention: Retention) {
    checkRetention(retention)
    this.#recorder.retention = retention
  }

  async prune(request: { collection: string; now: UnixSeconds; retention: Retention }) {
    checkRetention(request.retention)
    return this.#db.write(() => {
      const collection = this.#collections.find(request.collection)
      return collection === undefined ? 0 : this.#snapshots.pruneAll(collection, request)
    })
  }

  async listHosts(query: HostQuery) {
    return this.#db.read(() =>
      this.#hostLists.list(query, this.#collections.find(query.collection) ?? 0),
    )
  }

  async getHost(host: string) {
    return this.#db.readOne(() => this.#hosts.get(host))
  }

  async putHosts(hosts: readonly HostRecord[]) {
    return this.#db.writeBeside(() => hosts.map((host) => this.#hosts.put(writtenHost(host))))
  }

  async holdHost(request: HoldRequest) {
    if (this.#db.readOne(() => this.#holds.isTaken(request))) return null
    return this.#db.writeLightly(() => this.#holds.take(request), { beside: true })
  }

  async releaseHost(hold: Pick<HostHold, 'host' | 'token'>, record?: HostRecord) {
    return this.#db.writeBeside(() => this.#holds.release(hold, record))
  }

  async getSetting(collection: string, name: string) {
    return this.#db.read(() => this.#settings.get(collection, name))
  }

  async putSetting(collection: string, name: string, value: Json) {
    this.#db.writeBeside(() => this.#settings.put(collection, { name, value }))
  }

  async swapSetting(
    collection: string,
    name: string,
    change: { from: Json | undefined; to: Json },
  ) {
    return this.#db.writeBeside(() => this.#settings.swap(collection, { name, ...change }))
  }

  async addToDay(collection: string, name: string, more: DayCount) {
    return this.#db.writeBeside(() => this.#settings.addToDay(collection, { name, more }))
  }

  async settings(collection: string) {
    return this.#db.read(() => this.#settings.all(collection))
  }

  async health({ collection, now }: { collection: string; now: UnixSeconds }) {
    return this.#db.read(() => this.#health.of(this.#collections.find(collection) ?? 0, now))
  }

  async totals() {
    return this.#db.read(() => this.#health.totals())
  }

  async check() {
    return checkStore(this.#db)
  }

  async timesAhead(now: UnixSeconds) {
    return this.#db.read(() => timesAhead(this.#db, now))
  }

  async setBack(now: UnixSeconds) {
    return this.#db.write(() => {
      const back = setBack(this.#db, now)
      this.#queueStates.setBack(now)
      return back
    })
  }

  async backup(to: string) {
    return backupStore(this.path, to)
  }

  /** Reports on their way are written first. Throws where the file is gone, and they with it. */
  async close() {
    await this.#buffer.ended()
    if (this.#db.close()) this.#db.checkPlace()
  }
}
