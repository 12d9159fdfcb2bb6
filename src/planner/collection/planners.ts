import type { HintsView } from '../../model/hint.js'
import type { PageRecord } from '../../model/page.js'
import { isList } from '../../model/page.js'
import type { Posterior } from '../../model/policy.js'
import { pageHintsFrom } from '../../model/stored-hints.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { type GapLimits, heldLimits } from '../../policies/limits.js'
import { changeSignalOf, keptView } from '../evidence/hint-forecast.js'
import { ListValues, listedBy, listPolicy, pollGap } from '../evidence/list-value.js'
import { noChance, unpackState } from '../learned-step.js'
import { autoPolicy } from '../policy.js'
import { type AutoLearner, autoLearner } from '../posterior/learner.js'
import { type GroupChangeLaw, keptPosterior } from '../posterior/posterior.js'
import { defaultChangeLaw } from '../prior/default-prior.js'
import { type AutoPrior, changeLawOfEntry } from '../prior/prior.js'
import type { Planner } from '../step.js'
import { type Objective, usualPrices } from '../value/objective.js'
import { importanceStep, type Listed, type PlanPage } from '../value/planned-page.js'
import { runningGap } from './statistics.js'

/** Pages thought to change alike: those of a group that a person named, else those of a host. */
export function groupOf({ group, host }: Pick<PageRecord, 'group' | 'host'>): string {
  return group ?? host
}

/** The learners of all groups, by a prior: each is made once and kept until there is another prior. */
class GroupLearners {
  readonly #learners = new Map<string, AutoLearner>()
  readonly #whole: GroupChangeLaw
  readonly prior: AutoPrior | null

  constructor(prior: AutoPrior | null) {
    this.prior = prior
    this.#whole = prior === null ? defaultChangeLaw : changeLawOfEntry(prior.whole)
  }

