import { m2 } from 'revisit/estimators'
import type { PaperResult } from 'revisit/report'
import { pareto } from './laws.js'
import { type Part, verdictOf } from './part.js'
import { mostErrors } from './paths.js'
import * as spacings from './spacings.js'
import { tailChart } from './tail-chart.js'
import { apart, curvePoints, deviationAt, foundPoints, simulatedTail } from './tails.js'
import { deviationWords, shown } from './words.js'

/** M2 finds the age distribution: theorem 5, Figure 7. */
export const m2Tails: Part = {
  doing: 'the tails of M2 (Figure 7)',
  cost: 12,
  run(run): PaperResult {
    const { until, paths } = run.sizes.curve
    const all = [spacings.constant, spacings.exponential].map((spacing, i) => {
      const found = simulatedTail(run, { method: m2, law: pareto, spacing })
      run.tell((i + 1) / 2)
      const deviation = deviationAt(found, { truth: pareto.contentTail, until })
      return { spacing, found, deviation }
    })
    const worst = Math.max(...all.map(({ deviation }) => deviation))
    return {
      findings: [
        {
          claim: 'theorem-5',
          ours: `largest distance from G_U ${all.map(({ found, spacing }) => `${shown(apart(found, pareto.contentTail), { digits: 2 })} (${spacing.name} S)`).join(', ')}`,
          verdict: verdictOf(worst < mostErrors),
          why: `Pareto U, lambda 1, ${paths} paths of ${shown(until)} time units: ${deviationWords(worst)}.`,
        },
      ],
      tables: [],
      figures: all.map(({ spacing, found }, i) =>
        tailChart({
          file: `figure-7${'ab'[i]}.svg`,
          title: `Figure 7${'ab'[i]}: M2 finds the content ages at ${spacing.name} gaps (Pareto updates, lambda 1)`,
          caption: `Dots: simulated M2, mean of ${paths} paths, with two standard errors either side. Lines: content ages G_U, which M2 should find, and update gaps F_U.`,
          series: [
            { name: 'content ages, G_U', colour: 1, points: curvePoints(pareto.contentTail) },
            { name: 'update gaps, F_U', colour: 2, points: curvePoints(pareto.gapTail) },
            { name: 'M2 simulated', colour: 0, plottedAs: 'dots', points: foundPoints(found) },
          ],
        }),
      ),
    }
  },
}
