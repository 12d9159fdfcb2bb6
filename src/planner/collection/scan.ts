import { historyOf } from '../../model/history.js'
import type { PageRecord } from '../../model/page.js'
import { isList } from '../../model/page.js'
import type { Posterior } from '../../model/policy.js'
import { changeSetting, type Store } from '../../model/store.js'
import { pageHintsFrom } from '../../model/stored-hints.js'
import type { Json, UnixSeconds } from '../../model/units.js'
import { ListValues, listsSetting } from '../evidence/list-value.js'
import { defaultChangeLaw } from '../prior/default-prior.js'
import { type AutoPrior, parseAutoPrior } from '../prior/prior.js'
import { fewestVisits, newestVisits, PriorLearner } from '../prior/prior-learner.js'
import { withPauses } from '../sliced.js'
import type { Objective } from '../value/objective.js'
import type { LastScan, PriceController } from './budget.js'
import { type AutoPlanners, groupOf } from './planners.js'
import type { PagePlans } from './replan.js'
import { CollectionStatistics, isOutOfReach, isTimeToLearn, sampleStride } from './statistics.js'

/** Lists whose next visits are planned anew. */
const mostLists = 5_000
/** Pages in the sample of an objective that few have. */
const fewest = 30

/** What one scan of all pages gathers; bounded, whatever their number. */
class ScanResult {
  readonly statistics = new CollectionStatistics()
  /** An even sample of the pages that follow the default. */
  readonly sample: PageRecord[] = []
  /** Sitemaps and feeds whose hints are followed, and the value of polling each. */
  readonly lists: PageRecord[] = []
  readonly values = new ListValues()
  readonly pages: number
  readonly #stride: number
  readonly #met = new Map<Objective, number>()

  constructor({ pages }: { readonly pages: number }) {
    this.pages = pages
    this.#stride = sampleStride(pages)
  }

  /** A page whose hints are followed. */
  addHinted(
    page: PageRecord,
    { posterior, price }: { readonly posterior: Posterior; readonly price: number },
  ): void {
    const { importance, settings, hints } = page
    if (isList(settings) && this.lists.length < mostLists) this.lists.push(page)
    if (hints !== null) this.values.add(pageHintsFrom(hints), { posterior, price, importance })
  }

  /** Each objective has its own price: where few pages have one, they are still in the sample. */
  take(page: PageRecord, objective: Objective = 'freshness'): void {
    const met = this.#met.get(objective) ?? 0
    this.#met.set(objective, met + 1)
    const rare = objective !== 'freshness' && met < fewest
    if (rare || met % this.#stride === 0) this.sample.push(page)
  }
}

/** Where the store keeps the prior, how many comparisons it was learned from, and how often it was written. */
export const priorSetting = 'auto-prior'
const comparisonsSetting = 'auto-comparisons'
const priorNumberSetting = 'auto-prior-number'
/** Where it keeps when all pages were last scanned, and what was found. */
const scanSetting = 'auto-scan'

/** The last scan of a collection, whichever process made it; null before there was any. */
export async function lastScan(store: Store, collection: string): Promise<LastScan | null> {
  const kept = await store.getSetting(collection, scanSetting)
  return (kept as unknown as LastScan | undefined) ?? null
}

/** Keeps a prior: every process on the store takes it within seconds. */
export async function keepPrior(
  { store, collection }: { readonly store: Store; readonly collection: string },
  { prior, comparisons }: { readonly prior: AutoPrior; readonly comparisons: number },
): Promise<void> {
  await store.putSetting(collection, priorSetting, prior as unknown as Json)
  await store.putSetting(collection, comparisonsSetting, comparisons)
  // Last: whoever finds the number grown finds the prior that belongs to it.
  await changeSetting(
    store,
    { collection, name: priorNumberSetting },
    (before) => (Number(before ?? 0) || 0) + 1,
  )
}

interface PriorParts {
  readonly store: Store
  readonly collection: string
  /** Awaited between slices of work, so that visits go on. */
  readonly pause: () => Promise<void>
}

/** Learns the prior of a collection from its own visits, and keeps it in the store. */
export class PriorController {
  readonly #parts: PriorParts
  /** Comparisons that the prior was learned from. */
  #learnedFrom = 0
  /** Of the prior that was read last. */
  #number = -1

  constructor(parts: PriorParts) {
    this.#parts = parts
  }

  /** The prior that is stored, null where there is none; undefined where it is the one that was read last. */
  async newer(): Promise<AutoPrior | null | undefined> {
    const { store, collection } = this.#parts
    const number = await this.#kept(priorNumberSetting)
    if (number === this.#number) return undefined
    this.#learnedFrom = await this.#kept(comparisonsSetting)
    const prior = storedPrior(await store.getSetting(collection, priorSetting))
    this.#number = number
    return prior
  }

  async #kept(name: string): Promise<number> {
    const { store, collection } = this.#parts
    return Number((await store.getSetting(collection, name)) ?? 0) || 0
  }

