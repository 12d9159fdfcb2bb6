import { m3, m4, m5 } from 'revisit/estimators'
import type { Finding, PaperFigure, PaperResult } from 'revisit/report'
import { m3Tail } from './closed-forms.js'
import { m3Limits, meanFindings, twinFinding } from './equal-gap-claims.js'
import { interpolationFinding } from './interpolation.js'
import { exponential, pareto } from './laws.js'
import { type Part, type PartRun, verdictOf } from './part.js'
import { type Averaged, mostErrors, worstDeviation } from './paths.js'
import { constantGap } from './spacings.js'
import { tailChart } from './tail-chart.js'
import { foundPoints, simulatedTail } from './tails.js'
import { deviationWords, shown, shownAll } from './words.js'

const gaps = Array.from({ length: 50 }, (_, i) => i + 1)
const judged = 10

interface Found {
  readonly found: Averaged
  readonly deviation: number
}

/** Methods at constant gaps: theorems 6 to 8, Figure 12. */
export const equalGaps: Part = {
  doing: 'M3, M4 and M5 at constant gaps (Figure 12)',
  cost: 20,
  run(run): PaperResult {
    const { contentTail } = pareto
    const third = tailOf(run, { method: m3, truth: m3Tail({ law: pareto, delta: 1 }) })
    run.tell(0.2)
    const fourth = tailOf(run, { method: m4, truth: contentTail })
    run.tell(0.4)
    const fifth = tailOf(run, { method: m5, truth: contentTail })
    run.tell(0.6)
    const memoryless = tailOf(run, { method: m3, law: exponential, truth: exponential.gapTail })
    run.tell(0.7)
    return {
      findings: [
        theorem6(third),
        poissonRight(memoryless),
        ...m3Limits(),
        theorem7(fourth),
        theorem8(fifth),
        ...meanFindings(run),
        twinFinding(run),
        interpolationFinding(),
      ],
      tables: [table({ third, fourth, fifth })],
      figures: [figure12({ third, fifth })],
    }
  },
}

function tailOf(
  run: PartRun,
  {
    method,
    truth,
    law = pareto,
  }: { method: typeof m3; truth: (n: number) => number; law?: typeof pareto },
): Found {
  const found = simulatedTail(run, { method, law, spacing: constantGap(1), at: gaps })
  const near = { mean: found.mean.slice(0, judged), error: found.error.slice(0, judged) }
  const { until } = run.sizes.curve
  return {
    found,
    deviation: worstDeviation(near, { truth: gaps.slice(0, judged).map(truth), until }),
  }
}

function theorem6({ found, deviation }: Found): Finding {
  const tail = m3Tail({ law: pareto, delta: 1 })
  return {
    claim: 'theorem-6',
    ours: `tail ${shownAll(found.mean.slice(0, 3))} at 1, 2, 3 gaps; eq. 18: ${shownAll([1, 2, 3].map(tail))}`,
    verdict: verdictOf(deviation < mostErrors),
    why: `Pareto U, gaps of 1, n from 1 to ${judged}: ${deviationWords(deviation)}. M3 is biased: update gaps have ${shownAll([1, 2, 3].map(pareto.gapTail))}.`,
  }
}

function poissonRight({ found, deviation }: Found): Finding {
  return {
    claim: 'm3-poisson',
    ours: `tail ${shownAll(found.mean.slice(0, 3))} at 1, 2, 3 gaps; e^-2n: ${shownAll([1, 2, 3].map(exponential.gapTail))}`,
    verdict: verdictOf(deviation < mostErrors),
    why: `Exponential U, gaps of 1: ${deviationWords(deviation)}.`,
  }
}

function theorem7({ found, deviation }: Found): Finding {
  return {
    claim: 'theorem-7',
    ours: `tail ${shownAll(found.mean.slice(0, 3))} at 1, 2, 3 gaps; G_U: ${shownAll([1, 2, 3].map(pareto.contentTail))}`,
    verdict: verdictOf(deviation < mostErrors),
    why: `M4 on Pareto U at gaps of 1: ${deviationWords(deviation)}. Its error over growing windows is in Table I.`,
  }
}

function theorem8({ found, deviation }: Found): Finding {
  return {
    claim: 'theorem-8',
    ours: `tail ${shownAll(found.mean.slice(0, 3))} at 1, 2, 3 gaps; G_U: ${shownAll([1, 2, 3].map(pareto.contentTail))}`,
    verdict: verdictOf(deviation < mostErrors),
    why: `M5 on Pareto U at gaps of 1, far from 0: ${deviationWords(deviation)}.`,
  }
}

function table(of: Record<'third' | 'fourth' | 'fifth', Found>) {
  const at = [1, 2, 3, 5, 10]
  const value = ({ found }: Found, n: number) => shown(found.mean[n - 1]!)
  const model = m3Tail({ law: pareto, delta: 1 })
  return {
    title: 'Tails at constant gaps of 1 (Pareto updates)',
    columns: ['gaps', 'M3', 'eq. 18', 'M4', 'M5', 'content ages 1 - G_U', 'update gaps 1 - F_U'],
    rows: at.map((n) => [
      n,
      value(of.third, n),
      shown(model(n)),
      value(of.fourth, n),
      value(of.fifth, n),
      shown(pareto.contentTail(n)),
      shown(pareto.gapTail(n)),
    ]),
  }
}

function figure12({ third, fifth }: Record<'third' | 'fifth', Found>): PaperFigure {
  const model = m3Tail({ law: pareto, delta: 1 })
  const points = (tail: (n: number) => number) => gaps.map((x) => ({ x, y: tail(x) }))
  const dots = ({ found }: Found) => foundPoints(found, gaps)
  return tailChart({
    file: 'figure-12.svg',
    title:
      'Figure 12: M5 finds the content ages at whole gaps; M3 does not (Pareto updates, gaps of 1)',
    caption:
      'Dots: simulated, mean of 40 paths, with two standard errors either side. Lines: content ages G_U, eq. 18 for M3, and update gaps F_U.',
    x: 'x (time units, whole gaps)',
    lowest: 1e-5,
    reach: [1, 50],
    series: [
      { name: 'content ages, G_U', colour: 1, points: points(pareto.contentTail) },
      { name: 'M5 simulated', colour: 1, plottedAs: 'dots', points: dots(fifth) },
      { name: 'M3 by eq. 18', colour: 0, points: points(model) },
      { name: 'M3 simulated', colour: 0, plottedAs: 'dots', points: dots(third) },
      { name: 'update gaps, F_U', colour: 2, points: points(pareto.gapTail) },
    ],
  })
}