  of(page: Pick<PageRecord, 'group' | 'host'>): AutoLearner {
    const name = this.nameOf(page)
    const known = this.#learners.get(name)
    if (known !== undefined) return known
    const made = autoLearner({ law: this.#lawOf(name) })
    this.#learners.set(name, made)
    return made
  }

  /** Groups without a law of their own share the whole's, under one name. */
  nameOf(page: Pick<PageRecord, 'group' | 'host'>): string {
    const group = groupOf(page)
    return this.prior !== null && Object.hasOwn(this.prior.groups, group) ? `g ${group}` : ''
  }

  #lawOf(name: string): GroupChangeLaw {
    if (name === '') return this.#whole
    const law = changeLawOfEntry(this.prior!.groups[name.slice(2)]!)
    // One clock for all groups that have the whole's: the value of hours is worked out once for each.
    return sameClock(law, this.#whole) ? { ...law, clock: this.#whole.clock } : law
  }
}

function sameClock({ clock: one }: GroupChangeLaw, { clock: other }: GroupChangeLaw): boolean {
  return (
    one.weekdays.every((each, i) => each === other.weekdays[i]) &&
    one.hours.every((each, i) => each === other.hours[i])
  )
}

export interface AutoPlannersOptions {
  readonly prior?: AutoPrior | null
  /** What a request costs now, in each objective's unit; the policy's usual price by default. */
  readonly price?: (objective: Objective) => number
  /** What a page is visited for; freshness by default. */
  readonly objectiveFor?: (page: PageRecord) => Objective
  /** Limits of a page's gaps; the policy's own where left out. */
  readonly limitsFor?: (page: PageRecord) => GapLimits
  /** The longest gap that a person guaranteed a page of its own; null, and so by default, where nobody did. */
  readonly guaranteedGap?: (page: PageRecord) => Seconds | null
  /** See `autoPolicy`. */
  readonly stagger?: number
  /** Whether publishers' hints move the visits of a page; of none by default. */
  readonly followsHints?: (page: PageRecord) => boolean
  /** The value of lists, as it was worked out before. */
  readonly lists?: ListValues
}

/**
 * The default learner and policy for every page: the law of its group, its
 * importance, its objective and its limits, at one price an objective. Planners are made once and
 * kept; a new prior makes them anew.
 */
export class AutoPlanners {
  readonly #options: AutoPlannersOptions
  readonly #planners = new Map<string, Planner>()
  /** The value of polling each list. */
  lists: ListValues
  #learners: GroupLearners

  constructor(options: AutoPlannersOptions = {}) {
    this.#options = options
    this.lists = options.lists ?? new ListValues()
    this.#learners = new GroupLearners(options.prior ?? null)
  }

  get prior(): AutoPrior | null {
    return this.#learners.prior
  }

  /** Follows another prior from now on. */
  use(prior: AutoPrior): void {
    this.#learners = new GroupLearners(prior)
    this.#planners.clear()
  }

  learnerFor(page: Pick<PageRecord, 'group' | 'host'>): AutoLearner {
    return this.#learners.of(page)
  }

  followsHints(page: PageRecord): boolean {
    return this.#options.followsHints?.(page) ?? false
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
  at(price: (objective: Objective) => number): AutoPlanners {
    return new AutoPlanners({ ...this.#options, prior: this.prior, lists: this.lists, price })
  }

  plannerFor(page: PageRecord): Planner {
    const importance = importanceStep(page.importance)
    const limits = this.#options.limitsFor?.(page) ?? {}
    const adjusted = !this.followsHints(page) ? '' : isList(page.settings) ? page.id : 'hints'
    const name = `${importance} ${this.objectiveOf(page)} ${limits.minGap} ${limits.maxGap} ${adjusted} ${this.#learners.nameOf(page)}`
    const known = this.#planners.get(name)
    if (known !== undefined) return known
    const made = this.#made(page, { importance, limits })
    this.#planners.set(name, made)
    return made
  }

  /** The learner's numbers in a page's row; null where there are none that it can read. */
  memoryOf(page: PageRecord): Float64Array | null {
    return unpackState(this.plannerFor(page), page, noChance)?.memory ?? null
  }

  /** Visits of a page that were compared with the one before, by its learner's own count. */
  comparisonsOf(page: PageRecord): number {
    const memory = this.memoryOf(page)
    return memory === null ? 0 : this.learnerFor(page).comparisons(memory)
  }

  /** The longest gap that a person guaranteed this page; null where nobody did. */
  guaranteedGap(page: PageRecord): Seconds | null {
    return this.#options.guaranteedGap?.(page) ?? null
  }

  /** The posterior of a page now, or before it was ever seen, with its hints where they are followed; written anew at each call. */
  posteriorAt(page: PageRecord): Posterior {
    const learner = this.learnerFor(page)
    const memory = this.memoryOf(page) ?? learner.newMemory()
    return learner.posteriorGiven(memory, this.hintsOf(page).reported)
  }

  /** A page's hints as they stood at its last visit; none where they are not followed. */
  hintsOf(page: PageRecord): HintsView {
    if (page.hints === null || !this.followsHints(page)) return { reported: [], allowance: 0 }
    return keptView(pageHintsFrom(page.hints), { visits: page.visits })
  }

  /** A page as a plan sees it. */
  planPage(page: PageRecord, now: UnixSeconds): PlanPage {
    const { host, lastSeen } = page
    return {
      host,
      objective: this.objectiveOf(page),
      importance: this.copyValue(page),
      at: lastSeen ?? now,
      posterior: keptPosterior(this.posteriorAt(page)),
      clock: this.learnerFor(page).law.clock,
      limits: this.#options.limitsFor?.(page) ?? {},
      running: runningGap(page),
      guaranteed: this.guaranteedGap(page),
      staleRatio: this.learnerFor(page).law.staleRatio ?? 1,
      ownGap: this.#listGap(page),
      listed: this.listedBy(page),
    }
  }

  /** How a list that would tell of its changes counts for a page; null where none does. */
  listedBy(page: PageRecord): Listed | null {
    const { reported } = this.hintsOf(page)
    return reported.length === 0
      ? null
      : listedBy(page, { reported, lists: this.lists, price: this.price })
  }

  /** Chance that a list is right that says a page has changed since it was seen; 0 where none says so. */
  changeSignalOf(page: PageRecord, now: UnixSeconds): number {
    const { lastSeen: at } = page
    if (at === null) return 0
    return (
      changeSignalOf({ hints: this.hintsOf(page), at }, Math.max(0, now - at))?.reliability ?? 0
    )
  }

  /** The value of a fresh copy: none of a list that is polled for its pages' sake. */
  copyValue(page: PageRecord): number {
    return this.#listGap(page) === null ? page.importance : 0
  }

  /** How often a list is polled for its pages' sake; null for any other page. */
  #listGap(page: PageRecord): number | null {
    if (!isList(page.settings) || !this.followsHints(page) || !(this.lists.of(page.id) > 0))
      return null
    const { minGap, maxGap } = this.#limits(page)
    return Math.min(
      maxGap,
      Math.max(minGap, pollGap({ price: this.price, value: this.lists.of(page.id) })),
    )
  }

  #limits(page: PageRecord): Required<GapLimits> {
    return heldLimits(this.#options.limitsFor?.(page) ?? {})
  }

  #made(
    page: PageRecord,
    { importance, limits }: { importance: number; limits: GapLimits },
  ): Planner {
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
      followsHints: this.followsHints(page),
    })
    if (!isList(page.settings) || !this.followsHints(page)) return { learner, policy }
    const { id } = page
    const value = () => this.lists.of(id)
    const list = { value, price: () => this.price, ...this.#limits(page) }
    return { learner, policy: listPolicy(policy, list) }
  }
}