  isTime({ statistics }: ScanResult): boolean {
    return isTimeToLearn(statistics.comparisons, this.#learnedFrom)
  }

  /** Laws from the memories of all followers, hours and beginnings from the histories of some. */
  async learn(
    scan: ScanResult,
    { planners, followers }: { planners: AutoPlanners; followers: AsyncIterable<PageRecord> },
  ): Promise<void> {
    const { store, collection, pause } = this.#parts
    const learner = new PriorLearner<PageRecord>({
      pages: scan.pages,
      learnerFor: (group) => planners.learnerFor({ group, host: group }),
    })
    for await (const page of followers) {
      const memory = planners.memoryOf(page)
      if (memory !== null && planners.comparisonsOf(page) > 0)
        learner.add(groupOf(page), { page, memory })
    }
    await this.#addHistories(learner)
    if (learner.pages === 0) return
    const { comparisons } = scan.statistics
    const how = `learned by EM from ${learner.pages} pages of collection "${collection}", ${comparisons} comparisons`
    const prior = await withPauses(
      learner.learn({ how, base: defaultChangeLaw, shipped: true }),
      pause,
    )
    await keepPrior({ store, collection }, { prior, comparisons })
    await this.newer()
    planners.use(prior)
  }

  async #addHistories(learner: PriorLearner<PageRecord>): Promise<void> {
    const { store, pause } = this.#parts
    for (const { group, page } of learner.wanted()) {
      if (page.visits < fewestVisits) continue
      const history = historyOf(await store.visitsOf(page, { newest: newestVisits }))
      const fromFirst = page.visits <= newestVisits
      if (history !== null) learner.addHistory(group, history, { fromFirst })
      await pause()
    }
  }
}

/** A prior that cannot be read is none: it is learned anew. */
export function storedPrior(stored: Json | undefined): AutoPrior | null {
  if (stored === undefined) return null
  try {
    return parseAutoPrior(JSON.stringify(stored))
  } catch {
    return null
  }
}

interface Parts {
  readonly store: Store
  readonly collection: string
  readonly planners: AutoPlanners
  readonly pagePlans: PagePlans
  readonly price: PriceController
  readonly prior: PriorController
  /** Whether a page follows the default, and not a policy of its own. */
  readonly follows: (page: PageRecord) => boolean
}

/** What a scan is made for. */
interface ScanTerms {
  readonly now: UnixSeconds
  readonly signal: AbortSignal | undefined
  /** Whether what was owed is forgiven. */
  readonly anew?: boolean
}

/** Reads all pages of a collection: takes over, learns the prior if it is time, sets the price. */
export class CollectionScan {
  readonly #parts: Parts
  /** The last one of all processes; null before there was any. */
  last: LastScan | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** How fresh copies should be, by the last scan. */
  get predicted(): number | null {
    return this.last?.predicted ?? null
  }

  /** What the last scan found, whichever process made it; whether it is another than the one known. */
  async read(): Promise<boolean> {
    const { store, collection } = this.#parts
    const before = this.last
    this.last = await lastScan(store, collection)
    return this.last?.at !== before?.at
  }

  async take({ now, signal, anew = false }: ScanTerms): Promise<void> {
    const { store, collection, planners, pagePlans, price, prior } = this.#parts
    const scan = new ScanResult({ pages: await store.countPages({ collection }) })
    for await (const page of pagePlans.pages(signal)) await this.#meet(page, { scan, now })
    if (signal?.aborted) return
    if (prior.isTime(scan)) {
      await prior.learn(scan, { planners, followers: this.followers() })
      await pagePlans.replan(this.followers(signal), { now })
    }
    const { freshness: predicted } = scan.statistics
    const sample = scan.sample.map((page) => planners.planPage(page, now))
    const { began } = price.ledger ?? {}
    await price.setPrice(scan, { now, anew, sample })
    // Visits planned before the first price, or by that of another budget or far fewer pages, may be days off.
    if (!anew && price.ledger?.began !== began)
      await pagePlans.replan(this.followers(signal), { now })
    await this.#refreshLists(scan, now)
    const requestsPerDay = price.requestsFor(scan.pages)
    this.last = { at: now, pages: scan.pages, requestsPerDay, predicted }
    await store.putSetting(collection, scanSetting, this.last as unknown as Json)
  }

  /** Pages that follow the default. */
  async *followers(signal?: AbortSignal): AsyncGenerator<PageRecord> {
    const { pagePlans, follows } = this.#parts
    for await (const page of pagePlans.pages(signal)) if (follows(page)) yield page
  }

  /** Takes one page into account. */
  async #meet(
    met: PageRecord,
    { scan, now }: { scan: ScanResult; now: UnixSeconds },
  ): Promise<void> {
    const { pagePlans, planners, price, follows } = this.#parts
    const page = pagePlans.isForeign(met) ? await pagePlans.takeOver(met, now) : met
    const own = !follows(page)
    const comparisons = own ? Math.max(0, page.visits - 1) : planners.comparisonsOf(page)
    scan.statistics.add({ page, comparisons, own, guaranteed: planners.guaranteedGap(page), now })
    if (own) return
    const posterior = planners.posteriorAt(page)
    if (planners.followsHints(page))
      scan.addHinted(page, { posterior, price: price.priceFor('freshness') })
    const { clock, staleRatio: record = 1 } = planners.learnerFor(page).law
    const hinted = {
      listed: planners.listedBy(page),
      changeSignal: planners.changeSignalOf(page, now),
    }
    // Visits that a list calls for find more changes than are predicted without it: no record of the prediction.
    const staleRatio = planners.hintsOf(page).reported.length === 0 ? record : 1
    const importance = planners.copyValue(page)
    scan.statistics.predict({ page, posterior, clock, staleRatio, importance, ...hinted })
    if (!isOutOfReach(page)) scan.take(page, planners.objectiveOf(page))
  }

  /** The value of lists by this scan, and their next visits by it. */
  async #refreshLists(scan: ScanResult, now: UnixSeconds): Promise<void> {
    const { store, collection, planners, pagePlans } = this.#parts
    if (scan.lists.length === 0) return
    planners.lists = scan.values
    await store.putSetting(collection, listsSetting, scan.values.json)
    await pagePlans.replan(scan.lists, { now })
  }
}
