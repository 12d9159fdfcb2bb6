import { type AutoPrior, parseAutoPrior } from '../../estimate/index.js'
import {
  DAY,
  HOUR,
  historyOf,
  type Json,
  type PageRecord,
  type RandomSource,
  type Store,
  type UnixSeconds,
} from '../../model/index.js'
import type { GapLimits, Objective } from '../../schedule/index.js'
import type { Mind } from '../step.js'
import { AutoMinds, groupOf } from './auto-minds.js'
import { isOutOfReach } from './census.js'
import {
  type Budget,
  budgetSetting,
  chosenRequests,
  keptBudget,
  requestsOf,
} from './kept-budget.js'
import { Look } from './look.js'
import { PageKeeper } from './page-keeper.js'
import { type PlanSample, planSample } from './plan-sample.js'
import { PriorLesson } from './prior-lesson.js'
import { type Steering, steered, steeringOf } from './steering.js'

export interface StewardParts {
  readonly store: Store
  readonly collection: string
  /** Names this process to the store. */
  readonly worker: string
  readonly random: RandomSource
  /** As it is configured; one that was set while the collection ran comes before it. */
  readonly budget: Budget
  /** Requests a day that are never exceeded, whatever the budget; none unless said. */
  readonly mostPerDay?: number | null
  readonly objective?: Objective
  readonly limitsFor?: (page: PageRecord) => GapLimits
  /** The mind of a page with a policy of its own; null for those that follow the default. */
  readonly ownMind?: (page: PageRecord) => Mind | null
  /** The default's mind as this page wears it, such as listening to hints; as it is unless said. */
  readonly dressed?: (page: PageRecord, mind: Mind) => Mind
  /** Awaited between slices of work, so that visits go on. */
  readonly pause: () => Promise<void>
}

/** Where the store keeps them. */
export const priorSetting = 'auto-prior'
export const steeringSetting = 'auto-steering'
export const lessonSetting = 'auto-lesson'

