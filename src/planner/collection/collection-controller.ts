import type { PageRecord } from '../../model/page.js'
import type { RandomSource, Seconds, UnixSeconds } from '../../model/units.js'
import type { AllowedHours } from '../../policies/allowed-hours.js'
import type { GapLimits } from '../../policies/limits.js'
import type { Ledger } from '../budget/budget-controller.js'
import { guaranteeWarning } from '../budget/guarantees.js'
import { type PlanSample, planSample } from '../budget/plan-sample.js'
import { ListValues, listsSetting } from '../evidence/list-value.js'
import type { AutoPrior } from '../prior/prior.js'
import type { Planner } from '../step.js'
import type { Objective } from '../value/objective.js'
import { type Budget, type BudgetParts, CollectionBudget, PriceController } from './budget.js'
import { type ExpectedVisits, expectedVisits } from './expected-visits.js'
import { AutoPlanners } from './planners.js'
import { PagePlans } from './replan.js'
import { CollectionScan, PriorController } from './scan.js'

/** What one process at a time does for all that share a store. */
export interface Exclusive {
  /** Does it unless another process is at it; whether it was done here. */
  attempt(work: () => Promise<void>): Promise<boolean>
  /** Does it once no other process is at it, or leaves it at the signal. */
  whenFree(work: () => Promise<void>, signal?: AbortSignal): Promise<void>
}

/** For a store that nobody else is at work on. */
const alone: Exclusive = {
  async attempt(work) {
    await work()
    return true
  },
  whenFree: (work) => work(),
}

/** What a controller works with, and what of a collection is for others to say. */
export interface ControllerParts extends BudgetParts {
  /** Names this process to the store. */
  readonly worker: string
  readonly random: RandomSource
  /** What a page is visited for; freshness by default. */
  readonly objectiveFor?: (page: PageRecord) => Objective
  readonly limitsFor?: (page: PageRecord) => GapLimits
  /** The longest gap that a person guaranteed a page of its own; null where nobody did. */
  readonly guaranteedGap?: (page: PageRecord) => Seconds | null
  /** The hours in which a page may be visited. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
  /** The planner of a page with a policy of its own; null for those that follow the default. */
  readonly ownPlanner?: (page: PageRecord) => Planner | null
  /** Whether publishers' hints move the visits of a page that follows the default; of none by default. */
  readonly followsHints?: (page: PageRecord) => boolean
  /** What is set for all pages, policy, objectives, limits and hours, as text: where it changes, visits are planned anew. */
  readonly terms?: () => string
  /** Reads what else others stored that own planners and terms follow. */
  readonly reload?: () => Promise<void>
  /** Awaited between slices of work, so that visits go on. */
  readonly pause: () => Promise<void>
  /** Scans and learning are done by one process at a time; by this one alone by default. */
  readonly exclusive?: Exclusive
  /** How long pages are held while their visits are planned anew. */
  readonly planTime?: Seconds
}

/** Where the store keeps what all pages were last planned by. */
const termsSetting = 'plan-terms'

/**
 * What is set for all pages of a collection, policy, limits and hours, as text:
 * where it is another than at the last run, what is planned is out of date.
 * Does the work then, and keeps the new terms. Where none were kept yet, by
 * what it was planned is not known, and it stays.
 */
export async function settleTerms(
  {
    store,
    collection,
    terms,
  }: Pick<ControllerParts, 'store' | 'collection'> & { readonly terms: string | undefined },
  /** Whether it came to its end. */
  work: () => Promise<boolean>,
): Promise<void> {
  const kept = await store.getSetting(collection, termsSetting)
  if (terms === undefined || kept === terms) return
  if (kept !== undefined && !(await work())) return
  // Where another process has kept others meanwhile, theirs are what was last planned by.
  await store.swapSetting(collection, termsSetting, { from: kept, to: terms })
}

interface Kept {
  readonly budget: CollectionBudget
  readonly price: PriceController
  readonly prior: PriorController
  readonly knownPrior: AutoPrior | null
  readonly lists: ListValues
}

/** Pages that a price is worked out on before it is set. */
const expectedFrom = 300

/**
 * Controls a collection that follows the default: sets the price of a
 * request by the budget, learns the prior from the collection's own visits,
 * and takes over pages that another policy followed. What it finds is stored
 * with the collection and survives restarts. All work is done in slices, by one
 * process at a time; the others read what it found (`reload`).
 */
