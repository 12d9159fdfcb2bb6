import { biasReduced, detectionGap, lastModified, meanContentAge } from 'revisit/estimators'
import { DAY, type Estimator, type Policy, type Seconds } from 'revisit/model'
import { malcolmArmitage1, malcolmArmitage2 } from 'revisit/policies'

/** How long each page is sampled, and the gap of the fixed scenarios. */
export const samplingPeriod: Seconds = 120 * DAY
export const dailyGap: Seconds = DAY
/** Daily gaps in the sampling period; the first visit comes before them. */
export const dailyGaps = samplingPeriod / dailyGap

/** One row of Table 2. */
export interface Scenario {
  readonly name: string
  readonly label: string
  /** Whether visits tell Last-Modified. */
  readonly dated: boolean
  readonly estimator: Estimator
  /** Null for a fixed gap of 24 hours. */
  readonly policy: Policy | null
}

/**
 * Table 2. The text says that scenarios 1 and 3 use Cho & Garcia-Molina's
 * formulas; the table says 1 and 4, and so does everything that follows.
 */
export const scenarios: readonly Scenario[] = [
  {
    name: 'S1',
    label: '1: Cho & Garcia-Molina with Last-Modified, daily',
    dated: true,
    estimator: lastModified,
    policy: null,
  },
  {
    name: 'S2',
    label: '2: mean content age, daily',
    dated: true,
    estimator: meanContentAge,
    policy: null,
  },
  {
    name: 'S3',
    label: '3: mean content age, Listing 1',
    dated: true,
    estimator: meanContentAge,
    policy: malcolmArmitage1(),
  },
  {
    name: 'S4',
    label: '4: Cho & Garcia-Molina, daily',
    dated: false,
    estimator: biasReduced,
    policy: null,
  },
  {
    name: 'S5',
    label: '5: eq. 3, daily',
    dated: false,
    estimator: detectionGap,
    policy: null,
  },
  {
    name: 'S6',
    label: '6: eq. 3, Listing 2',
    dated: false,
    estimator: detectionGap,
    policy: malcolmArmitage2(),
  },
]

export type ScenarioName = 'S1' | 'S2' | 'S3' | 'S4' | 'S5' | 'S6'

/** The scenario of that name. */
export function scenario(name: ScenarioName): Scenario {
  return scenarios.find((each) => each.name === name)!
}
