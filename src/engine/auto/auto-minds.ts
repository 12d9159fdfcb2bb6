import {
  type AutoLearner,
  type AutoPrior,
  autoLearner,
  defaultLaw,
  type GroupLaw,
  lawOfEntry,
} from '../../estimate/index.js'
import type { PageRecord, RandomSource, UnixSeconds } from '../../model/index.js'
import {
  autoPolicy,
  type GapLimits,
  importanceStep,
  type Objective,
  type PlanPage,
} from '../../schedule/index.js'
import { unpackState } from '../packed-state.js'
import type { Mind } from '../step.js'

/** A state needs one; nothing is drawn from it here. */
const noChance: RandomSource = {
  uniform: () => 0.5,
  exponential: () => 1,
  normal: () => 0,
  gamma: (shape) => shape,
}

export interface AutoMindsOptions {
  readonly prior?: AutoPrior | null
  /** What a request costs now; the policy's usual price unless said. */
  readonly price?: (() => number) | number
  readonly objective?: Objective
  /** Limits of a page's gaps; the policy's own where left out. */
  readonly limitsFor?: (page: PageRecord) => GapLimits
  /** See `autoPolicy`. */
  readonly stagger?: number
}

/** Pages thought to change alike: those of a group that a person named, else those of a host. */
export function groupOf({ group, host }: Pick<PageRecord, 'group' | 'host'>): string {
  return group ?? host
}

/**
 * The default learner and policy for every page: the law of its group, its
 * importance and its limits, at one price for all. Minds are made once and
 * kept; a new prior makes them anew.
 */
export class AutoMinds {
  readonly #options: AutoMindsOptions
  readonly #learners = new Map<string, AutoLearner>()
  readonly #minds = new Map<string, Mind>()
  #prior: AutoPrior | null
  #whole: GroupLaw

  constructor(options: AutoMindsOptions = {}) {
    this.#options = options
    this.#prior = options.prior ?? null
    this.#whole = wholeOf(this.#prior)
  }

  get prior(): AutoPrior | null {
    return this.#prior
  }

  /** Believes in another prior from now on. */
  use(prior: AutoPrior): void {
    this.#prior = prior
    this.#whole = wholeOf(prior)
    this.#learners.clear()
    this.#minds.clear()
  }

  learnerFor(page: Pick<PageRecord, 'group' | 'host'>): AutoLearner {
    const name = this.#groupWithLaw(page)
    const known = this.#learners.get(name)
    if (known !== undefined) return known
    const made = autoLearner({ law: this.#lawOf(name) })
    this.#learners.set(name, made)
    return made
  }

  mindFor(page: PageRecord): Mind {
    const importance = importanceStep(page.importance)
    const limits = this.#options.limitsFor?.(page) ?? {}
    const name = `${importance} ${limits.minGap} ${limits.maxGap} ${this.#groupWithLaw(page)}`
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

  /** What is believed of a page now, or before it was ever seen; written anew at each call. */
  beliefOf(page: PageRecord): Float64Array {
    const learner = this.learnerFor(page)
    const memory = this.memoryOf(page)
    if (memory !== null) return learner.belief(memory)
    const blank = new Float64Array(learner.size)
    learner.start(blank, Number.NaN)
    return learner.belief(blank)
  }

  /** A page as a plan sees it. */
  planPage(page: PageRecord, now: UnixSeconds): PlanPage {
    const { host, importance, lastSeen } = page
    return {
      host,
      importance,
      at: lastSeen ?? now,
      belief: this.beliefOf(page).slice(),
      clock: this.learnerFor(page).law.clock,
      limits: this.#options.limitsFor?.(page) ?? {},
      ownGap: null,
    }
  }

  #made(page: PageRecord, { importance, limits }: { importance: number; limits: GapLimits }): Mind {
    const learner = this.learnerFor(page)
    const { price, objective, stagger } = this.#options
    const policy = autoPolicy({
      importance,
      clock: learner.law.clock,
      ...limits,
      ...(price === undefined ? {} : { price }),
      ...(objective === undefined ? {} : { objective }),
      ...(stagger === undefined ? {} : { stagger }),
    })
    return { learner, policy }
  }

  /** Groups without a law of their own share the whole's, under one name. */
  #groupWithLaw(page: Pick<PageRecord, 'group' | 'host'>): string {
    const group = groupOf(page)
    return this.#prior !== null && Object.hasOwn(this.#prior.groups, group) ? `g ${group}` : ''
  }

  #lawOf(name: string): GroupLaw {
    if (name === '') return this.#whole
    const entry = this.#prior!.groups[name.slice(2)]!
    const law = lawOfEntry(entry)
    // One clock for all groups that have the whole's: what hours are worth is worked out once for each.
    return sameClock(law, this.#whole) ? { ...law, clock: this.#whole.clock } : law
  }
}

function wholeOf(prior: AutoPrior | null): GroupLaw {
  return prior === null ? defaultLaw : lawOfEntry(prior.whole)
}

function sameClock({ clock: one }: GroupLaw, { clock: other }: GroupLaw): boolean {
  return (
    one.weekdays.every((each, i) => each === other.weekdays[i]) &&
    one.hours.every((each, i) => each === other.hours[i])
  )
}
