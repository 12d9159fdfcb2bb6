import type { PageRecord } from '../../model/page.js'
import type { Store } from '../../model/store.js'
import type { Json, RandomSource, Seconds, UnixSeconds } from '../../model/units.js'
import type { AllowedHours } from '../../policies/allowed-hours.js'
import type { GapLimits } from '../../policies/limits.js'
import type { Ledger } from '../budget/budget-controller.js'
import { type PlanSample, planSample } from '../budget/plan-sample.js'
import { promiseWarning } from '../budget/promises.js'
import { ListWorths, listsSetting } from '../evidence/list-value.js'
import type { AutoPrior } from '../prior/prior.js'
import type { Mind } from '../step.js'
import type { Objective } from '../value/objective.js'
import { type Budget, type BudgetParts, CollectionBudget, PriceKeeper } from './budget.js'
import { type ExpectedVisits, expectedVisits } from './expected-visits.js'
import { AutoMinds } from './planners.js'
import { PageKeeper } from './replan.js'
import { PriorKeeper, WholeLook } from './scan.js'

/** What a steward works with, and what of a collection is for others to say. */
export interface StewardParts extends BudgetParts {
  /** Names this process to the store. */
  readonly worker: string
  readonly random: RandomSource
  /** What a page is visited for; freshness by default. */
  readonly objectiveFor?: (page: PageRecord) => Objective
  readonly limitsFor?: (page: PageRecord) => GapLimits
  /** The longest gap that a person promised a page of its own; null where nobody did. */
  readonly promisedTo?: (page: PageRecord) => Seconds | null
  /** The hours in which a page may be visited. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
  /** The mind of a page with a policy of its own; null for those that follow the default. */
  readonly ownMind?: (page: PageRecord) => Mind | null
  /** Whether publishers' hints move the visits of a page that follows the default; of none unless said. */
  readonly hears?: (page: PageRecord) => boolean
  /** What is said for all pages, policy, objectives, limits and hours, as text: where it changes, visits are planned anew. */
  readonly terms?: string
  /** Awaited between slices of work, so that visits go on. */
  readonly pause: () => Promise<void>
}

/** Where the store keeps what all pages were last planned by. */
const termsSetting = 'plan-terms'

/**
 * What is said for all pages of a collection: policy, limits and hours, as text. Where
 * they are others than at the last run, what is planned is out of date.
 */
export class KeptTerms {
  readonly #store: Store
  readonly #collection: string
  readonly #terms: string | null

  constructor(parts: {
    readonly store: Store
    readonly collection: string
    readonly terms?: string
  }) {
    this.#store = parts.store
    this.#collection = parts.collection
    this.#terms = parts.terms ?? null
  }

  /**
   * Does the work where they are others than they were, and keeps them then.
   * Where none were kept yet, by what it was planned is not known, and it stays.
   */
  async settle(work: () => Promise<void>): Promise<void> {
    const kept = await this.#kept()
    if (this.#terms === null || kept === this.#terms) return
    if (kept !== undefined) await work()
    // Where another process has kept others meanwhile, theirs are what was last planned by.
    await this.#store.swapSetting(this.#collection, termsSetting, { from: kept, to: this.#terms })
  }

  #kept(): Promise<Json | undefined> {
    return this.#store.getSetting(this.#collection, termsSetting)
  }
}

interface Kept {
  readonly budget: CollectionBudget
  readonly price: PriceKeeper
  readonly prior: PriorKeeper
  readonly believed: AutoPrior | null
  readonly lists: ListWorths
}

/** Pages that a price is worked out on before it is set. */
const expectedFrom = 300

/**
 * Looks after a collection that follows the default: sets the price of a
 * request by the budget, learns the prior from the collection's own visits,
 * and takes over pages that another policy followed. What it finds is stored
 * with the collection and survives restarts. All work is done in slices.
 */
export class Steward {
  readonly minds: AutoMinds
  readonly #parts: StewardParts
  readonly #keeper: PageKeeper
  readonly #budget: CollectionBudget
  readonly #price: PriceKeeper
  readonly #look: WholeLook
  readonly #terms: KeptTerms
  /** Looks come one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  static async open(parts: StewardParts): Promise<Steward> {
    const budget = new CollectionBudget(parts)
    const price = new PriceKeeper(parts, budget)
    const prior = new PriorKeeper(parts)
    await budget.read()
    await price.read()
    const lists = ListWorths.from(await parts.store.getSetting(parts.collection, listsSetting))
    return new Steward(parts, { budget, price, prior, believed: await prior.read(), lists })
  }

  private constructor(parts: StewardParts, { budget, price, prior, believed, lists }: Kept) {
    const { limitsFor, promisedTo, objectiveFor, hears, store, collection } = parts
    this.#parts = parts
    this.#budget = budget
    this.#price = price
    this.#terms = new KeptTerms(parts)
    this.minds = new AutoMinds({
      prior: believed,
      price: (objective) => this.priceFor(objective),
      lists,
      ...(hears === undefined ? {} : { hears }),
      ...(limitsFor === undefined ? {} : { limitsFor }),
      ...(promisedTo === undefined ? {} : { promisedTo }),
      ...(objectiveFor === undefined ? {} : { objectiveFor }),
    })
    this.#keeper = new PageKeeper({ ...parts, mindFor: (page) => this.mindFor(page) })
    const { minds } = this
    const keeper = this.#keeper
    const follows = (page: PageRecord) => this.follows(page)
    this.#look = new WholeLook({ store, collection, minds, keeper, price, prior, follows })
  }

  /** What a request costs now, in seconds of freshness. */
  get price(): number {
    return this.priceFor('freshness')
  }