export class CollectionController {
  readonly planners: AutoPlanners
  readonly #parts: ControllerParts
  readonly #pagePlans: PagePlans
  readonly #budget: CollectionBudget
  readonly #price: PriceController
  readonly #prior: PriorController
  readonly #scan: CollectionScan
  readonly #exclusive: Exclusive
  /** Scans come one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  static async open(parts: ControllerParts): Promise<CollectionController> {
    const budget = new CollectionBudget(parts)
    const price = new PriceController(parts, budget)
    const prior = new PriorController(parts)
    await budget.read()
    await price.read()
    const lists = ListValues.from(await parts.store.getSetting(parts.collection, listsSetting))
    const knownPrior = (await prior.newer()) ?? null
    const controller = new CollectionController(parts, { budget, price, prior, knownPrior, lists })
    await controller.#scan.read()
    return controller
  }

  private constructor(parts: ControllerParts, { budget, price, prior, knownPrior, lists }: Kept) {
    const { store, collection } = parts
    this.#parts = parts
    this.#budget = budget
    this.#price = price
    this.#prior = prior
    this.#exclusive = parts.exclusive ?? alone
    this.planners = new AutoPlanners({
      ...parts,
      prior: knownPrior,
      price: (objective) => this.priceFor(objective),
      lists,
    })
    this.#pagePlans = new PagePlans({ ...parts, plannerFor: (page) => this.plannerFor(page) })
    const { planners } = this
    const pagePlans = this.#pagePlans
    const follows = (page: PageRecord) => this.follows(page)
    this.#scan = new CollectionScan({
      store,
      collection,
      planners,
      pagePlans,
      price,
      prior,
      follows,
    })
  }

  /** What a request costs now, in seconds of freshness. */
  get price(): number {
    return this.priceFor('freshness')
  }

  /** What a request costs now pages with an objective, in its unit. */
  priceFor(objective: Objective): number {
    return this.#price.priceFor(objective)
  }

  /** How fresh copies should be, by the last scan. */
  get predicted(): number | null {
    return this.#scan.predicted
  }

  get ledger(): Ledger | null {
    return this.#price.ledger
  }

  /** The budget in force: the one set while the collection ran, else the configured one. */
  get budget(): Budget {
    return this.#budget.inForce
  }

  get configuredBudget(): Budget {
    return this.#budget.configured
  }

  /** Requests a day that are never exceeded; null where no limit is set. */
  get mostPerDay(): number | null {
    return this.#budget.mostPerDay
  }

  /**
   * Takes another budget for the collection from now on, also after a restart;
   * null goes back to the configured one. `settle` then sets price and due times.
   */
  changeBudget(requestsPerDay: number | null): Promise<void> {
    return this.#budget.change(requestsPerDay)
  }

  /** The price by the budget as it is now, what was owed forgiven, and all next visits by that price. */
  settle({ now, signal }: { now: UnixSeconds; signal?: AbortSignal }): Promise<void> {
    const anew = async () => {
      await this.reload()
      await this.#scan.take({ now, signal, anew: true })
      if (!signal?.aborted) await this.#pagePlans.replan(this.#scan.followers(signal), { now })
    }
    return this.#afterOthers(() => this.#exclusive.whenFree(anew, signal))
  }

  /** An even sample of the pages, for a plan of the budget. */
  sample({ now, size }: { readonly now: UnixSeconds; readonly size: number }): Promise<PlanSample> {
    const { store, collection, pause, ownPlanner = () => null } = this.#parts
    return planSample({ store, collection, planners: this.planners, ownPlanner, now, size, pause })
  }

  /** What to say where guarantees to single pages ask for more than the budget leaves them; null where they do not. */
  async guaranteeWarning(about: {
    readonly now: UnixSeconds
    readonly shown: (url: string) => string
  }): Promise<string | null> {
    const { now, shown } = about
    await this.#budget.read()
    const { promises, of } = await this.sample({ now, size: 1 })
    const { inForce, mostPerDay: most } = this.#budget
    const requestsPerDay = inForce === null ? null : this.#budget.requestsFor(of)
    return guaranteeWarning(promises, { requestsPerDay, most, shown })
  }

