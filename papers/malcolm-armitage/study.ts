import { samplingError } from 'revisit/estimators'
import { poisson, RunningMoments } from 'revisit/lab'
import { DAY, HOUR, MINUTE, type Seconds } from 'revisit/model'
import { Random } from 'revisit/numeric'
import { exactMoments } from './exact-daily.js'
import { scenario1 } from './scenario-1.js'
import { dailyGap, dailyGaps, type ScenarioName, samplingPeriod, scenario } from './scenarios.js'
import { estimatePage } from './visit-page.js'

/** Change periods of the figures, from 5 minutes to 100 days. */
export const changePeriods: readonly Seconds[] = [
  ...[5, 10, 20, 40].map((n) => n * MINUTE),
  ...[1, 2, 4, 6, 9, 12].map((n) => n * HOUR),
  ...[1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 62, 80, 100].map((n) => n * DAY),
]

/** One scenario at one change period: one point of each of Figures 1a, 1b and 1c. */
export interface ScenarioPoint {
  readonly scenario: ScenarioName
  readonly changePeriod: Seconds
  /** Mean estimate / truth. */
  readonly bias: number
  /** Standard deviation of the estimates / truth. */
  readonly sd: number
  readonly visits: number
  /** How many pages were simulated; 0 where it is exact. */
  readonly pages: number
  /** Standard error of `bias`; 0 where it is exact. */
  readonly biasError: number
  /** The longest estimate there was; undefined where it is exact. */
  readonly longest?: Seconds
}

export interface StudyOptions {
  /** Pages at each change period; up to 16 times as many where a schedule makes few visits. */
  readonly pages: number
  readonly seed: number
  readonly periods?: readonly Seconds[]
  readonly progress?: (share: number) => void
}

/**
 * The six scenarios over Poisson pages: 2, 4 and 5 exactly, 1, 3 and 6 by
 * simulation. Each change period and scenario has a random stream of its own.
 */
export function scenarioStudy(options: StudyOptions): ScenarioPoint[] {
  const { pages, seed, periods = changePeriods, progress = () => {} } = options
  const random = new Random(seed)
  return periods.flatMap((changePeriod, i) => {
    const simulated = (['S1', 'S3', 'S6'] as const).map((name) =>
      simulatedPoint(name, { changePeriod, pages, random: random.fork() }),
    )
    progress((i + 1) / periods.length)
    const points = [...simulated, ...exactPoints(changePeriod)]
    return points.sort((a, b) => a.scenario.localeCompare(b.scenario))
  })
}

function simulatedPoint(
  name: ScenarioName,
  run: { changePeriod: Seconds; pages: number; random: Random },
): ScenarioPoint {
  const { changePeriod, random } = run
  const pages = name === 'S1' ? run.pages : run.pages * moreOf(changePeriod)
  const ratios = new RunningMoments()
  const visits = new RunningMoments()
  const process = poisson({ period: changePeriod })
  let longest = 0
  for (let i = 0; i < pages; i++) {
    const timeline = process.timeline({ from: 0, random })
    const page = { timeline, from: 0, until: samplingPeriod, random }
    const found = name === 'S1' ? scenario1(page) : estimatePage(scenario(name), page)
    ratios.add(found.changePeriod / changePeriod)
    visits.add(found.visits)
    longest = Math.max(longest, found.changePeriod)
  }
  return {
    scenario: name,
    changePeriod,
    bias: ratios.mean,
    sd: ratios.standardDeviation,
    visits: visits.mean,
    pages,
    biasError: ratios.standardDeviation / Math.sqrt(pages),
    longest,
  }
}

/** Slow pages differ much in the number of their visits, and with few visits cost little. */
function moreOf(changePeriod: Seconds): number {
  if (changePeriod >= 50 * DAY) return 16
  return changePeriod >= 20 * DAY ? 4 : 1
}

/** Scenario 2 is unbiased, and the variance of a mean of correlated ages has a closed form. */
export function exactPoints(changePeriod: Seconds): ScenarioPoint[] {
  const sampling = { changePeriod, gap: dailyGap, gaps: dailyGaps }
  const visits = dailyGaps + 1
  const dated = samplingError({ changePeriod, gap: dailyGap, visits }, 'content-ages')!
  const blind = (name: 'S4' | 'S5') => exactMoments(scenario(name).estimator, sampling)
  const common = { changePeriod, visits, pages: 0, biasError: 0 }
  return [
    { scenario: 'S2', ...common, bias: 1, sd: dated },
    { scenario: 'S4', ...common, ...blind('S4') },
    { scenario: 'S5', ...common, ...blind('S5') },
  ]
}

/** The point of a scenario at a change period of the study. */
export function pointOf(
  points: readonly ScenarioPoint[],
  { scenario, changePeriod }: { scenario: ScenarioName; changePeriod: Seconds },
): ScenarioPoint {
  return points.find((each) => each.scenario === scenario && each.changePeriod === changePeriod)!
}
