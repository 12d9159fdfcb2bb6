import { InputError } from '../../model/errors.js'
import type { PageView } from '../../model/policy.js'
import { DAY, type RandomSource, type Seconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import { learnedRates, type RateEstimates, type Share } from './allocation-replay.js'
import { type Contender, ruleContender, sharingContender, type Trial } from './contender.js'
import { learnersElsewhere } from './leave-one-out-priors.js'

/** What a policy of one's own may know of a page: what its visits showed, no more. */
export interface OwnPage {
  /** The last visit, in seconds on the replay's clock, which begins on a Thursday at 0:00 UTC. */
  readonly at: Seconds
  /** Visits so far, the first among them, and how many found a change. */
  readonly visits: number
  readonly changes: number
  /** Time between the last two visits; 0 after the first. */
  readonly gap: Seconds
  /** Whether the last visit found a change. */
  readonly changed: boolean
  /** The gap that `nextGap` gave the last time; 0 after the first visit, and where it gives none. */
  readonly plannedGap: Seconds
  /** Estimated time between changes, with a prior fitted on the other sources; null while nothing is known. */
  readonly changePeriod: Seconds | null
  /** Time since the last change by Last-Modified (`--last-modified`); null where the page does not tell. */
  readonly contentAge: Seconds | null
  /** Yours, kept with the page; empty at its first visit. */
  readonly memory: Record<string, unknown>
  /** A number from 0 to 1; the same for the same seed. */
  random(): number
}

/** A policy of one's own: either a rule for one page, or a way to share the visits out. */
export interface OwnPolicy {
  readonly name: string
  readonly summary: string
  /** Seconds until the next visit; Infinity for never. One factor on all gaps then keeps the budget, in hindsight. */
  nextGap?(page: OwnPage): Seconds
  /**
   * Visits a day of each page, asked for each morning; `budget` is the sum.
   * Only their proportions count: they are scaled to the budget.
   */
  rates?(pages: readonly OwnPage[], budget: number): ArrayLike<number>
}

/** A policy of one's own among the contenders; what it gives is checked at each call. */
export function ownContender(policy: OwnPolicy): Contender {
  const { name, summary } = policy
  if (policy.rates === undefined)
    return ruleContender({ name, summary, plannerFor: (trial) => rulePlanner(policy, trial) })
  return sharingContender({ name, summary, sharingFor: (trial) => sharing(policy, trial) })
}

function rulePlanner(own: OwnPolicy, trial: Trial) {
  const { name, summary } = own
  const known = new WeakMap<PageView, OwnPage>()
  const nextGap = (view: PageView): Seconds => {
    const page = known.get(view) ?? viewed(view)
    known.set(view, page)
    const gap: unknown = called(own, 'nextGap', () => own.nextGap!(page))
    if (typeof gap === 'number' && gap > 0) return gap
    throw new InputError(
      'bad-policy',
      `policy "${name}": nextGap gave ${shown(gap)} after ${view.visits} visits and ${view.changes} changes; it must give seconds above 0, or Infinity for never`,
    )
  }
  const policy = { name, summary, learner: null, nextGap, reason: () => summary }
  const learners = learnersElsewhere(trial)
  return (source: number) => ({ policy, learner: learners(source) })
}

/** Reads through to the state, which is written in place. */
function viewed(view: PageView): OwnPage {
  return {
    get at() {
      return view.at
    },
    get visits() {
      return view.visits
    },
    get changes() {
      return view.changes
    },
    get gap() {
      return view.gap
    },
    get changed() {
      return view.changed
    },
    get plannedGap() {
      return view.plannedGap
    },
    get changePeriod() {
      return view.changePeriod > 0 ? view.changePeriod : null
    },
    get contentAge() {
      return view.contentAge >= 0 ? view.contentAge : null
    },
    memory: {},
    random: () => view.random.uniform(),
  }
}

function sharing(own: OwnPolicy, trial: Trial): { share: Share; rateEstimates: RateEstimates } {
  const { collection, run } = trial
  const learned = learnedRates(collection, learnersElsewhere(trial))
  const pages = collection.ids.map(
    (_, page) => new SharedPage(Random.stream({ seed: run.seed, index: page })),
  )
  const rateEstimates: RateEstimates = {
    start(page, contentAge) {
      learned.start(page, contentAge)
      pages[page]!.begin(collection.from[page]!, contentAge)
    },
    learn(page, seen) {
      learned.learn(page, seen)
      pages[page]!.learn(seen)
    },
    // A page of which nothing is known is shared out too: the policy may think what it likes of it.
    changeRate: (page) => learned.changeRate(page) ?? 0,
  }
  const share: Share = ({ pages: present, changeRates }, budget) => {
    const given = present.map((page, i) => {
      pages[page]!.changePeriod = changeRates[i]! > 0 ? 1 / changeRates[i]! : null
      return pages[page]!
    })
    const found = called(own, 'rates', () => own.rates!(given, budget * DAY))
    return scaled(own, { found, size: present.length, budget })
  }
  return { share, rateEstimates }
}

class SharedPage implements OwnPage {
  at = 0
  visits = 0
  changes = 0
  gap = 0
  changed = false
  readonly plannedGap = 0
  changePeriod: Seconds | null = null
  contentAge: Seconds | null = null
  readonly memory = {}
  readonly #random: RandomSource

  constructor(random: RandomSource) {
    this.#random = random
  }

  random(): number {
    return this.#random.uniform()
  }

  begin(at: Seconds, contentAge: Seconds): void {
    this.at = at
    this.visits = 1
    this.contentAge = contentAge >= 0 ? contentAge : null
  }

  learn(seen: { gap: Seconds; changed: boolean; contentAge: Seconds }): void {
    this.at += seen.gap
    this.visits++
    if (seen.changed) this.changes++
    this.gap = seen.gap
    this.changed = seen.changed
    this.contentAge = seen.contentAge >= 0 ? seen.contentAge : null
  }
}

function scaled(
  { name }: OwnPolicy,
  { found, size, budget }: { found: unknown; size: number; budget: number },
): Float64Array {
  const wrong = (what: string) =>
    new InputError('bad-policy', `policy "${name}": rates gave ${what}`)
  const isList = Array.isArray(found) || ArrayBuffer.isView(found)
  if (!isList) throw wrong(`${shown(found)}; it must give an array of visits a day, one a page`)
  const list: readonly unknown[] = Array.from(found as ArrayLike<unknown>)
  if (list.length !== size) throw wrong(`${list.length} numbers for ${size} pages`)
  const visitRates = Float64Array.from(list, (each, i) => {
    if (typeof each === 'number' && each >= 0 && each < Infinity) return each
    throw wrong(`${shown(each)} for page ${i} of ${size}; it must be a finite number from 0 on`)
  })
  const total = visitRates.reduce((sum, each) => sum + each, 0)
  if (!(total > 0 && total < Infinity)) throw wrong(`numbers whose sum is ${total}`)
  return visitRates.map((each) => (each / total) * budget)
}

function called<T>({ name }: OwnPolicy, what: string, call: () => T): T {
  try {
    return call()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new InputError('bad-policy', `policy "${name}": ${what} failed: ${why}`, { cause })
  }
}

function shown(value: unknown): string {
  if (typeof value === 'number' || value === undefined || value === null) return String(value)
  return value instanceof Promise ? 'a promise' : `a ${typeof value}`
}
