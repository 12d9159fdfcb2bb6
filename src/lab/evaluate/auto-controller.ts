import type { Seconds } from '../../model/units.js'
import { type Ledger, nextLedger, priceIn } from '../../planner/budget/budget-controller.js'
import {
  CollectionStatistics,
  isElsewhere,
  isTimeToLearn,
  notAllAtOnce,
  runningGap,
  sampleStride,
  shortestOwnGap,
} from '../../planner/collection/statistics.js'
import { type GroupChangeLaw, keptPosterior } from '../../planner/posterior/posterior.js'
import { changeLawOfGroup } from '../../planner/prior/prior.js'
import { fewestVisits, PriorLearner } from '../../planner/prior/prior-learner.js'
import { finished } from '../../planner/sliced.js'
import { type Objective, usualPrices } from '../../planner/value/objective.js'
import type { PlanPage } from '../../planner/value/planned-page.js'
import { type ReplayedPages, stages } from './replayed-pages.js'

export interface ControllerOptions {
  /** Visits a page and day that may be spent. */
  readonly perDay: number
  /** What is thought of a source's pages before any is visited. */
  readonly lawFor: (source: number) => GroupChangeLaw
  /** A price kept all along, instead of one that follows the budget. */
  readonly fixedPrice?: number
  readonly objective?: Objective
}

/** What the crawler's controller does once a day for a collection, over the pages of a replay. */
export class AutoController {
  price: number
  readonly #replay: ReplayedPages
  readonly #options: ControllerOptions
  #ledger: Ledger | null = null
  #learnedFrom = 0

  constructor(replay: ReplayedPages, options: ControllerOptions) {
    this.#replay = replay
    this.#options = options
    this.price = options.fixedPrice ?? usualPrices[replay.objective]
  }

  /** Scans all pages that are there: learns the prior if it is time, and sets the price. */
  scan(now: Seconds): void {
    const { collection, stage } = this.#replay
    const statistics = new CollectionStatistics()
    const pages: number[] = []
    for (let page = 0; page < stage.length; page++) {
      if (collection.from[page]! > now) continue
      const { visits, firstVisits } = this.#replay.scores[page]!
      if (stage[page] === stages.over) statistics.spent += visits - firstVisits
      else {
        pages.push(page)
        statistics.add({ page: this.#record(page), comparisons: visits - firstVisits, now })
      }
    }
    if (pages.length === 0) return
    if (isTimeToLearn(statistics.comparisons, this.#learnedFrom)) {
      this.#learn(pages)
      this.#learnedFrom = statistics.comparisons
      for (const page of pages) this.#replan(page, now)
    }
    if (this.#options.fixedPrice !== undefined) return
    const stride = sampleStride(pages.length)
    const sample = pages.filter((_, i) => i % stride === 0).map((page) => this.#planPage(page, now))
    const requestsPerDay = this.#options.perDay * pages.length
    this.#ledger = nextLedger(this.#ledger, { statistics, requestsPerDay, now, sample })
    this.price = priceIn(this.#ledger, this.#replay.objective)
    // What was planned at the price of another budget is planned anew.
    if (this.#ledger.began === now) for (const page of pages) this.#replan(page, now)
  }

  #record(page: number) {
    const seen = this.#replay.stage[page] === stages.followed
    const lastSeen = seen ? this.#replay.states[page]!.at : null
    const due = { at: this.#replay.due.at(page), reason: '' }
    return { lastSeen, due, failing: 0, gone: 0, lastVisit: null, importance: 1 }
  }

  #planPage(page: number, now: Seconds): PlanPage {
    const { collection, states, stage } = this.#replay
    const learner = this.#replay.learnerOf(page)
    const { memory, at } = states[page]!
    const seen = stage[page] === stages.followed
    if (!seen) learner.start(memory, Number.NaN)
    return {
      host: collection.sourceNames[collection.sources[page]!]!,
      objective: this.#replay.objective,
      importance: 1,
      at: seen ? at : now,
      posterior: keptPosterior(learner.posterior(memory)),
      clock: learner.law.clock,
      limits: {},
      ownGap: null,
      running: runningGap(this.#record(page)),
    }
  }

  #learn(pages: readonly number[]): void {
    const { collection, states } = this.#replay
    const nameOf = (page: number) => collection.sourceNames[collection.sources[page]!]!
    const sourceOf = new Map(collection.sourceNames.map((name, source) => [name, source]))
    const learnerFor = (group: string) => this.#replay.learnerOfSource(sourceOf.get(group)!)
    const learner = new PriorLearner<number>({ pages: pages.length, learnerFor })
    for (const page of pages)
      if (states[page]!.visits > 1)
        learner.add(nameOf(page), { page, memory: states[page]!.memory })
    for (const { group, page } of learner.wanted()) {
      const { history, fromFirst } = this.#replay.historyOf(page)
      if (states[page]!.visits >= fewestVisits) learner.addHistory(group, history, { fromFirst })
    }
    for (const [base, names] of this.#byBase()) {
      const prior = finished(learner.learn({ how: 'a replay', base, only: names }))
      for (const name of names)
        this.#replay.useLaw(sourceOf.get(name)!, changeLawOfGroup(prior, name))
    }
  }

  /** Sources that began with the same law are learned together. */
  #byBase(): Map<GroupChangeLaw, Set<string>> {
    const groups = new Map<GroupChangeLaw, Set<string>>()
    this.#replay.collection.sourceNames.forEach((name, source) => {
      const base = this.#options.lawFor(source)
      groups.set(base, (groups.get(base) ?? new Set()).add(name))
    })
    return groups
  }

  /** The next visit by the new law, where it falls elsewhere. */
  #replan(page: number, now: Seconds): void {
    const { stage, states, due } = this.#replay
    if (stage[page] !== stages.followed || this.#replay.isCalled(page)) return
    const state = states[page]!
    const gap = runningGap(this.#record(page), { shortest: shortestOwnGap })!
    const { policy } = this.#replay.plannerOf(page)
    state.posterior = this.#replay.learnerOf(page).posterior(state.memory)
    const waiting = { lastSeen: state.at, gap, now }
    const wanted = state.at + policy.nextGap(state)
    if (!isElsewhere(wanted, waiting)) return
    due.set(page, notAllAtOnce(wanted, { ...waiting, random: state.random }))
  }
}
