import type { PaperTable } from '../paper.js'
import { percent } from '../words.js'
import type { ClockPoint } from './clock-pages.js'
import { inDays } from './figures.js'
import { fewestChanges, type RealPoint } from './real-pages.js'
import { scenarios } from './scenarios.js'
import { changePeriods, pointOf, type ScenarioPoint } from './study.js'

/** Every point of Figures 1a to 1c in numbers. */
export function scenarioTable(points: readonly ScenarioPoint[]): PaperTable {
  const cell = ({ bias, sd }: ScenarioPoint) => `${bias.toFixed(3)} / ${percent(sd)}`
  const names = scenarios.map(({ name }) => name as ScenarioPoint['scenario'])
  return {
    title: 'The six scenarios: bias ratio / standard deviation, and visits',
    caption:
      'Poisson pages sampled for 120 days. S2, S4 and S5 are exact sums, S1, S3 and S6 simulated. S1, S2, S4 and S5 make 121 visits.',
    columns: ['change period', ...names, 'S3 visits', 'S6 visits'],
    rows: changePeriods.map((changePeriod) => {
      const at = (scenario: ScenarioPoint['scenario']) =>
        pointOf(points, { scenario, changePeriod })
      return [
        inDays(changePeriod),
        ...names.map((name) => cell(at(name))),
        at('S3').visits.toFixed(1),
        at('S6').visits.toFixed(1),
      ]
    }),
  }
}

export function clockTable(points: readonly ClockPoint[]): PaperTable {
  return {
    title: 'Future work: pages that change at the same time each day (change period 1 day)',
    caption:
      'Daily visits meet such a page always at the same point of its day: whether it changed says nothing of how often, and the content age is the distance to that hour.',
    columns: ['page', 'scenario', 'bias ratio', 'standard deviation', 'visits'],
    rows: points.map(({ process, scenario, bias, sd, visits }) => [
      process,
      scenarios.find(({ name }) => name === scenario)!.label,
      bias.toFixed(3),
      percent(sd),
      visits.toFixed(1),
    ]),
  }
}

export function realTable(points: readonly RealPoint[]): PaperTable {
  return {
    title: 'Future work: a year of real pages, estimate / true mean change period',
    caption: `Pages recorded for the whole year with at least ${fewestChanges} changes in it. "all" holds pages that a poller recorded, their changes spread back over its cadence; "exact times" does not.`,
    columns: [
      'scenario',
      'pages',
      'count',
      'lower quartile',
      'median',
      'upper quartile',
      'within a factor of 2',
      'visits',
    ],
    rows: points.map((point) => [
      scenarios.find(({ name }) => name === point.scenario)!.label,
      point.pages,
      point.count,
      point.lower.toFixed(2),
      point.median.toFixed(2),
      point.upper.toFixed(2),
      percent(point.withinTwo, { digits: 0 }),
      point.visits.toFixed(0),
    ]),
  }
}
