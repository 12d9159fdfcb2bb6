import type { Finding, PaperResult } from 'revisit/report'
import { nbuExamples, nwuExamples } from './ageing-examples.js'
import { m1Tail, m1TailByGaps } from './closed-forms.js'
import { logGrid, powerOf } from './grid.js'
import { exponential, type Law, pareto, uniform, weibull } from './laws.js'
import { type Part, verdictOf } from './part.js'
import { type Averaged, mostErrors } from './paths.js'
import { closer, reversal, sandwich } from './sandwich-claims.js'
import { type SeenTail, seenTail } from './seen-tail.js'
import * as spacings from './spacings.js'
import { type Spacing, scaled } from './spacings.js'
import { tailChart } from './tail-chart.js'
import { curvePoints, foundPoints, largestApart } from './tails.js'
import { deviationWords, shown, shownAll } from './words.js'

/** What M1 measures, and that it is neither law: theorems 2 and 3, Figures 5 and 6. */
export const m1Tails: Part = {
  doing: 'the tails of M1 (Figures 5 and 6)',
  cost: 20,
  run(run): PaperResult {
    const see = (law: Law, spacing: Spacing) => seenTail(run, { law, spacing })
    const heavy = see(pareto, spacings.exponential)
    run.tell(0.2)
    const memoryless = [see(exponential, spacings.exponential), see(exponential, spacings.constant)]
    run.tell(0.5)
    const slow = see(pareto, spacings.constant)
    const fast = see(pareto, scaled(spacings.constant, 0.1))
    run.tell(0.8)
    const reversed = see(uniform, scaled(spacings.constant, 0.3))
    return {
      findings: [
        theorem2(heavy),
        neither(heavy),
        heavyTail(),
        poissonRight(memoryless),
        theorem3(),
        sandwich([slow, fast]),
        closer([slow, fast]),
        reversal(reversed),
        nwuExamples(),
        nbuExamples(),
      ],
      tables: [table(heavy)],
      figures: [
        chart({
          file: 'figure-5a.svg',
          seen: heavy,
          title:
            'Figure 5a: M1 at exponential gaps measures neither update gaps nor content ages (Pareto updates, lambda 1)',
        }),
        chart({
          file: 'figure-5b.svg',
          seen: memoryless[0]!,
          title: 'Figure 5b: M1 is right for Poisson updates: all three tails are one (lambda 1)',
          reach: [0.05, 5],
        }),
        chart({
          file: 'figure-6a.svg',
          seen: slow,
          title:
            'Figure 6a: M1 lies between the two tails (Pareto updates, constant gaps, lambda 1)',
        }),
        chart({
          file: 'figure-6b.svg',
          seen: fast,
          title: 'Figure 6b: ten times the visits move M1 to the law of update gaps (lambda 10)',
        }),
        chart({
          file: 'figure-6-reversed.svg',
          seen: reversed,
          title:
            'Figure 6 reversed: uniform updates (NBU) turn the sandwich over (constant gaps of 0.3)',
          reach: [0.05, 1],
        }),
      ],
    }
  },
}

function theorem2({ model, deviation, found }: SeenTail): Finding {
  const at = (x: number) => shown(model(x), { digits: 4 })
  return {
    claim: 'theorem-2',
    ours: `tail ${at(0.5)}, ${at(1)}, ${at(2)} at x = .5, 1, 2 (eq. 8); simulated at x = ${shown(1)}: ${shown(near(found, 1))}`,
    verdict: verdictOf(deviation < mostErrors),
    why: `Pareto U, exponential S, 40 paths, x from .05 to 10: ${deviationWords(deviation)}.`,
  }
}

/** The simulated tail between its two places around x, joined in logarithms as the figure is. */
function near(found: Averaged, x: number): number {
  const points = foundPoints(found)
  const after = points.findIndex((point) => point.x >= x)
  const [a, b] = [points[after - 1]!, points[after]!]
  const share = Math.log(x / a.x) / Math.log(b.x / a.x)
  return Math.exp((1 - share) * Math.log(a.y!) + share * Math.log(b.y!))
}

