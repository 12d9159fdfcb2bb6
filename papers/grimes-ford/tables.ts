import { DAY } from 'revisit/model'
import type { PaperTable } from 'revisit/report'
import { percent } from '../words.js'
import { censoringBias } from './censoring-bias.js'
import type { EdgeStudy } from './edge-paths.js'
import { biasVisits } from './findings.js'
import type { NewPageStudy } from './new-page-study.js'
import { hours } from './words.js'

const shownVisits = [0, 1, 2, 3, 4, 5, 10, 20, 50]

export function deviationTable({ curves, uniform, collection }: NewPageStudy): PaperTable {
  const row = (name: string, deviation: Float64Array) => [
    name,
    ...shownVisits.map((visit) => hours(deviation[visit]!)),
  ]
  return {
    title: `Figure 7: median absolute deviation by visit in hours, ${collection.name}`,
    caption: `${collection.about}. Visit 0 is before the first. The next gap is the estimate.`,
    columns: ['estimator', ...shownVisits.map(String)],
    rows: [
      ...curves.map(({ name, deviation }) => row(name, deviation)),
      ...uniform.map(({ upTo, deviation }) =>
        row(`MLE from a uniform start up to ${upTo / DAY} days`, deviation),
      ),
    ],
  }
}

export function freshnessTable({ months, collection }: NewPageStudy): PaperTable {
  return {
    title: `The first 30 days of new pages at equal numbers of visits, ${collection.name}`,
    caption:
      'Every gap is the estimate times one factor for all pages, chosen so that each way makes the same number of visits. Deviation: median over pages of the mean absolute error of the estimate in that time.',
    columns: ['visits a page', 'estimator', 'fresh', 'deviation in hours'],
    rows: months.flatMap(({ budget, scores }) =>
      scores.map(({ name, freshness, deviation }) => [
        budget,
        name,
        percent(freshness),
        hours(deviation),
      ]),
    ),
  }
}

export function biasTable(): PaperTable {
  return {
    title: `Section 3.3: mean of estimate over truth after ${biasVisits} visits at equal gaps C`,
    caption: 'Exact sums over the number of changed gaps.',
    columns: ['C / Delta', 'naive', 'eq. 1'],
    rows: [0.1, 0.25, 0.5, 1, 1.5, 2, 3].map((ratio) => {
      const { naive, biasReduced } = censoringBias({ visits: biasVisits, ratio })
      return [ratio, naive.toFixed(3), biasReduced.toFixed(3)]
    }),
  }
}

export function edgeTable({ byStart }: EdgeStudy): PaperTable {
  return {
    title: 'Section 4.1: a page that changes every 24 hours, by first gap',
    columns: [
      'first gap in hours',
      'edge cases among 15 estimates',
      'error after 5 visits in hours',
      'error after 15 visits in hours',
    ],
    rows: byStart.map(({ firstGap, edges, errorAtFive, errorAtFifteen }) => [
      hours(firstGap),
      percent(edges),
      hours(errorAtFive),
      hours(errorAtFifteen),
    ]),
  }
}

export function fitTable(studies: readonly NewPageStudy[]): PaperTable {
  return {
    title: 'Figure 6: the two pseudo-gaps',
    caption:
      'Distance: L2 distance between the two densities over the norm of the law. Variation: standard deviation over mean of the change rate under the law; two pseudo-gaps read over change rates reach 0.71 to 1.',
    columns: [
      'law',
      'densities over',
      'changed, hours',
      'unchanged, hours',
      'distance',
      'variation',
      'reach',
    ],
    rows: studies.flatMap(({ collection, fits }) =>
      fits.flatMap(({ plotted, log, perTime }, i) =>
        (
          [
            ['periods up to 25 days', plotted],
            ['log periods', log],
            ['periods, likelihood over change rates', perTime],
          ] as const
        ).map(([over, fit]) => [
          fits.length > 1 ? `${collection.name}, sources of half ${2 - i}` : collection.name,
          over,
          hours(fit.pseudoGaps.changed),
          hours(fit.pseudoGaps.unchanged),
          fit.distance.toFixed(3),
          fit.variation.toFixed(2),
          fit.reach,
        ]),
      ),
    ),
  }
}
