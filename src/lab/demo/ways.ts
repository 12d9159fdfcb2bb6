import { malcolmArmitageLearner } from '../../estimators/rate/malcolm-armitage.js'
import type { PageRecord } from '../../model/page.js'
import type { Policy } from '../../model/policy.js'
import type { Store } from '../../model/store.js'
import { type Clock, DAY } from '../../model/units.js'
import type { Planner } from '../../planner/step.js'
import { nutch } from '../../policies/crawlers.js'
import { fixed } from '../../policies/fixed-and-random.js'
import { malcolmArmitage } from '../../policies/malcolm-armitage.js'
import { collection } from './demo-store.js'

/** A way to spend requests on the demo's pages. */
export interface Way {
  readonly name: string
  /** A rule that knows no budget, scaled to keep it; without one, pages are followed as `revisit run` does it. */
  readonly rule?: Planner
}

export const defaultWay: Way = { name: 'auto (the default)' }

/** What a rule is kept to its budget with. */
interface RuleParts {
  readonly store: Store
  readonly clock: Clock
  /** Requests a page and day. */
  readonly perPage: number
}

/** The factor on gaps is trimmed once a day, by this power of what was spent over what was allowed. */
const trust = 0.5
const farthest = 8
const fewestDays = 2

/**
 * A rule that knows no budget, made to keep one: all its gaps are multiplied
 * by one factor, so that the gaps it asks for at present come to the budget.
 * The factor follows as it goes; nothing is found in hindsight. The rule sees
 * its own gaps, as if nobody had touched them.
 */
export class ScaledRule {
  readonly #rule: Planner
  readonly #parts: RuleParts
  readonly #asked = new Map<string, number>()
  #visitsAsked = 0
  #trim = 1

  constructor(rule: Planner, parts: RuleParts) {
    this.#rule = rule
    this.#parts = parts
  }

  plannerFor({ url }: PageRecord): Planner {
    const { policy, learner } = this.#rule
    return { policy: this.#scaled(policy, url), learner }
  }

  /** Beside the visits, until it is stopped. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { store, clock, perPage } = this.#parts
    let before = await this.#visits()
    let days = 0
    while (!signal.aborted) {
      const began = clock.now()
      await clock.sleep(DAY, signal)
      if (signal.aborted) return
      const made = await this.#visits()
      const pages = await store.countPages({ collection })
      const allowed = (perPage * pages * (clock.now() - began)) / DAY
      // All pages begin at once, so the first days tell nothing yet of what a day costs.
      if (days++ >= fewestDays) this.#adjust((made - before) / allowed)
      before = made
    }
  }

  #adjust(spent: number): void {
    const moved = this.#trim * Math.min(2, Math.max(0.5, spent)) ** trust
    this.#trim = Math.min(farthest, Math.max(1 / farthest, moved))
  }

  /** One factor for all pages: visits that the rule asks for, over those allowed. */
  get #factor(): number {
    const pages = Math.max(1, this.#asked.size)
    return (this.#trim * this.#visitsAsked * DAY) / (this.#parts.perPage * pages)
  }

  #scaled(policy: Policy, url: string): Policy {
    return {
      ...policy,
      nextGap: (view) => {
        const before = this.#asked.get(url) ?? 0
        const gap = policy.nextGap({ ...view, plannedGap: before })
        this.#asked.set(url, gap)
        this.#visitsAsked += 1 / gap - (before > 0 ? 1 / before : 0)
        return gap * this.#factor
      },
      reason: (view, gap) => `${policy.reason(view, gap)}, scaled to the budget`,
    }
  }

  /** Visits so far, first ones left out. */
  async #visits(): Promise<number> {
    const { store } = this.#parts
    const { pages } = await store.listPages({ collection, limit: 10_000 })
    return pages.reduce((sum, { visits }) => sum + Math.max(0, visits - 1), 0)
  }
}

/** Who spends the same budget on the same web. */
export const ways: readonly Way[] = [
  { name: 'fixed (weekly, scaled)', rule: { policy: fixed(), learner: null } },
  { name: "Nutch's rule, scaled", rule: { policy: nutch, learner: null } },
  {
    name: 'Malcolm & Armitage, scaled',
    rule: { policy: malcolmArmitage(), learner: malcolmArmitageLearner },
  },
  defaultWay,
]
