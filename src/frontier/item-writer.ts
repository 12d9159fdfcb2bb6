import type { Crawler } from '../crawler/open-crawler.js'
import { EnvironmentError, InputError, OptionError } from '../model/errors.js'
import type { Lease } from '../model/lease.js'
import { LruMap } from '../model/lru-map.js'
import type { Due } from '../model/policy.js'
import type { QueueRules, ReportedItem } from '../model/queue.js'
import type { Store } from '../model/store.js'
import type { Clock, Seconds } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'
import { reasonByHand } from '../planner/collection/replan.js'
import type { MadeVisit } from '../visit/deferred.js'
import type { Crawls } from './crawls.js'
import { type DiscoveredItem, identityOf, type KnownItem, type PutItem } from './items.js'
import type { FrontierLog } from './log.js'
import type { FrontierMetrics } from './metrics.js'
import { crawlDelayIn, type ItemVisit, type Missing, visitIn } from './visit-metadata.js'
import { type AckStatus, ackStatus } from './wire.js'

type Status = AckStatus | null

/** Whose date counts: the client's, or ours where the client says enough of its visits. */
export const schedules = ['auto', 'client'] as const
export type Schedule = (typeof schedules)[number]

export interface WriterParts {
  readonly store: Store
  readonly clock: Clock
  readonly crawls: Crawls
  readonly schedule: Schedule
  readonly metrics: FrontierMetrics
  readonly log: FrontierLog
  /** The longest Retry-After and the longest Crawl-delay that are honoured. */
  readonly longestRetryAfter: Seconds
  readonly longestDelay: Seconds
}

interface ReportedVisit {
  readonly item: KnownItem
  readonly visit: ItemVisit
}

/** Visits judged before others have their turn. */
const slice = 64
/** A visit at the time of the last one is the same, sent again: times are kept to the millisecond. */
const sameTime: Seconds = 0.002
/** Delays of queues that need not be written again. */
const delaysRemembered = 10_000

const never: Due = {
  at: 'never',
  reason: reasonByHand('the crawler asked not to be given it again (date 0)'),
}

/** Stores items of clients: many of them in one commit. */
export class ItemWriter {
  readonly #parts: WriterParts
  readonly #delays = new LruMap<Seconds>({ most: delaysRemembered })

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  /**
   * The status of each item; null for one to be tried again: another process
   * reported on its page meanwhile, or plans it anew just now. One that cannot
   * be stored does not keep the others from it.
   */
  async commit(items: readonly PutItem[]): Promise<readonly Status[]> {
    try {
      return await this.#commit(items)
    } catch (error) {
      const { log } = this.#parts
      const { message } = error as Error
      if (error instanceof EnvironmentError) {
        log.warn(`${items.length} items are not stored, and answered with FAIL: ${message}`)
        return items.map(() => ackStatus.fail)
      }
      if (items.length === 1) {
        const [item] = items
        log.warnOnce(`an item of crawl "${item!.collection}" cannot be stored: ${message}`)
        // What is wrong with the item is wrong the next time, too.
        const isWrong = error instanceof InputError || error instanceof OptionError
        return [isWrong ? ackStatus.skipped : ackStatus.fail]
      }
      const half = items.length >> 1
      const first = await this.commit(items.slice(0, half))
      return [...first, ...(await this.commit(items.slice(half)))]
    }
  }

