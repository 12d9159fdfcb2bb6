import { type AutoLearner, type AutoPrior, observationsAt } from '../../estimate/index.js'
import type { HintsView, PageRecord, Seconds, UnixSeconds } from '../../model/index.js'
import { runningGap } from '../../planner/index.js'
import {
  autoPolicy,
  type GapLimits,
  heldLimits,
  importanceStep,
  type Listed,
  listPolicy,
  lookGap,
  newsOf,
  type Objective,
  type PlanPage,
  usualPrices,
} from '../../schedule/index.js'
import { keptView } from '../hints/heard-hints.js'
import { pageHintsFrom } from '../hints/kept-hints.js'
import { unpackState } from '../packed-state.js'
import type { Mind } from '../step.js'
import { GroupLearners } from './group-learners.js'
import { ListWorths } from './list-worths.js'
import { listedBy } from './listed-by.js'
import { noChance } from './no-chance.js'

export interface AutoMindsOptions {
  readonly prior?: AutoPrior | null
  /** What a request costs now, in each objective's unit; the policy's usual price by default. */
  readonly price?: (objective: Objective) => number
  /** What a page is visited for; freshness by default. */
  readonly objectiveFor?: (page: PageRecord) => Objective
  /** Limits of a page's gaps; the policy's own where left out. */
  readonly limitsFor?: (page: PageRecord) => GapLimits
  /** The longest gap that a person promised a page of its own; null, and so by default, where nobody did. */
  readonly promisedTo?: (page: PageRecord) => Seconds | null
  /** See `autoPolicy`. */
  readonly stagger?: number
  /** Whether publishers' hints move the visits of a page; of none unless said. */
  readonly hears?: (page: PageRecord) => boolean
  /** What lists are worth, as it was worked out before. */
  readonly lists?: ListWorths
}

/**
 * The default learner and policy for every page: the law of its group, its
 * importance, its objective and its limits, at one price an objective. Minds are made once and
 * kept; a new prior makes them anew.
 */
export class AutoMinds {
  readonly #options: AutoMindsOptions
  readonly #minds = new Map<string, Mind>()
  /** What looking at each list is worth. */
  lists: ListWorths
  #learners: GroupLearners

  constructor(options: AutoMindsOptions = {}) {
    this.#options = options
    this.lists = options.lists ?? new ListWorths()
    this.#learners = new GroupLearners(options.prior ?? null)
  }

  get prior(): AutoPrior | null {
    return this.#learners.prior
  }

  /** Believes in another prior from now on. */
  use(prior: AutoPrior): void {
    this.#learners = new GroupLearners(prior)
    this.#minds.clear()
  }

  learnerFor(page: Pick<PageRecord, 'group' | 'host'>): AutoLearner {
    return this.#learners.of(page)
  }

  hears(page: PageRecord): boolean {
    return this.#options.hears?.(page) ?? false
  }

  /** What a request costs now, in seconds of freshness. */
  get price(): number {
    return this.priceFor('freshness')
  }

  /** What a request costs now pages with an objective, in its unit. */
  priceFor(objective: Objective): number {
    return this.#options.price?.(objective) ?? usualPrices[objective]
  }

  /** What a page is visited for. */
  objectiveOf(page: PageRecord): Objective {
    return this.#options.objectiveFor?.(page) ?? 'freshness'
  }

