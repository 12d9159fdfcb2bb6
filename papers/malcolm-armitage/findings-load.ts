import { poisson, Scores, visitPage } from 'revisit/lab'
import { DAY, MINUTE } from 'revisit/model'
import { Random } from 'revisit/numeric'
import { learnerNamed, PageState } from 'revisit/planner'
import type { Finding } from 'revisit/report'
import { graded, holdsIf, percent } from '../words.js'
import { dailyGaps, type ScenarioName, scenario } from './scenarios.js'
import { changePeriods, pointOf, type ScenarioPoint } from './study.js'

const daily = dailyGaps + 1

/** Claims of section VII: what the visits cost. */
export function findingsLoad(
  points: readonly ScenarioPoint[],
  { seed }: { readonly seed: number },
): Finding[] {
  const visits = (name: ScenarioName, days: number) =>
    pointOf(points, { scenario: name, changePeriod: days * DAY }).visits
  const saved = (name: ScenarioName) => 1 - visits(name, 62) / daily
  return [
    {
      claim: 'sixty-two-days',
      ours: `${(62 * DAY) / MINUTE} minutes`,
      verdict: holdsIf(Math.abs((62 * DAY) / MINUTE / 90_000 - 1) < 0.01),
      why: '62 x 1440.',
    },
    {
      claim: 'three-quarters-fewer',
      ours: `${percent(saved('S3'))} (Listing 1), ${percent(saved('S6'))} (Listing 2)`,
      verdict: holdsIf(saved('S3') >= 0.75 && saved('S6') >= 0.75),
      why: `${visits('S3', 62).toFixed(1)} and ${visits('S6', 62).toFixed(1)} visits instead of 121.`,
    },
    fewerInMostCases(points),
    shortAtStart({ seed }),
  ]
}

function fewerInMostCases(points: readonly ScenarioPoint[]): Finding {
  const all = changePeriods.length
  const cases = (name: ScenarioName) =>
    points.filter((each) => each.scenario === name && each.visits < daily - 0.05)
  const most = Math.max(...points.map(({ visits }) => visits))
  const [dated, undated] = [cases('S3').length, cases('S6').length]
  return {
    claim: 'fewer-in-most-cases',
    ours: `Listing 1 at ${dated} of ${all} change periods, Listing 2 at ${undated}; Listing 2 makes up to ${most.toFixed(0)} visits elsewhere`,
    verdict: graded({
      holds: dated > 0.75 * all && undated > 0.75 * all,
      inPart: dated + undated > all,
    }),
    why: 'Listing 1 never makes more than daily visits. Listing 2 makes up to 40% more for pages between 10 minutes and a day, where daily visits measure nothing.',
  }
}

/** Visits of a slow page in the first day of scenario 6. */
function shortAtStart({ seed }: { seed: number }): Finding {
  const policy = scenario('S6').policy!
  const learner = learnerNamed(policy.learner!)
  const random = new Random(seed)
  const pages = 2000
  let visits = 0
  for (let i = 0; i < pages; i++) {
    const timeline = poisson({ period: 62 * DAY }).timeline({ from: 0, random })
    const state = new PageState({ learner, random })
    visitPage({ policy, learner }, state, new Scores(), { timeline, from: 0, until: DAY })
    visits += state.visits
  }
  const mean = visits / pages
  return {
    claim: 'short-at-start',
    ours: `${mean.toFixed(1)} visits in the first day of a page of 62 days; daily visits make 2`,
    verdict: holdsIf(mean > 4),
    why: 'Gaps begin at 10 minutes and double until a change is seen.',
  }
}
