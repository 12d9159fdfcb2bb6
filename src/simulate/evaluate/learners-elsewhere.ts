import { EqualGapTally, irregularMleLearner, predictivePseudoGaps } from '../../estimate/index.js'
import { DAY, type Learner } from '../../model/index.js'
import type { ReplayCollection } from './collection.js'
import type { Trial } from './contender.js'
import { PageReplay } from './page-replay.js'

/** Visits of a page that the fit looks at: a prior is for pages of which little is known. */
const earlyVisits = 20

const fitted = new WeakMap<ReplayCollection, Map<number, readonly Learner[]>>()

/**
 * For each source a learner whose two pseudo-gaps were fitted on all the other
 * sources: on what their pages would have shown in their first twenty visits
 * if the budget had been shared out evenly. With a single source, or one whose
 * pages are too short for that gap, the learner has no prior.
 */
export function learnersElsewhere({ collection, perDay }: Trial): (source: number) => Learner {
  const byBudget = fitted.get(collection) ?? new Map<number, readonly Learner[]>()
  fitted.set(collection, byBudget)
  const learners = byBudget.get(perDay) ?? learnersFor(collection, perDay)
  byBudget.set(perDay, learners)
  return (source) => learners[source]!
}

function learnersFor(collection: ReplayCollection, perDay: number): readonly Learner[] {
  const options = { gap: DAY / perDay, most: earlyVisits }
  const bySource = collection.sourceNames.map(() => new EqualGapTally(options))
  for (let page = 0; page < collection.ids.length; page++)
    bySource[collection.sources[page]!]!.page(earlyGaps(collection, { page, gap: options.gap }))
  const elsewhere = new EqualGapTally(options)
  for (const tally of bySource) elsewhere.add(tally)
  return bySource.map((home) => {
    elsewhere.add(home, { times: -1 })
    const found = predictivePseudoGaps(elsewhere)
    elsewhere.add(home)
    return irregularMleLearner(found === null ? {} : { pseudoGaps: found.pseudoGaps })
  })
}

/** Whether the page changed in each of its gaps, from its first visit on. */
function* earlyGaps(
  collection: ReplayCollection,
  { page, gap }: { page: number; gap: number },
): Generator<boolean> {
  const timeline = new PageReplay(collection, page)
  const until = collection.until[page]!
  for (let at = collection.from[page]! + gap; at <= until; at += gap) yield timeline.advance(at)
}
