import type { AutoPrior } from '../../estimate/index.js'
import type { PageRecord, UnixSeconds } from '../../model/index.js'
import type { Mind } from '../step.js'
import { AutoMinds } from './auto-minds.js'
import { isOutOfReach } from './census.js'
import { CollectionBudget } from './collection-budget.js'
import type { Budget } from './kept-budget.js'
import { KeptTerms } from './kept-terms.js'
import { ListWorths } from './list-worths.js'
import { Look } from './look.js'
import { PageKeeper } from './page-keeper.js'
import { type PlanSample, planSample } from './plan-sample.js'
import { PriceKeeper } from './price-keeper.js'
import { PriorKeeper } from './prior-keeper.js'
import type { Steering } from './steering.js'
import type { StewardParts } from './steward-parts.js'

/** Where the store keeps what lists are worth. */
export const listsSetting = 'auto-lists'

interface Kept {
  readonly budget: CollectionBudget
  readonly price: PriceKeeper
  readonly prior: PriorKeeper
  readonly believed: AutoPrior | null
  readonly lists: ListWorths
}

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
  readonly #prior: PriorKeeper
  readonly #terms: KeptTerms
  /** Looks come one after the other. */
  #last: Promise<unknown> = Promise.resolve()
  /** How fresh copies should be, by the last look. */
  predicted: number | null = null

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
    const { limitsFor, objective, hears } = parts
    this.#parts = parts
    this.#budget = budget
    this.#price = price
    this.#prior = prior
    this.#terms = new KeptTerms(parts)
    this.minds = new AutoMinds({
      prior: believed,
      price: () => this.price,
      lists,
      ...(hears === undefined ? {} : { hears }),
      ...(limitsFor === undefined ? {} : { limitsFor }),
      ...(objective === undefined ? {} : { objective }),
    })
    this.#keeper = new PageKeeper({ ...parts, mindFor: (page) => this.mindFor(page) })
  }

  /** What a request costs now. */
  get price(): number {
    return this.#price.price
  }

  get steering(): Steering | null {
    return this.#price.steering
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
      await this.#tend({ now, signal, anew: true })
      if (!signal?.aborted) await this.#keeper.replan(this.#followers(signal), { now })
    })
  }

  /** An even sample of the pages, for a plan of the budget. */
  sample({ now, size }: { readonly now: UnixSeconds; readonly size: number }): Promise<PlanSample> {
    const { store, collection, pause, ownMind = () => null } = this.#parts
    return planSample({ store, collection, minds: this.minds, ownMind, now, size, pause })
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
   * next visits anew where policy, limits or hours are others than they were.
   */
  async begin(now: UnixSeconds): Promise<void> {
    await this.firstPrice(now)
    const anew = () => this.#keeper.replan(this.#keeper.pages(), { now, apart: 0.02 })
    await this.#terms.settle(() => this.#afterOthers(anew))
  }

  /** Before a visit is planned by it: a price where there is none yet. */
  async firstPrice(now: UnixSeconds): Promise<void> {
    if (this.steering === null) await this.tend({ now })
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
    return this.#afterOthers(() => this.#tend({ ...about, signal: about.signal }))
  }

  #afterOthers(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  async #tend(about: {
    now: UnixSeconds
    signal: AbortSignal | undefined
    anew?: boolean
  }): Promise<void> {
    const { now, signal, anew = false } = about
    const { store, collection } = this.#parts
    const look = new Look({ pages: await store.countPages({ collection }) })
    for await (const page of this.#keeper.pages(signal)) await this.#meet(page, { look, now })
    if (signal?.aborted) return
    if (this.#prior.isTime(look)) {
      await this.#prior.learn(look, { minds: this.minds, followers: this.#followers() })
      await this.#keeper.replan(this.#followers(signal), { now })
    }
    this.predicted = look.census.freshness
    const sample = look.sample.map((page) => this.minds.planPage(page, now))
    await this.#price.steer(look, { now, anew, sample })
    await this.#tendLists(look, now)
  }

  /** What lists are worth by this look, and their next visits by it. */
  async #tendLists(look: Look, now: UnixSeconds): Promise<void> {
    const { store, collection } = this.#parts
    if (look.lists.length === 0) return
    this.minds.lists = look.worths
    await store.putSetting(collection, listsSetting, look.worths.json)
    await this.#keeper.replan(look.lists, { now })
  }

  /** Takes one page into account. */
  async #meet(met: PageRecord, { look, now }: { look: Look; now: UnixSeconds }): Promise<void> {
    const page = this.#keeper.isForeign(met) ? await this.#keeper.takeOver(met, now) : met
    const { clock } = this.minds.learnerFor(page).law
    const belief = this.follows(page) ? this.minds.beliefOf(page) : null
    if (belief !== null && this.minds.hears(page)) look.hear(page, { belief, price: this.price })
    const heard = { listed: this.minds.listedBy(page), news: this.minds.newsOf(page, now) }
    const importance = this.minds.worthOf(page)
    look.census.add({ page, belief, clock, now, importance, ...heard })
    if (belief !== null && !isOutOfReach(page)) look.take(page)
  }

  /** Pages that follow the default. */
  async *#followers(signal?: AbortSignal): AsyncGenerator<PageRecord> {
    for await (const page of this.#keeper.pages(signal)) if (this.follows(page)) yield page
  }
}