  /** What a request costs now pages with an objective, in its unit. */
  priceFor(objective: Objective): number {
    return this.#price.priceFor(objective)
  }

  /** How fresh copies should be, by the last look. */
  get predicted(): number | null {
    return this.#look.predicted
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
    return this.#afterOthers(async () => {
      await this.#look.take({ now, signal, anew: true })
      if (!signal?.aborted) await this.#keeper.replan(this.#look.followers(signal), { now })
    })
  }

  /** An even sample of the pages, for a plan of the budget. */
  sample({ now, size }: { readonly now: UnixSeconds; readonly size: number }): Promise<PlanSample> {
    const { store, collection, pause, ownMind = () => null } = this.#parts
    return planSample({ store, collection, minds: this.minds, ownMind, now, size, pause })
  }

  /** What to say where promises to single pages ask for more than the budget leaves them; null where they do not. */
  async promiseWarning(about: {
    readonly now: UnixSeconds
    readonly shown: (url: string) => string
  }): Promise<string | null> {
    const { now, shown } = about
    await this.#budget.read()
    const { promises, of } = await this.sample({ now, size: 1 })
    const { inForce, mostPerDay: most } = this.#budget
    const requestsPerDay = inForce === null ? null : this.#budget.requestsFor(of)
    return promiseWarning(promises, { requestsPerDay, most, shown })
  }

  /** When pages that were just added are visited first and again, and why; null where no visit is planned. */
  async expected(
    pages: readonly PageRecord[],
    { now }: { readonly now: UnixSeconds },
  ): Promise<ExpectedVisits | null> {
    const { ownMind = () => null, hoursFor = () => null } = this.#parts
    await this.#budget.read()
    const price = await this.#price.expected(now, () => this.sample({ now, size: expectedFrom }))
    const minds = this.minds.at(price)
    const mindFor = (page: PageRecord) => ownMind(page) ?? minds.mindFor(page)
    return expectedVisits(pages, { mindFor, hoursFor, follows: (page) => this.follows(page), now })
  }

  /** The mind of any page: its own policy's, or the default's. */
  mindFor(page: PageRecord): Mind {
    return this.#parts.ownMind?.(page) ?? this.minds.mindFor(page)
  }

  /** Whether a page follows the default, and not a policy of its own. */
  follows(page: PageRecord): boolean {
    return (this.#parts.ownMind?.(page) ?? null) === null
  }

  /**
   * Before any visit is planned: a first price where there is none, and all
   * next visits anew where policy, objectives, limits or hours are others than they were.
   */
  async begin(now: UnixSeconds): Promise<void> {
    await this.firstPrice(now)
    const anew = async () => {
      // Another objective may need a price that no scan has found yet.
      await this.#look.take({ now, signal: undefined })
      await this.#keeper.replan(this.#keeper.pages(), { now, apart: 0.02 })
    }
    await this.#terms.settle(() => this.#afterOthers(anew))
  }

  /** Before a visit is planned by it: a price where there is none yet. */
  async firstPrice(now: UnixSeconds): Promise<void> {
    if (this.ledger === null) await this.tend({ now })
  }

  /** The next visit of a page by its settings as they are now. */
  planAnew(page: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    return this.#keeper.planAnew(page, now)
  }

  /** A page without what has been learned of it. */
  forget(page: PageRecord): Promise<PageRecord> {
    return this.#keeper.forget(page)
  }

  /** Whether it is time to look again: never looked, a day has passed, or the budget or the pages changed. */
  async isDue(now: UnixSeconds): Promise<boolean> {
    await this.#budget.read()
    return this.#price.isDue(now)
  }

  /** One look at all pages: states of others rebuilt, the prior learned if it is time, the price set. */
  tend(about: { now: UnixSeconds; signal?: AbortSignal }): Promise<void> {
    return this.#afterOthers(() => this.#look.take({ ...about, signal: about.signal }))
  }

  #afterOthers(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}
