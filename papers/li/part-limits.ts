import { m1 } from 'revisit/estimators'
import { percent } from 'revisit/model'
import type { Finding, PaperFigure, PaperResult } from 'revisit/report'
import { keptShare, m1Tail } from './closed-forms.js'
import { lineFigure } from './figure.js'
import { logGrid } from './grid.js'
import { pareto, uniform } from './laws.js'
import { type Part, type PartRun, verdictOf } from './part.js'
import { mostErrors, overPaths } from './paths.js'
import { constant, constantGap, exponential, type Spacing, scaled } from './spacings.js'
import { apart, deviationAt, largestApart, simulatedTail } from './tails.js'
import { visitsOf, watch } from './watch.js'
import { deviationWords, shown, shownAll } from './words.js'

interface Leaning {
  readonly visitRate: number
  readonly kept: number
  /** Largest distance of M1's tail from that of update gaps, and from that of content ages. */
  readonly fromGaps: number
  readonly fromAges: number
}

/** Theorem 4: where M1 goes as it keeps all samples, and as it keeps none. */
export const limits: Part = {
  doing: 'the limits of M1 (theorem 4)',
  cost: 12,
  run(run): PaperResult {
    const closed = logGrid({ low: 1e-3, high: 1e3, count: 61 }).map((visitRate) =>
      leaning(constant, visitRate),
    )
    const visitRates = [0.05, 0.2, 1, 5, 20]
    const found = visitRates.map((visitRate, i) => {
      run.tell(i / visitRates.length)
      return simulated(run, visitRate)
    })
    return {
      findings: [toAges(closed), toGaps(closed), bounded(run)],
      tables: [],
      figures: [figure(closed, found)],
    }
  },
}

function leaning(spacing: Spacing, visitRate: number): Leaning {
  const watching = { law: pareto, spacing: scaled(spacing, 1 / visitRate) }
  const model = m1Tail(watching)
  return {
    visitRate,
    kept: keptShare(watching),
    fromGaps: largestApart(model, pareto.gapTail),
    fromAges: largestApart(model, pareto.contentTail),
  }
}

function simulated(run: PartRun, visitRate: number): Leaning {
  const watching = { law: pareto, spacing: constantGap(1 / visitRate) }
  const until = run.sizes.curve.until * (visitRate < 1 ? 4 : 1 / visitRate)
  const found = simulatedTail(run, { ...watching, method: m1, until })
  return {
    visitRate,
    kept: keptShare(watching),
    fromGaps: apart(found, pareto.gapTail),
    fromAges: apart(found, pareto.contentTail),
  }
}

function toAges(closed: readonly Leaning[]): Finding {
  const slow = [0.1, 0.01, 0.001].map((visitRate) => leaning(constant, visitRate))
  const spread = leaning(exponential, 0.001)
  const distances = slow.map(({ fromAges }) => fromAges)
  return {
    claim: 'theorem-4-all',
    ours: `largest distance from G_U ${shownAll(distances)} at p = ${slow.map(({ kept }) => shown(kept, { digits: 6 })).join(', ')}`,
    verdict: verdictOf(
      distances.at(-1)! < 1e-3 && spread.fromAges < 0.01 && steady(closed, 'fromAges'),
    ),
    why: 'Eq. 8 at constant gaps, lambda .1, .01, .001; the distance falls all the way as p rises. Simulated at lambda .05 to 20 in the figure.',
  }
}

function toGaps(closed: readonly Leaning[]): Finding {
  const fast = [10, 100, 1000].map((visitRate) => leaning(constant, visitRate))
  const spread = leaning(exponential, 1000)
  const distances = fast.map(({ fromGaps }) => fromGaps)
  return {
    claim: 'theorem-4-none',
    ours: `largest distance from F_U ${shownAll(distances)} at p = ${shownAll(fast.map(({ kept }) => kept))}`,
    verdict: verdictOf(
      distances.at(-1)! < 2e-3 &&
        spread.fromGaps < 0.01 &&
        steady([...closed].reverse(), 'fromGaps'),
    ),
    why: 'Eq. 8 at constant gaps, lambda 10, 100, 1,000; the distance falls all the way as p falls.',
  }
}

/** Whether a distance only grows with the visit rate. */
function steady(rows: readonly Leaning[], of: 'fromAges' | 'fromGaps'): boolean {
  return rows.every((row, i) => i === 0 || row[of] >= rows[i - 1]![of] - 1e-12)
}

function bounded({ sizes, random }: PartRun): Finding {
  const { paths, until } = sizes.curve
  const spacing = constantGap(1.5)
  const kept = overPaths({ paths: 5, random }, (chance) => {
    const seen = watch({ law: uniform, spacing, until, random: chance })
    return [m1.estimate(seen).samples / (visitsOf(seen) - 1)]
  })
  const found = simulatedTail({ sizes, random }, { law: uniform, spacing, method: m1 })
  const deviation = deviationAt(found, { truth: uniform.contentTail, until })
  return {
    claim: 'bounded-updates',
    ours: `p = ${kept.mean[0]}`,
    verdict: verdictOf(kept.mean[0] === 1 && deviation < mostErrors),
    why: `Uniform U on [0, 1] at constant gaps of 1.5, ${paths} paths; M1's tail is that of G_U: ${deviationWords(deviation)}.`,
  }
}

function figure(closed: readonly Leaning[], found: readonly Leaning[]): PaperFigure {
  const title = 'Theorem 4: M1 leans to update gaps or to content ages by the share p it keeps'
  const caption = `Pareto updates, constant gaps; lambda from 1,000 (left) to .001 (right). Lines by eq. 8, dots simulated. At lambda 1, p is ${percent(0.75)} and M1 is biased both ways.`
  const points = (rows: readonly Leaning[], of: 'fromAges' | 'fromGaps') =>
    [...rows].reverse().map((row) => ({ x: row.kept, y: row[of] }))
  const series = (['fromGaps', 'fromAges'] as const).flatMap((of, colour) => {
    const name = of === 'fromGaps' ? 'from update gaps, F_U' : 'from content ages, G_U'
    return [
      { name: `${name}: eq. 8`, colour, points: points(closed, of) },
      { name: `${name}: simulated`, colour, plottedAs: 'dots' as const, points: points(found, of) },
    ]
  })
  return lineFigure({
    file: 'theorem-4.svg',
    title,
    caption,
    x: { title: 'Share of samples kept (p)', kind: 'share' },
    y: { title: 'Largest distance of M1', fromZero: true },
    series,
  })
}
