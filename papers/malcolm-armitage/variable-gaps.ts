import { biasReduced, detectionGap } from 'revisit/estimators'
import { poisson, RunningMoments, Scores, visitPage } from 'revisit/lab'
import { DAY, type Estimator, type Observation, type Policy, type Seconds } from 'revisit/model'
import { Random } from 'revisit/numeric'
import { learnerNamed, PageState } from 'revisit/planner'
import type { Finding } from 'revisit/report'
import { verdictOf } from '../verdict-of.js'
import { samplingPeriod, scenario } from './scenarios.js'
import { periodOr } from './visit-page.js'

const periods: readonly Seconds[] = [1, 3, 10, 30].map((days) => days * DAY)
/** Change periods for which Listing 2 makes gaps of very different lengths: ten minutes to days. */
const slow = periods.slice(2)

/** Mean estimate / truth of both estimators on the same visits. */
interface VariablePoint {
  readonly changePeriod: Seconds
  readonly theirs: RunningMoments
  readonly ours: RunningMoments
}

/**
 * Section VI: the estimator of [3] knows one gap, so uneven gaps are taken at
 * their mean. Both estimators read the very visits that Listing 2 makes.
 */
export function variableGaps({
  pages,
  seed,
}: {
  readonly pages: number
  readonly seed: number
}): Finding {
  const points = periods.map((changePeriod, i) =>
    variablePoint({ changePeriod, pages, random: new Random(seed + i) }),
  )
  const shown = (of: 'theirs' | 'ours') =>
    points
      .map((point) => `${point[of].mean.toFixed(2)} at ${point.changePeriod / DAY} d`)
      .join(', ')
  const off = (of: 'theirs' | 'ours') =>
    points
      .filter(({ changePeriod }) => slow.includes(changePeriod))
      .map((point) => Math.abs(point[of].mean - 1) - 4 * errorOf(point[of]))
  const poor = off('theirs').every((bias) => bias > 0.1)
  const good = off('ours').every((bias) => bias < 0.02)
  return {
    claim: 'formula-of-3-at-variable-gaps',
    ours: `bias ratio under Listing 2: Cho & Garcia-Molina ${shown('theirs')}; eq. 3 ${shown('ours')}`,
    verdict: verdictOf(poor, good),
    why: `${pages.toLocaleString('en')} Poisson pages at each change period, both estimators on the same visits over 120 days. The estimator of [3] takes every gap for the mean gap: the many short gaps of the beginning, without a change, count as much as the long ones. Bounds of the verdict: more than 10% off beyond four standard errors at 10 and 30 days, where eq. 3 is within 2%.`,
  }
}

function errorOf({ standardDeviation, count }: RunningMoments): number {
  return standardDeviation / Math.sqrt(count)
}

function variablePoint({
  changePeriod,
  pages,
  random,
}: {
  readonly changePeriod: Seconds
  readonly pages: number
  readonly random: Random
}): VariablePoint {
  const process = poisson({ period: changePeriod })
  const point = { changePeriod, theirs: new RunningMoments(), ours: new RunningMoments() }
  for (let i = 0; i < pages; i++) {
    const observations = listing2Visits(process.timeline({ from: 0, random }), random)
    const ratio = (estimator: Estimator) => {
      const history = { start: { at: 0 }, observations }
      const sampled = observations.at(-1)!.at
      return periodOr(estimator, { history, samplingPeriod: sampled }) / changePeriod
    }
    point.theirs.add(ratio(biasReduced))
    point.ours.add(ratio(detectionGap))
  }
  return point
}

/** What Listing 2 sees of a page in the sampling period. */
function listing2Visits(
  timeline: Parameters<typeof visitPage>[3]['timeline'],
  random: Random,
): readonly Observation[] {
  const observations: Observation[] = []
  const listing2 = scenario('S6').policy!
  const policy: Policy = {
    ...listing2,
    nextGap(view) {
      const { at, gap, changed } = view
      if (gap > 0) observations.push({ at, gap, changed })
      return listing2.nextGap(view)
    },
  }
  const learner = learnerNamed(listing2.learner!)
  const state = new PageState({ learner, random })
  const loop = { timeline, from: 0, until: samplingPeriod }
  visitPage({ policy, learner }, state, new Scores(), loop)
  return observations
}