/** How much of a page's history tells of hours. */
const newestVisits = 120
const fewestVisits = 4
/** Looked after once a day; the prior once there are half as many comparisons again. */
const growth = 1.5
const fewestComparisons = 20

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
  #steering: Steering | null
  /** Comparisons that the prior was learned from. */
  #learnedFrom: number
  /** Requests a day that were set while the collection ran, where they hold. */
  #chosen: number | null
  /** Looks come one after the other. */
  #last: Promise<unknown> = Promise.resolve()
  /** How fresh copies should be, by the last look. */
  predicted: number | null = null

  static async open(parts: StewardParts): Promise<Steward> {
    const { store, collection } = parts
    const prior = storedPrior(await store.getSetting(collection, priorSetting))
    const steering = steeringOf(await store.getSetting(collection, steeringSetting))
    const lesson = await store.getSetting(collection, lessonSetting)
    const chosen = chosenRequests(await store.getSetting(collection, budgetSetting), parts.budget)
    return new Steward(parts, { prior, steering, learnedFrom: Number(lesson ?? 0) || 0, chosen })
  }

  private constructor(
    parts: StewardParts,
    kept: {
      prior: AutoPrior | null
      steering: Steering | null
      learnedFrom: number
      chosen: number | null
    },
  ) {
    const { limitsFor, objective } = parts
    this.#parts = parts
    this.#steering = kept.steering
    this.#learnedFrom = kept.learnedFrom
    this.#chosen = kept.chosen
    this.minds = new AutoMinds({
      prior: kept.prior,
      price: () => this.price,
      ...(limitsFor === undefined ? {} : { limitsFor }),
      ...(objective === undefined ? {} : { objective }),
    })
    this.#keeper = new PageKeeper({ ...parts, mindFor: (page) => this.mindFor(page) })
  }

  /** What a request costs now. */
  get price(): number {
    return this.budget === null ? usualPrice : (this.#steering?.price ?? usualPrice)
  }

  get steering(): Steering | null {
    return this.#steering
  }

  /** The budget in force: the one set while the collection ran, else the configured one. */
  get budget(): Budget {
    return this.#chosen === null ? this.#parts.budget : { perDay: this.#chosen }
  }

  get configuredBudget(): Budget {
    return this.#parts.budget
  }

  /** Requests a day that are never exceeded; null where no limit is set. */
  get mostPerDay(): number | null {
    return this.#parts.mostPerDay ?? null
  }

  /**
   * Takes another budget for the collection from now on, also after a restart;
   * null goes back to the configured one. `settle` then sets price and due times.
   */
  async changeBudget(requestsPerDay: number | null): Promise<void> {
    const { store, collection, budget } = this.#parts
    await store.putSetting(collection, budgetSetting, keptBudget(requestsPerDay, budget))
    this.#chosen = requestsPerDay
  }

  /** The price by the budget as it is now, what was owed forgiven, and all next visits by that price. */
  settle({ now, signal }: { now: UnixSeconds; signal?: AbortSignal }): Promise<void> {
    return this.#afterOthers(async () => {
      await this.#tend({ now, signal, anew: true })
      if (!signal?.aborted) await this.#keeper.replan(this.#followers(signal), now)
    })
  }

  /** An even sample of the pages, for a plan of the budget. */
  sample({ now, size }: { readonly now: UnixSeconds; readonly size: number }): Promise<PlanSample> {
    const { store, collection, pause, ownMind = () => null } = this.#parts
    return planSample({ store, collection, minds: this.minds, ownMind, now, size, pause })
  }

  /** The mind of any page: its own policy's, or the default's. */
  mindFor(page: PageRecord): Mind {
    const { ownMind, dressed } = this.#parts
    const own = ownMind?.(page) ?? null
    if (own !== null) return own
    const mind = this.minds.mindFor(page)
    return dressed?.(page, mind) ?? mind
  }

  /** Sets a first price before any visit is planned; nothing where there is one. */
  async begin(now: UnixSeconds): Promise<void> {
    if (this.#steering === null) await this.tend({ now })
  }

  /** Whether it is time to look again: never looked, a day has passed, or the budget or the pages changed. */
  async isDue(now: UnixSeconds): Promise<boolean> {
    const { store, collection } = this.#parts
    // Another process on the same store may have been told of another budget.
    const kept = await store.getSetting(collection, budgetSetting)
    this.#chosen = chosenRequests(kept, this.#parts.budget)
    const before = this.#steering
    if (before === null || now - before.at >= DAY || now < before.at - HOUR) return true
    const pages = await store.countPages({ collection })
    const budget = this.#budget(pages)
    return apart(budget, before.requestsPerDay) || apart(pages, before.pages)
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
    const pages = await store.countPages({ collection })
    const look = new Look({ pages })
    for await (const page of this.#keeper.pages(signal)) await this.#meet(page, { look, now })
    if (signal?.aborted) return
    if (isTime(look.census.comparisons, this.#learnedFrom)) {
      await this.#learn(look)
      await this.#keeper.replan(this.#followers(signal), now)
    }
    this.predicted = look.census.freshness
    await this.#steer(look, { now, anew })
  }

  #budget(pages: number): number {
    return requestsOf(this.budget, { pages, most: this.mostPerDay }) ?? 0
  }

  async #steer(look: Look, { now, anew }: { now: UnixSeconds; anew: boolean }): Promise<void> {
    const { store, collection, objective = 'freshness' } = this.#parts
    const { census } = look
    const sample = look.sample.map((page) => this.minds.planPage(page, now))
    const requestsPerDay = this.#budget(look.pages)
    if (this.budget === null || !(requestsPerDay > 0) || census.pages === 0) return
    const before =
      anew && this.#steering !== null ? { ...this.#steering, requestsPerDay: 0 } : this.#steering
    this.#steering = steered(before, { census, requestsPerDay, now, sample, objective })
    await store.putSetting(collection, steeringSetting, this.#steering as unknown as Json)
  }

  /** Takes one page into account. */
  async #meet(met: PageRecord, { look, now }: { look: Look; now: UnixSeconds }): Promise<void> {
    const page = this.#keeper.isForeign(met) ? await this.#keeper.takeOver(met, now) : met
    const { clock } = this.minds.learnerFor(page).law
    if (this.#hasOwnPolicy(page)) {
      look.census.add({ page, belief: null, clock, now })
      return
    }
    const belief = this.minds.beliefOf(page)
    look.census.add({ page, belief, clock, now })
    if (!isOutOfReach(page)) look.take(page)
  }

  /** Pages that follow the default. */
  async *#followers(signal?: AbortSignal): AsyncGenerator<PageRecord> {
    for await (const page of this.#keeper.pages(signal)) if (!this.#hasOwnPolicy(page)) yield page
  }

  #hasOwnPolicy(page: PageRecord): boolean {
    return (this.#parts.ownMind?.(page) ?? null) !== null
  }

  async #learn(look: Look): Promise<void> {
    const { store, collection, pause } = this.#parts
    const lesson = new PriorLesson({ pages: look.pages })
    for await (const page of this.#followers()) {
      const memory = this.minds.memoryOf(page)
      if (memory !== null && page.visits > 1) lesson.add(groupOf(page), memory)
    }
    for (const page of look.sample.filter(({ visits }) => visits >= fewestVisits)) {
      const visits = await store.visitsOf(page, { newest: newestVisits })
      const history = historyOf(visits)
      const fromFirst = page.visits <= newestVisits
      if (history !== null) lesson.addHistory(groupOf(page), history, { fromFirst })
      await pause()
    }
    if (lesson.pages === 0) return
    const how = `learned by EM from ${lesson.pages} pages of collection "${collection}", ${look.census.comparisons} comparisons`
    const prior = await lesson.learn({ how, pause })
    await store.putSetting(collection, priorSetting, prior as unknown as Json)
    await store.putSetting(collection, lessonSetting, look.census.comparisons)
    this.#learnedFrom = look.census.comparisons
    this.minds.use(prior)
  }
}

const usualPrice = 6 * HOUR

function isTime(comparisons: number, before: number): boolean {
  return comparisons >= Math.max(fewestComparisons, growth * before)
}

function apart(one: number, other: number): boolean {
  return !(one / other < 1.25 && other / one < 1.25)
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
