import { refresherOf } from '../../crawler/open-crawler.js'
import { malcolmArmitageLearner } from '../../estimators/rate/malcolm-armitage.js'
import type { PageRecord } from '../../model/page.js'
import type { Policy } from '../../model/policy.js'
import type { Store } from '../../model/store.js'
import { type Clock, DAY, type RandomSource } from '../../model/units.js'
import { CollectionController } from '../../planner/collection/collection-controller.js'
import type { Planner } from '../../planner/step.js'
import { nutch } from '../../policies/crawlers.js'
import { fixed } from '../../policies/fixed-and-random.js'
import { malcolmArmitage } from '../../policies/malcolm-armitage.js'

/** What a way of spending requests is opened with. */
interface WayParts {
  readonly store: Store
  readonly collection: string
  readonly clock: Clock
  readonly random: RandomSource
  /** Requests a page and day. */
  readonly perPage: number
  /** Whether publishers' hints are followed by a way that can. */
  readonly hints: boolean
}

/** A way to spend requests on the demo's pages, at work. */
export interface OpenWay {
  /** What keeps the budget, where something does. */
  readonly controller?: CollectionController
  plannerFor(page: PageRecord): Planner
  /** Before the first visit. */
  begin(): Promise<void>
  /** Beside the visits, until it is stopped. */
  refresh(signal: AbortSignal): Promise<void>
  /** Share of copies that it predicts to be fresh just now; null where it predicts nothing. */
  predicted(): number | null
}

export interface Way {
  readonly name: string
  /** Whether it can follows publishers' hints. */
  readonly followsHints?: boolean
  open(parts: WayParts): Promise<OpenWay>
}

/** As `revisit run` does it by default. */
export const defaultWay: Way = {
  name: 'auto (the default)',
  followsHints: true,
  async open({ store, collection, clock, random, perPage, hints }) {
    const controller = await CollectionController.open({
      store,
      collection,
      worker: 'demo',
      random,
      budget: { perPage },
      followsHints: () => hints,
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    })
    return {
      controller,
      plannerFor: (page) => controller.plannerFor(page),
      ...refresherOf(controller, clock),
      predicted: () => controller.predicted,
    }
  },
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
function scaledRule(name: string, planner: Planner): Way {
  return { name, open: async (parts) => new ScaledRule(planner, parts) }
}

class ScaledRule implements OpenWay {
  readonly #rule: Planner
  readonly #parts: WayParts
  readonly #asked = new Map<string, number>()
  #visitsAsked = 0
  #trim = 1

  constructor(rule: Planner, parts: WayParts) {
    this.#rule = rule
    this.#parts = parts
  }

  plannerFor({ url }: PageRecord): Planner {
    const { policy, learner } = this.#rule
    return { policy: this.#scaled(policy, url), learner }
  }

  async begin(): Promise<void> {}

  predicted(): null {
    return null
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const { store, collection, clock, perPage } = this.#parts
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
    const { store, collection } = this.#parts
    const { pages } = await store.listPages({ collection, limit: 10_000 })
    return pages.reduce((sum, { visits }) => sum + Math.max(0, visits - 1), 0)
  }
}

/** Who spends the same budget on the same web. */
export const ways: readonly Way[] = [
  scaledRule('fixed (weekly, scaled)', { policy: fixed(), learner: null }),
  scaledRule("Nutch's rule, scaled", { policy: nutch, learner: null }),
  scaledRule('Malcolm & Armitage, scaled', {
    policy: malcolmArmitage(),
    learner: malcolmArmitageLearner,
  }),
  defaultWay,
]