  /** When pages that were just added are visited first and again, and why; null where no visit is planned. */
  async expected(
    pages: readonly PageRecord[],
    { now }: { readonly now: UnixSeconds },
  ): Promise<ExpectedVisits | null> {
    const { ownPlanner = () => null, hoursFor = () => null } = this.#parts
    await this.#budget.read()
    const sampled = () => this.sample({ now, size: expectedFrom })
    const price = await this.#price.expected(now, this.#scan.last, sampled)
    const planners = this.planners.at(price)
    const plannerFor = (page: PageRecord) => ownPlanner(page) ?? planners.plannerFor(page)
    return expectedVisits(pages, {
      plannerFor,
      hoursFor,
      follows: (page) => this.follows(page),
      now,
    })
  }

  /** The planner of any page: its own policy's, or the default's. */
  plannerFor(page: PageRecord): Planner {
    return this.#parts.ownPlanner?.(page) ?? this.planners.plannerFor(page)
  }

  /** Whether a page follows the default, and not a policy of its own. */
  follows(page: PageRecord): boolean {
    return (this.#parts.ownPlanner?.(page) ?? null) === null
  }

  /** What other processes found since: budget, price, prior and the value of lists. */
  async reload(): Promise<void> {
    const { store, collection, reload } = this.#parts
    await this.#budget.read()
    await this.#price.read()
    await reload?.()
    const prior = await this.#prior.newer()
    if (prior) this.planners.use(prior)
    if (await this.#scan.read())
      this.planners.lists = ListValues.from(await store.getSetting(collection, listsSetting))
  }

  /**
   * Before any visit is planned: a first price where there is none, and all
   * next visits anew where policy, objectives, limits or hours are others than
   * they were. What another process is at is left to it (`keepUp` asks again).
   */
  async begin(now: UnixSeconds): Promise<void> {
    await this.firstPrice(now)
    await this.#afterOthers(async () => {
      await this.#exclusive.attempt(() => this.#settleTerms({ now }))
    })
  }

  /** Before a visit is planned by it: a price where there is none yet. Waits for another process that works it out. */
  async firstPrice(now: UnixSeconds): Promise<void> {
    const isMissing = () => this.ledger === null && this.#price.isDue(now, this.#scan.last)
    if (!(await isMissing())) return
    const first = async () => {
      await this.reload()
      if (await isMissing()) await this.#scan.take({ now, signal: undefined })
    }
    await this.#afterOthers(() => this.#exclusive.whenFree(first))
  }

  /** Whatever is due of scanning, learning and planning anew, unless another process is at it. */
  async keepUp(about: { now: UnixSeconds; signal?: AbortSignal }): Promise<void> {
    const { now, signal } = about
    if (!(await this.isDue(now)) && !(await this.#areTermsMoved())) return
    const work = async () => {
      await this.reload()
      await this.#settleTerms(about)
      if (!signal?.aborted && (await this.isDue(now))) await this.#scan.take({ now, signal })
    }
    await this.#afterOthers(async () => {
      await this.#exclusive.attempt(work)
    })
  }

  #settleTerms({ now, signal }: { now: UnixSeconds; signal?: AbortSignal }): Promise<void> {
    const { store, collection, terms } = this.#parts
    return settleTerms({ store, collection, terms: terms?.() }, async () => {
      // Another objective may need a price that no scan has found yet.
      await this.#scan.take({ now, signal })
      await this.#pagePlans.replan(this.#pagePlans.pages(signal), { now, apart: 0.02 })
      return signal?.aborted !== true
    })
  }

  async #areTermsMoved(): Promise<boolean> {
    const { store, collection, terms } = this.#parts
    if (terms === undefined) return false
    return (await store.getSetting(collection, termsSetting)) !== terms()
  }

  /** The next visit of a page by its settings as they are now. */
  planAnew(page: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    return this.#pagePlans.planAnew(page, now)
  }

  /** A page without what has been learned of it. */
  forget(page: PageRecord): Promise<PageRecord> {
    return this.#pagePlans.forget(page)
  }

  /** Whether it is time to refresh: never scanned, a day has passed, or the budget or the pages changed. */
  async isDue(now: UnixSeconds): Promise<boolean> {
    await this.#budget.read()
    return this.#price.isDue(now, this.#scan.last)
  }

  /** One scan of all pages: states of others rebuilt, the prior learned if it is time, the price set. */
  refresh(about: { now: UnixSeconds; signal?: AbortSignal }): Promise<void> {
    const scan = async () => {
      await this.reload()
      await this.#scan.take({ ...about, signal: about.signal })
    }
    return this.#afterOthers(() => this.#exclusive.whenFree(scan, about.signal))
  }

  /** One work of this process after the other. */
  #afterOthers(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}
