import { empiricalPrior } from '../../estimators/prior/empirical-prior.js'
import { lawOfPeriods, pseudoGapsOf } from '../../estimators/prior/fitted-rates.js'
import type { RatePrior } from '../../estimators/prior/rate-prior.js'
import { irregularMleLearner } from '../../estimators/rate/irregular-mle.js'
import type { Observation } from '../../model/history.js'
import { DAY, type Seconds } from '../../model/units.js'
import type { Planner } from '../../planner/step.js'
import { grimesFord } from '../../policies/grimes-ford.js'
import type { ReplayCollection } from './collection.js'
import type { Trial } from './contender.js'
import { PageReplay } from './policy-replay.js'

/** The paper does not say how often its sample was visited; here once a day. */
const samplingGap: Seconds = DAY

const fitted = new WeakMap<ReplayCollection, readonly Planner[]>()

/**
 * For each source the policy of Grimes & Ford as it runs in a crawler after
 * `revisit prior fit --method pseudo-gaps`, fitted on all the other sources: the law of the
 * pages that daily visits saw change 25 times, and by annealing the two
 * pseudo-gaps that stand for it. Without a prior where no such page is elsewhere.
 */
export function annealedPlanners({ collection }: Trial): (source: number) => Planner {
  const planners = fitted.get(collection) ?? plannersOf(collection)
  fitted.set(collection, planners)
  return (source) => planners[source]!
}

function plannersOf(collection: ReplayCollection): readonly Planner[] {
  const periods = collection.ids.map((_, page) => periodOf(collection, page))
  return collection.sourceNames.map((_, source) => {
    const others = periods.flatMap((period, page) =>
      period === null || collection.sources[page] === source ? [] : period,
    )
    if (others.length === 0) return { policy: grimesFord(), learner: irregularMleLearner() }
    const law = lawOfPeriods(others)
    const pseudoGaps = pseudoGapsOf({ kind: 'law', law })
    const prior: RatePrior = { kind: 'pseudo-gaps', from: 'those of other sources', pseudoGaps }
    return { policy: grimesFord({ prior }), learner: irregularMleLearner(prior) }
  })
}

/** A page's estimated change period once 25 changes were seen; null where they never were. */
function periodOf(collection: ReplayCollection, page: number): Seconds | null {
  const timeline = new PageReplay(collection, page)
  const from = collection.from[page]!
  const observations: Observation[] = []
  for (let at = from + samplingGap; at <= collection.until[page]!; at += samplingGap)
    observations.push({ at, gap: samplingGap, changed: timeline.advance(at) })
  return empiricalPrior([{ start: { at: from }, observations }]).changePeriods[0] ?? null
}
