import {
  cdfAt,
  type DistributionCurve,
  fivePointLaw,
  forwardSlope,
  m2,
  updateGapCdf,
} from 'revisit/estimators'
import { percent } from 'revisit/model'
import type { Finding, PaperFigure, PaperResult } from 'revisit/report'
import { lineFigure } from './figure.js'
import { logGrid } from './grid.js'
import { pareto } from './laws.js'
import { type Part, type PartRun, verdictOf } from './part.js'
import { constantGap } from './spacings.js'
import { watch } from './watch.js'
import { shown, shownAll } from './words.js'

const trueG = (x: number) => 1 - pareto.contentTail(x)
const widths = logGrid({ low: 1e-4, high: 1, count: 33 })
const truth = 0.5

/** E[U] and F_U from M2 by five-point derivatives: Figure 8. */
export const derivative: Part = {
  doing: 'update gaps from M2 by derivatives (Figure 8)',
  cost: 6,
  run(run): PaperResult {
    const estimate = m2.estimate(seenOften(run))
    if (estimate.kind === 'none') throw new Error(`M2 gave no curve: ${estimate.verdict}`)
    run.tell(0.8)
    const law = fivePointLaw(estimate)
    if (law.kind === 'none') throw new Error(`no law of update gaps: ${law.why}`)
    const found = widths.map((h) => periodAt((x) => cdfAt(estimate.curve, x), h))
    const at = logGrid({ low: 0.01, high: 20, count: 200 })
    const worst = Math.max(...at.map((x) => Math.abs(updateGapCdf(law, x) - 1 + pareto.gapTail(x))))
    const flat = { changePeriod: law.changePeriod, binWidth: law.flat?.binWidth ?? 0 }
    return {
      findings: [
        falls(found),
        flatRegion(flat),
        anySmall({ ...flat, curve: estimate.curve }),
        recovered(worst),
      ],
      tables: [table(found)],
      figures: [figure8a({ found, ...flat }), figure8b((x) => updateGapCdf(law, x))],
    }
  },
}

function seenOften({ sizes, random }: PartRun) {
  return watch({ law: pareto, spacing: constantGap(0.01), until: sizes.derivative.until, random })
}

function periodAt(cdf: (x: number) => number, h: number): number {
  return 1 / forwardSlope((x) => (x <= 0 ? 0 : cdf(x)), { x: 0, step: h })
}

function falls(found: readonly number[]): Finding {
  const closed = widths.map((h) => periodAt(trueG, h))
  const rising = closed.every((value, i) => i === 0 || value > closed[i - 1]! - 1e-9)
  const wide = widths
    .map((h, i) => ({ h, off: Math.abs(found[i]! / closed[i]! - 1) }))
    .filter(({ h }) => h >= 0.1)
  const off = Math.max(...wide.map((each) => each.off))
  return {
    claim: 'period-falls-with-h',
    ours: `${shownAll([1, 0.5, 0.2, 0.1].map((h) => periodAt(trueG, h)))} at h = 1, .5, .2, .1 by the true G; M2 within ${percent(off, { digits: 1 })}`,
    verdict: verdictOf(rising && Math.abs(closed[0]! - truth) < 1e-6 && off < 0.04),
    why: 'The one-sided five-point slope of the true G falls steadily as h shrinks and settles at 1/2; that of M2 (constant gaps, lambda 100) follows it for h of .1 and more.',
  }
}

function flatRegion({
  changePeriod,
  binWidth,
}: {
  changePeriod: number
  binWidth: number
}): Finding {
  const off = Math.abs(changePeriod / truth - 1)
  return {
    claim: 'flat-region',
    ours: `E[U] = ${shown(changePeriod, { digits: 4 })} at h = ${shown(binWidth)}`,
    verdict: verdictOf(off < 0.03, off < 0.1),
    why: `The flattest place of E[U] over h, the sampling error counted in; the truth is 0.5, so ${percent(off, { digits: 1 })} off.`,
  }
}

/** With few samples in the first bins the derivative is noise, however small h may be in theory. */
function anySmall({
  changePeriod,
  curve,
}: {
  changePeriod: number
  binWidth: number
  curve: DistributionCurve
}): Finding {
  const off = (h: number) => Math.abs(periodAt((x) => cdfAt(curve, x), h) / truth - 1)
  const tiny = logGrid({ low: 1e-4, high: 1e-3, count: 40 })
  const worst = Math.max(...tiny.map(off))
  const best = Math.abs(changePeriod / truth - 1)
  return {
    claim: 'h-arbitrarily-small',
    ours: `off by up to ${percent(worst, { digits: 1 })} for h from .0001 to .001, by ${percent(best, { digits: 1 })} in the flat region`,
    verdict: verdictOf(worst < 0.01 || worst < 2 * best, true),
    why: 'True of the limit. In a finite window the error of the slope grows as h shrinks, so h is bounded from below by the number of samples.',
  }
}

function recovered(worst: number): Finding {
  return {
    claim: 'm2-recovers-f',
    ours: `largest distance from F_U ${shown(worst, { digits: 2 })}`,
    verdict: verdictOf(worst < 0.02, worst < 0.05),
    why: 'Five-point law of M2 at the flat region, constant gaps, lambda 100, x from .01 to 20; the two curves cannot be told apart in the figure.',
  }
}

function table(found: readonly number[]) {
  const rows = widths.map((h, i) => [
    shown(h),
    shown(periodAt(trueG, h), { digits: 6 }),
    shown(found[i]!, { digits: 4 }),
  ])
  return {
    title: 'Figure 8a in numbers: E[U] by bin width',
    columns: ['h', 'from the true G', 'from M2'],
    rows: rows.filter((_, i) => i % 4 === 0).reverse(),
  }
}

function figure8a({
  found,
  binWidth,
}: {
  found: readonly number[]
  binWidth: number
}): PaperFigure {
  const title =
    'Figure 8a: the mean update gap E[U] by bin width h (M2, Pareto updates, constant gaps, lambda 100)'
  const caption = `Line: five-point slope of the true G. Dots: of M2. The flat region lies around h = ${shown(binWidth, { digits: 2 })}; far below it the dots scatter, for few samples are left in a bin.`
  return lineFigure({
    file: 'figure-8a.svg',
    title,
    caption,
    x: { title: 'Bin width h (time units)', scale: 'log' },
    y: { title: 'E[U] (time units)', domain: [0.4, 0.8] },
    references: [{ name: 'true E[U] = 0.5', y: truth }],
    series: [
      { name: 'from the true G', points: widths.map((h) => ({ x: h, y: periodAt(trueG, h) })) },
      {
        name: 'from M2',
        plottedAs: 'dots',
        points: widths.map((h, i) => ({ x: h, y: found[i]! })),
      },
    ],
  })
}

function figure8b(cdf: (x: number) => number): PaperFigure {
  const title =
    'Figure 8b: the law of update gaps found from M2 (Pareto updates, constant gaps, lambda 100)'
  const caption =
    'Line: the true F_U. Dots: F_U drawn from M2 by five-point derivatives at the flat region.'
  const at = logGrid({ low: 0.01, high: 20, count: 40 })
  return lineFigure({
    file: 'figure-8b.svg',
    title,
    caption,
    x: { title: 'x (time units)', scale: 'log' },
    y: { title: 'Share of update gaps of x or less', kind: 'share' },
    series: [
      { name: 'true F_U', points: at.map((x) => ({ x, y: 1 - pareto.gapTail(x) })) },
      { name: 'F_U from M2', plottedAs: 'dots', points: at.map((x) => ({ x, y: cdf(x) })) },
    ],
  })
}