  /** The same at other prices. */
  at(price: (objective: Objective) => number): AutoMinds {
    return new AutoMinds({ ...this.#options, prior: this.prior, lists: this.lists, price })
  }

  mindFor(page: PageRecord): Mind {
    const importance = importanceStep(page.importance)
    const limits = this.#options.limitsFor?.(page) ?? {}
    const heard = !this.hears(page) ? '' : isList(page) ? page.id : 'heard'
    const name = `${importance} ${this.objectiveOf(page)} ${limits.minGap} ${limits.maxGap} ${heard} ${this.#learners.nameOf(page)}`
    const known = this.#minds.get(name)
    if (known !== undefined) return known
    const made = this.#made(page, { importance, limits })
    this.#minds.set(name, made)
    return made
  }

  /** The learner's numbers in a page's row; null where there are none that it can read. */
  memoryOf(page: PageRecord): Float64Array | null {
    return unpackState(this.mindFor(page), page, noChance)?.memory ?? null
  }

  /** Visits of a page that were compared with the one before, by its learner's own count. */
  comparisonsOf(page: PageRecord): number {
    return this.memoryOf(page)?.[observationsAt] ?? 0
  }

  /** The longest gap that a person promised this page; null where nobody did. */
  promisedTo(page: PageRecord): Seconds | null {
    return this.#options.promisedTo?.(page) ?? null
  }

  /** What is believed of a page now, or before it was ever seen, with its hints where they are heard; written anew at each call. */
  beliefOf(page: PageRecord): Float64Array {
    const learner = this.learnerFor(page)
    const memory = this.memoryOf(page) ?? blank(learner)
    const { told } = this.hintsOf(page)
    return (told.length === 0 ? null : learner.heard(memory, told)) ?? learner.belief(memory)
  }

  /** A page's hints as they stood at its last visit; none where they are not heard. */
  hintsOf(page: PageRecord): HintsView {
    if (page.hints === null || !this.hears(page)) return { told: [], allowance: 0 }
    return keptView(pageHintsFrom(page.hints), { visits: page.visits })
  }

  /** A page as a plan sees it. */
  planPage(page: PageRecord, now: UnixSeconds): PlanPage {
    const { host, lastSeen } = page
    return {
      host,
      objective: this.objectiveOf(page),
      importance: this.worthOf(page),
      at: lastSeen ?? now,
      belief: this.beliefOf(page).slice(),
      clock: this.learnerFor(page).law.clock,
      limits: this.#options.limitsFor?.(page) ?? {},
      running: runningGap(page),
      promised: this.promisedTo(page),
      staleRatio: this.learnerFor(page).law.staleRatio ?? 1,
      ownGap: this.#listGap(page),
      listed: this.listedBy(page),
    }
  }

  /** How a list that would tell of its changes counts for a page; null where none does. */
  listedBy(page: PageRecord): Listed | null {
    const { told } = this.hintsOf(page)
    return told.length === 0 ? null : listedBy(page, { told, lists: this.lists, price: this.price })
  }

  /** Chance that a list is right that says a page has changed since it was seen; 0 where none says so. */
  newsOf(page: PageRecord, now: UnixSeconds): number {
    const { lastSeen: at } = page
    if (at === null) return 0
    return newsOf({ hints: this.hintsOf(page), at }, Math.max(0, now - at))?.reliability ?? 0
  }

  /** What a fresh copy is worth: nothing of a list that is looked at for its pages' sake. */
  worthOf(page: PageRecord): number {
    return this.#listGap(page) === null ? page.importance : 0
  }

  /** How often a list is looked at for its pages' sake; null for any other page. */
  #listGap(page: PageRecord): number | null {
    if (!isList(page) || !this.hears(page) || !(this.lists.of(page.id) > 0)) return null
    const { minGap, maxGap } = this.#limits(page)
    return Math.min(
      maxGap,
      Math.max(minGap, lookGap({ price: this.price, worth: this.lists.of(page.id) })),
    )
  }

  #limits(page: PageRecord): Required<GapLimits> {
    return heldLimits(this.#options.limitsFor?.(page) ?? {})
  }

  #made(page: PageRecord, { importance, limits }: { importance: number; limits: GapLimits }): Mind {
    const learner = this.learnerFor(page)
    const { stagger } = this.#options
    const objective = this.objectiveOf(page)
    const policy = autoPolicy({
      importance,
      objective,
      price: () => this.priceFor(objective),
      clock: learner.law.clock,
      ...limits,
      ...(stagger === undefined ? {} : { stagger }),
      hears: this.hears(page),
    })
    if (!isList(page) || !this.hears(page)) return { learner, policy }
    const { id } = page
    const worth = () => this.lists.of(id)
    const list = { worth, price: () => this.price, ...this.#limits(page) }
    return { learner, policy: listPolicy(policy, list) }
  }
}

function isList({ settings }: PageRecord): boolean {
  return settings.role === 'list'
}

function blank(learner: AutoLearner): Float64Array {
  const memory = new Float64Array(learner.size)
  learner.start(memory, Number.NaN)
  return memory
}