  async #commit(items: readonly PutItem[]): Promise<readonly Status[]> {
    const discovered: DiscoveredItem[] = []
    const dated: KnownItem[] = []
    const visits: ReportedVisit[] = []
    for (const item of items)
      if (item.kind === 'discovered') discovered.push(item)
      else {
        const visit = this.#visitOf(item)
        if (visit === null) dated.push(item)
        else visits.push({ item, visit })
      }
    const statuses = new Map<PutItem, Status>()
    await Promise.all([
      this.#discover(discovered, statuses),
      this.#putDated(dated, statuses),
      this.#report(visits, statuses),
    ])
    return items.map((item) => statuses.get(item)!)
  }

  /** Null where the client's date counts. */
  #visitOf(item: KnownItem): ItemVisit | null {
    const { schedule, clock, metrics, log, longestRetryAfter } = this.#parts
    if (schedule === 'client') return null
    const visit = visitIn(item, { now: clock.now(), longestRetryAfter })
    if (!('missing' in visit)) return visit
    metrics.byDate(visit.missing)
    log.warnOnce(missingText(visit.missing))
    return null
  }

  async #discover(items: readonly DiscoveredItem[], statuses: Map<PutItem, Status>) {
    if (items.length === 0) return
    const { store, clock } = this.#parts
    const added = await store.queues.discover(items, clock.now())
    for (const [at, item] of items.entries())
      statuses.set(item, added[at] === true ? ackStatus.ok : ackStatus.skipped)
  }

  async #putDated(items: readonly KnownItem[], statuses: Map<PutItem, Status>) {
    if (items.length === 0) return
    const { store, clock } = this.#parts
    const dated = items.map(({ collection, key, url, metadata, date }) => {
      const { at, reason } = date === 0 ? never : { at: date, reason: byDate }
      return { collection, key, url, metadata, due: at, reason }
    })
    await store.queues.putDated(dated, clock.now())
    for (const item of items) statuses.set(item, ackStatus.ok)
  }

  /** Visits as a fetcher's reports are recorded. */
  async #report(visits: readonly ReportedVisit[], statuses: Map<PutItem, Status>) {
    if (visits.length === 0) return
    for (const { item } of visits) statuses.set(item, ackStatus.ok)
    for (const { item } of await this.#reported(visits)) statuses.set(item, null)
    await this.#applyRests(visits)
  }

  /** Those whose page was lost to another meanwhile. */
  async #reported(visits: readonly ReportedVisit[]): Promise<readonly ReportedVisit[]> {
    const { store, clock, metrics } = this.#parts
    const items = visits.map(({ item }) => item)
    const claims = await this.#claimed(items)
    const judged = await this.#judged(visits, claims)
    const reports: ReportedItem[] = []
    const of: ReportedVisit[] = []
    const lost = visits.filter((_, at) => claims[at] === null)
    for (const [at, report] of judged.entries())
      if (report !== null) {
        reports.push({ report, metadata: visits[at]!.item.metadata })
        of.push(visits[at]!)
      }
    const fates = reports.length === 0 ? [] : await store.queues.report(reports, clock.now())
    for (const [at, fate] of fates.entries())
      if (fate === 'lease-lost') lost.push(of[at]!)
      else metrics.visited(reports[at]!.report.visit.outcome)
    return lost
  }

  /** Pages of items for a report on each, added where they are not there; null for one that was removed just now. */
  async #claimed(items: readonly KnownItem[]): Promise<readonly (Lease | null)[]> {
    const { store, clock } = this.#parts
    const found = await store.queues.claim(items)
    const missing = items.filter((_, at) => found[at] === null)
    if (missing.length === 0) return found
    await store.queues.discover(missing, clock.now())
    const added = await store.queues.claim(missing)
    let next = 0
    return found.map((claim) => claim ?? added[next++]!)
  }

  /** What follows from visits, by the code that judges a fetcher's report; null for one that is recorded already, or without a page. */
  async #judged(
    visits: readonly ReportedVisit[],
    claims: readonly (Lease | null)[],
  ): Promise<(VisitReport | null)[]> {
    const sessions = new Map<string, Crawler['session']>()
    for (const { item } of visits)
      if (!sessions.has(item.collection))
        sessions.set(item.collection, (await this.#parts.crawls.of(item.collection)).session)
    const judged: (VisitReport | null)[] = []
    for (const [at, { item, visit }] of visits.entries()) {
      const claim = claims[at]!
      const session = sessions.get(item.collection)!
      const report = claim === null ? null : judgedVisit(session, { visit, claim })
      const made = report instanceof Promise ? await report : report
      judged.push(made !== null && item.date === 0 ? { ...made, due: never } : made)
      // Others have their turn: a batch takes tens of milliseconds.
      if (at % slice === slice - 1) await new Promise((resolve) => setImmediate(resolve))
    }
    return judged
  }

  /** What servers asked for: Retry-After closes a queue, a Crawl-delay is its delay. */
  async #applyRests(visits: readonly ReportedVisit[]): Promise<void> {
    const { store, longestDelay } = this.#parts
    const rests = new Map<string, { readonly item: KnownItem; readonly rules: QueueRules }>()
    for (const { item, visit } of visits) {
      const { answer } = visit
      const wait = answer !== 'forbidden' && answer.kind === 'later' ? answer.retryAfter : null
      const asked = crawlDelayIn(item.metadata)
      const delay = asked === undefined ? undefined : Math.min(asked, longestDelay)
      const id = identityOf({ ...item, url: '' })
      const isNew = delay !== undefined && this.#delays.get(id) !== delay
      if (wait === null && !isNew) continue
      const before = rests.get(id)?.rules ?? {}
      const until = wait === null ? null : Math.max(visit.at + wait, before.blockedUntil ?? 0)
      const rules = {
        ...before,
        ...(until === null ? {} : { blockedUntil: until }),
        ...(delay === undefined ? {} : { delay }),
      }
      rests.set(id, { item, rules })
      if (delay !== undefined) this.#delays.set(id, delay)
    }
    for (const { item, rules } of rests.values())
      await store.queues.setRules({ collection: item.collection, key: item.key }, rules)
  }
}

const byDate = reasonByHand('by the date that the crawler sent')

/** Nobody is waited for who has nothing to say. */
function judgedVisit(
  session: Crawler['session'],
  { visit, claim }: { readonly visit: ItemVisit; readonly claim: Lease },
): VisitReport | null | Promise<VisitReport> {
  const last = claim.page.lastVisit?.at ?? -Infinity
  if (Math.abs(visit.at - last) < sameTime) return null
  const at = Math.max(visit.at, last + 0.001)
  const { answer, duration, digest } = visit
  const reported = { answer, at, duration, isWhole: false }
  const client = digest === undefined ? reported : { ...reported, digest }
  const ended =
    answer === 'forbidden'
      ? ({ kind: 'disallowed', until: at, hosts: [] } as const)
      : ({ kind: 'answered', answer: { ...answer, at }, hosts: [] } as const)
  const made = session.finish(session.resume(claim), ended, { client })
  // A visit that was made is never put off.
  const reportOf = ({ report }: MadeVisit) => moved(report!, visit)
  return made instanceof Promise ? made.then(reportOf) : reportOf(made)
}

function moved(report: VisitReport, { movedTo }: ItemVisit): VisitReport {
  if (movedTo === undefined) return report
  const reason = report.due.reason.replace(/^gone/, `it leads to ${movedTo}`)
  return { ...report, movedTo, due: { ...report.due, reason } }
}

function missingText(missing: Missing): string {
  const setting =
    missing === 'signature'
      ? 'add signature to metadata.persist, and MD5SignatureParseFilter to parsefilters.json'
      : 'add fetch.statusCode to metadata.persist'
  return `an item came without ${missing}: it is scheduled by the crawler's own date, and nothing is learned from it. In StormCrawler ${setting}; revisit_frontier_by_client_date_total counts such items`
}
