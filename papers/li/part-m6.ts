import { gM4, kolmogorovSmirnov, m6Bins, type PairBins } from 'revisit/estimators'
import type { Finding, PaperFigure, PaperResult, PaperTable } from 'revisit/report'
import { binMean } from './closed-forms.js'
import { logGrid, powerOf } from './grid.js'
import { latticeFindings } from './lattice-claims.js'
import { pareto } from './laws.js'
import { pairsCounted, recoveredLaws, recovers, wrongUniform } from './m6-claims.js'
import { type Part, type PartRun, verdictOf } from './part.js'
import { overPaths } from './paths.js'
import * as spacings from './spacings.js'
import { tailChart } from './tail-chart.js'
import { curvePoints } from './tails.js'
import { visitsOf, watch } from './watch.js'
import { shown, shownAll, windowWords } from './words.js'

const h = 0.05
const reach = 20
const both = [spacings.exponential, spacings.uniform]

interface Row {
  readonly until: number
  readonly paths: number
  /** Mean largest distance from the bin means, for each spacing. */
  readonly ks: readonly number[]
}

/** M6 finds the age distribution at random gaps: theorem 9, Figure 15. */
export const m6Tails: Part = {
  doing: 'M6 at random gaps (Figure 15)',
  cost: 40,
  run(run): PaperResult {
    const means = Float64Array.from({ length: reach / h }, (_, bin) =>
      binMean(pareto, { y: (bin + 1) * h, h }),
    )
    const rows = run.sizes.pairs.map((size, i, all) => {
      const row = distances(run, { ...size, means })
      run.tell((0.8 * (i + 1)) / all.length)
      return row
    })
    const { until } = rows.at(-1)!
    const seen = both.map((spacing) =>
      watch({ law: pareto, spacing, until, random: run.random.fork() }),
    )
    const bins = seen.map((each) => m6Bins(each, { binWidth: h, upTo: 2 * reach }))
    const [shorter, , longest] = run.sizes.pairs.slice(-3)
    const recovering = run.random.fork()
    return {
      findings: [
        theorem9(rows),
        better({ ks: rows.at(-1)!.ks[0]!, gM4Apart: gM4Apart(seen[0]!) }),
        recovers([recoveredLaws(recovering, shorter!), recoveredLaws(recovering, longest!)]),
        pairsCounted({ bins: bins[0]!, visits: visitsOf(seen[0]!) }),
        wrongUniform(),
        ...latticeFindings(run),
      ],
      tables: [table(rows)],
      figures: bins.map((each, i) =>
        figure15({ bins: each, panel: 'ab'[i]!, spacing: both[i]!.name, until }),
      ),
    }
  },
}

function distances(
  { random }: PartRun,
  { until, paths, means }: { until: number; paths: number; means: Float64Array },
): Row {
  const ks = both.map((spacing) =>
    overPaths({ paths, random }, (chance) => {
      const seen = watch({ law: pareto, spacing, until, random: chance })
      return [largest(m6Bins(seen, { binWidth: h, upTo: reach }), means)]
    }),
  )
  return { until, paths, ks: ks.map(({ mean }) => mean[0]!) }
}

/** Against the mean of G over each bin: that is what a bin holds, not G at its right end. */
function largest({ pairs, withChange }: PairBins, means: Float64Array): number {
  return means.reduce((worst, mean, bin) => {
    const share = pairs[bin]! > 0 ? withChange[bin]! / pairs[bin]! : mean
    return Math.max(worst, Math.abs(share - mean))
  }, 0)
}

function theorem9(rows: readonly Row[]): Finding {
  const powers = both.map((_, k) =>
    powerOf(
      rows.map(({ until }) => until),
      rows.map(({ ks }) => ks[k]!),
    ),
  )
  const last = rows.at(-1)!
  const good = powers.every((power) => power < -0.4) && last.ks.every((each) => each < 0.03)
  return {
    claim: 'theorem-9',
    ours: `largest distance ${both
      .map(
        ({ name }, k) =>
          `${name} S ${shownAll(
            rows.map(({ ks }) => ks[k]!),
            { digits: 2 },
          )}`,
      )
      .join('; ')} at ${windowWords(rows.map(({ until }) => until))}`,
    verdict: verdictOf(good),
    why: `Bins of .05 up to 20 against the mean of G_U over each bin; the distance falls as T^${shown(powers[0]!, { digits: 2 })} and T^${shown(powers[1]!, { digits: 2 })}. Read at the right end of the bin, as printed, a bin is low by up to ${shown(largestShift(), { digits: 2 })} at every T.`,
  }
}

function largestShift(): number {
  return 1 - pareto.contentTail(h) - binMean(pareto, { y: h, h })
}

function gM4Apart(seen: Parameters<typeof gM4.estimate>[0]): number {
  const estimate = gM4.estimate(seen)
  if (estimate.kind === 'none') throw new Error(`G-M4 gave no curve: ${estimate.verdict}`)
  const at = logGrid({ low: h, high: reach, count: 200 })
  return kolmogorovSmirnov(estimate.curve, (x) => 1 - pareto.contentTail(x), { at })
}

function better({ ks, gM4Apart }: { ks: number; gM4Apart: number }): Finding {
  return {
    claim: 'm6-overwhelmingly-better',
    ours: `largest distance ${shown(ks, { digits: 2 })} for M6, ${shown(gM4Apart, { digits: 2 })} for G-M4`,
    verdict: verdictOf(gM4Apart > 10 * ks),
    why: 'Exponential S, lambda 1, the longest window of this run.',
  }
}

function table(rows: readonly Row[]): PaperTable {
  return {
    title: 'M6: largest distance from the mean of G_U over a bin (h = .05, up to 20)',
    columns: ['T', 'paths', ...both.map(({ name }) => `${name} S`)],
    rows: rows.map(({ until, paths, ks }) => [
      shown(until),
      paths,
      ...ks.map((each) => shown(each)),
    ]),
  }
}

function figure15({
  bins,
  panel,
  spacing,
  until,
}: {
  bins: PairBins
  panel: string
  spacing: string
  until: number
}): PaperFigure {
  const wanted = new Set(
    logGrid({ low: 0.025, high: 2 * reach, count: 60 }).map((x) => Math.floor(x / h)),
  )
  const points = [...wanted]
    .filter((bin) => bins.pairs[bin]! > 0)
    .map((bin) => ({
      x: (bin + 0.5) * h,
      y: 1 - bins.withChange[bin]! / bins.pairs[bin]!,
    }))
  return tailChart({
    file: `figure-15${panel}.svg`,
    title: `Figure 15${panel}: M6 finds the content ages at ${spacing} gaps (Pareto updates, lambda 1)`,
    caption: `One path of ${shown(until)} time units. Dots: share of pairs of visits without an update between them, by distance in bins of .05, at bin centres. Line: content ages G_U.`,
    reach: [0.02, 40],
    series: [
      {
        name: 'content ages, G_U',
        colour: 1,
        points: curvePoints(pareto.contentTail, logGrid({ low: 0.02, high: 40, count: 120 })),
      },
      { name: 'M6 simulated', colour: 0, plottedAs: 'dots', points },
    ],
  })
}
