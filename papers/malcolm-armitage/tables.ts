import type { PaperTable } from 'revisit/report'
import { percent } from '../words.js'
import type { ClockPoint } from './clock-pages.js'
import { inDays } from './figures.js'
import { fewestChanges, type RealPoint } from './real-pages.js'
import { type ScenarioName, scenarios } from './scenarios.js'
import { changePeriods, pointOf, type ScenarioPoint } from './study.js'

/** Every point of Figures 1a to 1c in numbers. */
export function scenarioTables(points: readonly ScenarioPoint[]): PaperTable[] {
  const shown = (
    title: string,
    value: (point: ScenarioPoint) => string,
    names: readonly ScenarioName[],
  ): PaperTable => ({
    title,
    columns: ['change period', ...names.map((name) => `scenario ${name.slice(1)}`)],
    rows: changePeriods.map((changePeriod) => [
      inDays(changePeriod),
      ...names.map((scenario) => value(pointOf(points, { scenario, changePeriod }))),
    ]),
  })
  const all = scenarios.map(({ name }) => name as ScenarioName)
  return [
    {
      ...shown('Figure 1a: mean estimate / true change period', (at) => at.bias.toFixed(3), all),
      caption: 'Scenarios 2, 4 and 5 are exact sums; 1, 3 and 6 are simulated.',
    },
    shown('Figure 1b: standard deviation / true change period', (at) => percent(at.sd), all),
    {
      ...shown('Figure 1c: visits', (at) => at.visits.toFixed(1), ['S3', 'S6']),
      caption: 'The other scenarios make 121.',
    },
  ]
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
