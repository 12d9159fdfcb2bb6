import { type GridPrior, hourlyGrid, pseudoGapPrior } from 'revisit/estimators'
import { DAY, HOUR } from 'revisit/model'
import {
  type LineChart,
  type LineSeries,
  lineChart,
  type PaperFigure,
  paperFigure,
} from 'revisit/report'
import type { NewPageStudy } from './new-page-study.js'
import { longestPlotted, regridded } from './new-pages.js'
import { printed } from './printed.js'

const isStated = ({ collection }: NewPageStudy) => collection.laws.length === 1

/** Ends a file name: the stated distribution has none. */
const suffix = (study: NewPageStudy) => (isStated(study) ? '' : '-real')

function publishedStart({ curves }: NewPageStudy): LineSeries {
  const uniform = curves[2]!.deviation[0]!
  return {
    name: 'published start of the pseudo-gaps: 100 hours below the uniform start',
    plottedAs: 'dots',
    points: [{ x: 0, y: (uniform - printed.better) / HOUR }],
  }
}

export function figure4(study: NewPageStudy): PaperFigure {
  const { firstGap, collection } = study
  const data: LineChart = {
    title: `Figure 4: deviation over the first 5 visits by first gap, ${collection.name}`,
    subtitle: collection.about,
    description:
      'The median absolute deviation of the estimated change period over the first gap, up to 25 days.',
    x: { title: 'first gap', kind: 'duration', domain: [0, 25 * DAY] },
    y: { title: 'median absolute deviation (hours)', fromZero: true },
    series: [
      {
        name: 'MLE',
        points: firstGap.curve.map(({ firstGap: x, deviation }) => ({ x, y: deviation / HOUR })),
      },
    ],
    references: [
      { name: 'published best: 11 days', x: printed.bestFirstGap },
      { name: 'best here', x: firstGap.best.firstGap },
    ],
  }
  return paperFigure(
    {
      file: `figure-4${suffix(study)}.svg`,
      caption:
        'The next gap is 80% of the estimate. Which first gap is best follows from how fast the pages are.',
    },
    lineChart,
    data,
  )
}

/** Density over the period up to 25 days, as the paper plots it. */
export function figure6({ fits, collection }: NewPageStudy): PaperFigure {
  const grid = hourlyGrid({ longest: longestPlotted })
  const { plotted } = fits[0]!
  const points = ({ masses }: GridPrior) => Array.from(masses, (y, i) => ({ x: grid[i]!, y }))
  const data: LineChart = {
    title: 'Figure 6: the law of change periods, and two pseudo-gaps in its place',
    subtitle: `${collection.name}, periods up to 25 days`,
    description: 'Two densities over the change period, close to each other.',
    x: { title: 'change period', kind: 'duration', domain: [0, longestPlotted] },
    y: { title: 'mass of an hour', fromZero: true },
    series: [
      { name: 'true law', points: points(regridded(collection.laws[0]!, grid)) },
      {
        name: 'two pseudo-gaps',
        points: points(pseudoGapPrior(plotted.pseudoGaps, { grid, reading: plotted.reading })),
      },
    ],
  }
  return paperFigure(
    {
      file: 'figure-6.svg',
      caption:
        'The likelihood of the two pseudo-gaps read as a density of the period, fitted by annealing.',
    },
    lineChart,
    data,
  )
}

/** The same over the logarithm of the period, and with the likelihood read over change rates. */
export function figure6Log({ fits, collection }: NewPageStudy): PaperFigure {
  const law = collection.laws[0]!
  const { log, perTime } = fits[0]!
  const points = ({ periods, masses }: GridPrior) =>
    Array.from(periods, (x, i) => ({ x, y: masses[i]! }))
  const induced = ({ pseudoGaps, reading }: typeof log) =>
    points(pseudoGapPrior(pseudoGaps, { grid: law.periods, reading }))
  const data: LineChart = {
    title: 'Figure 6 over log periods: the law, and two pseudo-gaps in its place',
    subtitle: `${collection.name}; masses of 64 cells in equal ratios`,
    description:
      'The true law is a bell over the logarithm of the period; one law of two pseudo-gaps follows it, the other is narrower.',
    x: { title: 'change period', kind: 'duration', scale: 'log' },
    y: { title: 'mass of a cell', fromZero: true },
    series: [
      { name: 'true law', points: points(law) },
      { name: 'two pseudo-gaps', points: induced(log) },
      { name: 'two pseudo-gaps, read over change rates', points: induced(perTime) },
    ],
  }
  return paperFigure(
    {
      file: 'figure-6-log.svg',
      caption:
        'Read as a density of the change rate, two pseudo-gaps cannot be as wide as the law: their coefficient of variation is at most 1.',
    },
    lineChart,
    data,
  )
}

export function figure7(study: NewPageStudy): PaperFigure {
  const { curves, collection } = study
  const data: LineChart = {
    title: `Figure 7: deviation of the estimates of new pages by visit, ${collection.name}`,
    subtitle: `${collection.about}; next gap = estimate`,
    description:
      'The median absolute deviation of the estimated change period over the visit, one line an estimator.',
    x: { title: 'visit', domain: [0, 30] },
    y: { title: 'median absolute deviation (hours)', fromZero: true },
    series: [
      ...curves.map(({ name, deviation }) => ({
        name,
        points: Array.from(deviation.subarray(0, 31), (y, x) => ({ x, y: y / HOUR })),
      })),
      ...(isStated(study) ? [publishedStart(study)] : []),
    ],
  }
  return paperFigure(
    {
      file: `figure-7${suffix(study)}.svg`,
      caption: isStated(study)
        ? 'The paper prints that the pseudo-gaps start 100 hours below a uniform start. Here the lines start close together and part over the first five visits.'
        : 'Pseudo-gaps fitted over periods up to 25 days start far too short for these pages; over log periods they and the posterior lead from the second visit on.',
    },
    lineChart,
    data,
  )
}

/** Freshness since the pages were found, under the second budget. */
export function freshnessFigure(study: NewPageStudy): PaperFigure {
  const { months, monthPages, collection } = study
  const { budget, scores } = months[1] ?? months[0]!
  const data: LineChart = {
    title: `Freshness of new pages at equal numbers of visits, ${collection.name}`,
    subtitle: `${monthPages.toLocaleString('en')} pages, ${budget} visits a page in 30 days`,
    description:
      'The mean share of copies that were up to date since the pages were found, over the days since then.',
    x: { title: 'since the pages were found', kind: 'duration', domain: [0, 30 * DAY] },
    y: { title: 'freshness so far', kind: 'share', domain: [0.4, 1] },
    series: scores.map(({ name, freshUpTo }) => ({
      name,
      points: Array.from(freshUpTo, (y, i) => ({ x: ((i + 1) * DAY) / 2, y })),
    })),
  }
  return paperFigure(
    {
      file: `freshness${suffix(study)}.svg`,
      caption:
        'The claim of the abstract, for which the paper has no figure: the best estimates do not give the freshest copies. One gap for all pages, which estimates nothing, ends highest.',
    },
    lineChart,
    data,
  )
}
