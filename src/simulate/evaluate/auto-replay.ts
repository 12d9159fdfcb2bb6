import type { GroupLaw } from '../../estimate/index.js'
import { DAY, type Seconds } from '../../model/index.js'
import { AutoBudget } from './auto-budget.js'
import { AutoGroup } from './auto-group.js'
import { AutoPages, stages } from './auto-pages.js'
import type { ReplayCollection } from './collection.js'
import { Relearning } from './relearning.js'
import type { PageScores, RunOptions } from './rule.js'
import { visitTogether } from './visits-together.js'

export interface AutoOptions extends RunOptions {
  /** Visits a page and day that may be spent. */
  readonly perDay: number
  /** What is thought of a source's pages before any is looked at. */
  readonly lawFor: (source: number) => GroupLaw
  /** A price kept all along, instead of one that follows the budget. */
  readonly fixedPrice?: number
  /** Whether pages are visited when a page of their source changed, once that has proved worth it. */
  readonly neighbours?: boolean
}

/**
 * Replays a collection under the default. Pages of a source are a group: its
 * law and its clock are learned anew now and then from what its own visits
 * showed. Each morning the price of a request is set so that what is believed
 * of all pages asks for the budget, and what was spent too much or too little
 * is made good over the next thirty days: no hindsight.
 */
export function runAuto(collection: ReplayCollection, options: AutoOptions): PageScores {
  const budget = new AutoBudget(options)
  const price = () => budget.price
  const groups = collection.sourceNames.map(
    (_, source) => new AutoGroup({ law: options.lawFor(source), price }),
  )
  const pages = new AutoPages(collection, { ...options, groups, price })
  const relearning = new Relearning()
  for (let day = 0; day * DAY < collection.length; day++) {
    const morning = day * DAY
    if (relearning.isTime(day)) for (const group of groups) refresh(pages, { group, morning })
    budget.setPrice(pages, morning)
    const evening = morning + DAY
    if (options.neighbours) for (const group of groups) visitTogether(pages, { group, evening })
    else for (let page = 0; page < pages.size; page++) pages.visitUntil(page, evening)
    budget.allow(pages, morning)
  }
  return pages.scores
}

interface Refreshed {
  readonly group: AutoGroup
  readonly morning: Seconds
}

function refresh(pages: AutoPages, { group, morning }: Refreshed): void {
  const seen = group.pages.filter((page) => pages.stage[page] !== stages.ahead)
  if (seen.length === 0) return
  group.refresh(seen.map((page) => pages.states[page]!.memory))
  for (const page of seen)
    if (pages.stage[page] === stages.followed) replan(pages, { group, page, morning })
}

/** The next visit by the new law; one that is overdue by it waits for a moment of the day of its own. */
function replan(pages: AutoPages, { group, page, morning }: Refreshed & { page: number }): void {
  const state = pages.states[page]!
  state.belief = group.learner.belief(state.memory)
  const due = state.at + group.mind.policy.nextGap(state)
  const moment = morning + DAY * state.random.uniform()
  pages.replan(page, due < morning ? Math.max(moment, state.at + 60) : due)
}
