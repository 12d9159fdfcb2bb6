import type { EmpiricalPrior } from 'revisit/estimators'
import { HOUR } from 'revisit/model'
import {
  type LineChart,
  lineChart,
  type PaperFigure,
  paperFigure,
  type ScatterPlot,
  scatterPlot,
} from 'revisit/report'
import { censoringBias } from './censoring-bias.js'
import { type Edge, type PathStep, truth } from './edge-paths.js'
import { biasVisits } from './findings.js'
import { exampleCrawlers, total, updates } from './naive-example.js'
import { type UnchangedLaw, unchangedGrid } from './unchanged-law.js'

/** Updates and visits on three rows. */
export function figure1(): PaperFigure {
  const crawlers = exampleCrawlers()
  const visits = (changed: boolean) =>
    crawlers.flatMap(({ gap, visits }) =>
      visits.filter((visit) => visit.changed === changed).map(({ at }) => ({ x: at, y: 3 - gap })),
    )
  const data: ScatterPlot = {
    title: 'Figure 1: what two crawlers see of seven updates',
    subtitle: 'row 3: the page; row 2: a visit every C; row 1: a visit every 2C',
    description:
      'Three rows of dots over time: seven updates; eight visits of which six see a change; four visits which all see one.',
    x: { title: 'time (gaps C)', domain: [0, total + 0.3] },
    y: { title: 'row', domain: [0, 4] },
    groups: [
      { name: 'update', points: updates.map((x) => ({ x, y: 3 })) },
      { name: 'visit that saw a change', points: visits(true) },
      { name: 'visit that saw none', points: visits(false) },
    ],
  }
  const naive = crawlers.map(({ perTotal }) => `${perTotal.naive.toFixed(0)}/T`)
  return paperFigure(
    {
      file: 'figure-1.svg',
      caption: `The naive estimate counts visits that saw a change: ${naive.join(' and ')} instead of 7/T, as printed. Two updates between two visits count once.`,
    },
    scatterPlot,
    data,
  )
}

export function biasFigure(): PaperFigure {
  const ratios = Array.from({ length: 60 }, (_, i) => 0.05 * (i + 1))
  const biases = ratios.map((ratio) => censoringBias({ visits: biasVisits, ratio }))
  const data: LineChart = {
    title: 'Equation 1: bias of the naive and of the corrected estimate',
    subtitle: `exact, ${biasVisits} visits at equal gaps C`,
    description: 'Two lines over C / Delta: the naive estimate falls away, eq. 1 stays near 1.',
    x: { title: 'C / Delta: changes expected in a gap', domain: [0, 3] },
    y: { title: 'mean of estimate over truth', domain: [0, 1.1] },
    series: [
      { name: 'naive', points: biases.map(({ ratio, naive }) => ({ x: ratio, y: naive })) },
      {
        name: 'eq. 1',
        points: biases.map(({ ratio, biasReduced }) => ({ x: ratio, y: biasReduced })),
      },
    ],
    references: [{ name: 'unbiased', y: 1 }],
  }
  return paperFigure(
    { file: 'equation-1.svg', caption: 'Printed as Delta / C, eq. 1 estimates C / Delta.' },
    lineChart,
    data,
  )
}

export function figure2(paths: readonly PathStep[][]): PaperFigure {
  const of = (edge: Edge) =>
    paths.flatMap((path) =>
      path
        .filter((step) => step.edge === edge)
        .map(({ visit, changePeriod }) => ({ x: visit, y: changePeriod })),
    )
  const data: ScatterPlot = {
    title: 'Figure 2: 50 paths of the MLE for a page that changes every 24 hours',
    subtitle: 'first gaps from 7 to 693 hours, next gap 80% of the estimate',
    description:
      'Dots of estimated change periods over the visit; edge cases in colours of their own fill the first 10 to 15 visits.',
    x: { title: 'visit' },
    y: { title: 'estimated change period', kind: 'duration', scale: 'log' },
    groups: [
      { name: 'edge case: no change seen', points: of('no change seen') },
      { name: 'edge case: always changed', points: of('always changed') },
      { name: 'eq. 2', points: of('none') },
    ],
    published: {
      name: 'truth, 24 hours',
      points: [1, 10, 20, 30, 40, 50].map((x) => ({ x, y: truth })),
    },
  }
  return paperFigure(
    {
      file: 'figure-2.svg',
      caption:
        'Started from long gaps, every visit sees a change and the estimate is the shortest gap so far, so it falls by 20% a visit until a visit sees none.',
    },
    scatterPlot,
    data,
  )
}

/** Shares of pages by period, each law as steps over the grid's cells. */
export function figure3(
  laws: readonly { readonly name: string; readonly law: EmpiricalPrior }[],
): PaperFigure {
  const reported = laws.map(
    ({ name, law }) =>
      `${name}: ${(law.pages - law.unfinished).toLocaleString('en')} of ${law.pages.toLocaleString('en')} pages reached 25 changes`,
  )
  const data: LineChart = {
    title: 'Figure 3: change periods of pages sampled daily until 25 changes were seen',
    subtitle: reported.join('; '),
    description: 'Shares of pages over the estimated change period, one line a law.',
    x: { title: 'estimated change period', kind: 'duration', scale: 'log' },
    y: { title: 'share of pages in a cell', kind: 'share', domain: [0, 0.12] },
    series: laws.flatMap(({ name, law }) =>
      law.prior === null
        ? []
        : [
            {
              name,
              plottedAs: 'steps' as const,
              points: Array.from(law.prior.periods, (x, i) => ({ x, y: law.prior!.masses[i]! })),
            },
          ],
    ),
  }
  return paperFigure(
    {
      file: 'figure-3.svg',
      caption:
        'Pages that change faster than they are sampled all count as once a day or a little faster. Of the real pages those that never reached 25 changes are left out, as in the paper: they are the slow ones.',
    },
    lineChart,
    data,
  )
}

export function figure5(laws: readonly UnchangedLaw[]): PaperFigure[] {
  const chart = (
    which: 'likelihood' | 'posterior',
    { title, file, caption }: { title: string; file: string; caption: string },
  ): PaperFigure => {
    const data: LineChart = {
      title,
      subtitle: 'daily visits that all found nothing new',
      description: `The ${which} of the change period after 1, 5, 10 and 20 visits, each relative to its largest value.`,
      x: { title: 'change period', kind: 'duration', domain: [0, 60 * 24 * HOUR] },
      y: { title: `${which}, largest = 1`, domain: [0, 1.05] },
      series: laws.map(({ visits, [which]: values }) => ({
        name: `${visits} ${visits === 1 ? 'visit' : 'visits'}`,
        points: Array.from(unchangedGrid, (x, i) => ({ x, y: values[i]! })).filter(
          (_, i) => i % 6 === 0,
        ),
      })),
    }
    return paperFigure({ file, caption }, lineChart, data)
  }
  return [
    chart('likelihood', {
      file: 'figure-5-left.svg',
      title: 'Figure 5, left: likelihood while no change is seen',
      caption: 'It rises for ever: the most likely change period is infinite.',
    }),
    chart('posterior', {
      file: 'figure-5-right.svg',
      title: 'Figure 5, right: posterior with the law of the pages as prior',
      caption: 'Each curve has a peak, which moves to longer periods as calm visits add up.',
    }),
  ]
}
