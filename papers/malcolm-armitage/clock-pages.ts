import { type ChangeProcess, constantGaps, hourOfWeek, RunningMoments } from 'revisit/lab'
import { DAY } from 'revisit/model'
import { Random } from 'revisit/numeric'
import { type ScenarioName, samplingPeriod, scenarios } from './scenarios.js'
import { estimatePage } from './visit-page.js'

/** What a scenario makes of pages that keep to the clock. */
export interface ClockPoint {
  readonly process: string
  readonly scenario: ScenarioName
  readonly bias: number
  readonly sd: number
  readonly visits: number
}

const hourOfDay = 9
/** All changes fall into one hour of the day, whichever day it is. */
const oneHourADay = Float64Array.from({ length: 168 }, (_, hour) =>
  hour % 24 === hourOfDay ? 1 : 0,
)

/**
 * The paper's future work: pages that change at the same time each day. One
 * kind changes exactly every 24 hours; the other once a day on average, at
 * random, but always between 9 and 10 o'clock. Visits start at any time of day.
 */
export const clockProcesses: ReadonlyArray<{ name: string; process: ChangeProcess }> = [
  { name: 'exactly every 24 h', process: constantGaps({ period: DAY }) },
  {
    name: 'at random in one hour of the day',
    process: hourOfWeek({ period: DAY, weights: oneHourADay }),
  },
]

export function clockStudy({ pages, seed }: { pages: number; seed: number }): ClockPoint[] {
  return clockProcesses.flatMap(({ name, process }) =>
    scenarios.map((scenario) => {
      const random = new Random(seed)
      const ratios = new RunningMoments()
      const visits = new RunningMoments()
      for (let i = 0; i < pages; i++) {
        const from = DAY * random.uniform()
        const timeline = process.timeline({ from, random })
        const found = estimatePage(scenario, {
          timeline,
          from,
          until: from + samplingPeriod,
          random,
        })
        ratios.add(found.changePeriod / DAY)
        visits.add(found.visits)
      }
      return {
        process: name,
        scenario: scenario.name as ScenarioName,
        bias: ratios.mean,
        sd: ratios.standardDeviation,
        visits: visits.mean,
      }
    }),
  )
}