function neither({ model, law, deviation }: SeenTail): Finding {
  const [toGaps, toAges] = [largestApart(model, law.gapTail), largestApart(model, law.contentTail)]
  return {
    claim: 'm1-measures-neither',
    ours: `largest distance ${shown(toGaps)} from F_U, ${shown(toAges)} from G_U`,
    verdict: verdictOf(deviation < mostErrors && toGaps > 0.01 && toAges > 0.01),
    why: 'Eq. 8, which the simulation follows, against both tails; Pareto U, exponential S, lambda 1.',
  }
}

function heavyTail(): Finding {
  const far = logGrid({ low: 30, high: 1000, count: 20 })
  const model = m1Tail({ law: pareto, spacing: spacings.exponential })
  const power = powerOf(far, far.map(model))
  const ofGaps = powerOf(far, far.map(pareto.gapTail))
  return {
    claim: 'm1-heavy-tailed',
    ours: `tail falls as x^${shown(power)} beyond 30; update gaps as x^${shown(ofGaps)}`,
    verdict: verdictOf(Math.abs(power - ofGaps) < 0.1),
    why: `Slope of eq. 8 on log axes, x from 30 to 1,000: a power law with the exponent of the update gaps, ${shown(model(300) / pareto.gapTail(300), { digits: 2 })} times as high.`,
  }
}

function poissonRight(all: readonly SeenTail[]): Finding {
  const deviation = Math.max(...all.map((each) => each.deviation))
  const closed = Math.max(...all.map(({ model, law }) => largestApart(model, law.gapTail)))
  return {
    claim: 'm1-poisson',
    ours: `largest distance of eq. 8 from F_U ${shown(closed, { digits: 1 })}`,
    verdict: verdictOf(deviation < mostErrors && closed < 1e-9),
    why: `Exponential U, exponential and constant S: ${deviationWords(deviation)}.`,
  }
}

function theorem3(): Finding {
  const laws = [pareto, exponential, uniform, weibull(0.6), weibull(2)]
  const all = [spacings.constant, spacings.exponential, spacings.uniform]
  const grid = logGrid({ low: 0.01, high: 0.9, count: 6 })
  const worst = Math.max(
    ...laws.flatMap((law) =>
      all.map((spacing) => {
        const [a, b] = [m1Tail({ law, spacing }), m1TailByGaps({ law, spacing })]
        return Math.max(...grid.map((x) => Math.abs(a(x) - b(x))))
      }),
    ),
  )
  return {
    claim: 'theorem-3',
    ours: `eqs 8 and 10 differ by ${shown(worst, { digits: 1 })} at most`,
    verdict: verdictOf(worst < 1e-5),
    why: 'Both computed for five laws of U and three of S; eq. 9 is eq. 8 written with conditional chances.',
  }
}

function table({ model, found, law }: SeenTail) {
  const at = [0.5, 1, 2, 5, 10]
  return {
    title: 'Tails at exponential gaps (Pareto updates, lambda 1)',
    columns: ['x', 'update gaps 1 - F_U', 'M1 by eq. 8', 'M1 simulated', 'content ages 1 - G_U'],
    rows: at.map((x) => [
      x,
      ...[law.gapTail(x), model(x), near(found, x), law.contentTail(x)].map((value) =>
        shown(value),
      ),
    ]),
  }
}

function chart({
  seen,
  ...figure
}: {
  file: string
  title: string
  seen: SeenTail
  reach?: readonly [number, number]
}) {
  const { law, model, found } = seen
  return tailChart({
    ...figure,
    caption: `Dots: simulated M1, mean of 40 paths, with two standard errors either side. Lines: eq. 8, the tail of update gaps (F_U) and that of content ages (G_U). At x = .5: F_U, M1, G_U are ${shownAll([law.gapTail(0.5), model(0.5), law.contentTail(0.5)])}.`,
    series: [
      { name: 'content ages, G_U', colour: 1, points: curvePoints(law.contentTail) },
      { name: 'M1 by eq. 8', colour: 0, points: curvePoints(model) },
      { name: 'update gaps, F_U', colour: 2, points: curvePoints(law.gapTail) },
      { name: 'M1 simulated', colour: 0, plottedAs: 'dots', points: foundPoints(found) },
    ],
  })
}
