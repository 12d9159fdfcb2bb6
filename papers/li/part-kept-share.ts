import { m1 } from 'revisit/estimators'
import { percent } from 'revisit/model'
import type { Finding, PaperFigure, PaperResult, PaperTable } from 'revisit/report'
import { keptShare } from './closed-forms.js'
import { lineFigure } from './figure.js'
import { logGrid } from './grid.js'
import { exponential as exponentialLaw, type Law, pareto, uniform as uniformLaw } from './laws.js'
import { type Part, type PartRun, verdictOf } from './part.js'
import { type Averaged, mostErrors, overPaths, worstDeviation } from './paths.js'
import * as spacings from './spacings.js'
import { scaled } from './spacings.js'
import { visitsOf, watch } from './watch.js'
import { deviationWords, shown } from './words.js'

const visitRates = [0.1, 0.2, 0.5, 1, 2, 5, 10]
const sampled = [spacings.constant, spacings.exponential, spacings.uniform]
const every = [
  ...sampled,
  spacings.erlang,
  spacings.bursty,
  spacings.pareto,
  spacings.either({ short: 0.5, long: 1.5 }),
]

interface Shares {
  readonly spacing: spacings.Spacing
  readonly truth: readonly number[]
  readonly found: Averaged
}

/** How many content ages M1 keeps: eq. 5, Figure 4, and what constant gaps cost. */
export const keptShares: Part = {
  doing: 'the share of samples that M1 keeps (Figure 4)',
  cost: 8,
  run(run): PaperResult {
    const shares = sampled.map((spacing, i) => {
      const of = sharesOf(run, spacing)
      run.tell((i + 1) / sampled.length)
      return of
    })
    return {
      findings: [
        theorem1(run, shares),
        falls(shares),
        moreThanExponential(shares),
        largest(),
        ...savings(),
      ],
      tables: [table(shares)],
      figures: [figure4(shares)],
    }
  },
}

const share = (
  spacing: spacings.Spacing,
  { visitRate, law = pareto }: { visitRate: number; law?: Law },
) => keptShare({ law, spacing: scaled(spacing, 1 / visitRate) })

function sharesOf({ sizes, random }: PartRun, spacing: spacings.Spacing): Shares {
  const measure = (visitRate: number) =>
    overPaths({ paths: 20, random }, (chance) => {
      const until = sizes.shareVisits / visitRate
      const seen = watch({
        law: pareto,
        spacing: scaled(spacing, 1 / visitRate),
        until,
        random: chance,
      })
      return [m1.estimate(seen).samples / (visitsOf(seen) - 1)]
    })
  const found = visitRates.map(measure)
  return {
    spacing,
    truth: visitRates.map((visitRate) => share(spacing, { visitRate })),
    found: { mean: found.map(({ mean }) => mean[0]!), error: found.map(({ error }) => error[0]!) },
  }
}

function theorem1({ sizes }: PartRun, shares: readonly Shares[]): Finding {
  const until = sizes.shareVisits
  const worst = Math.max(
    ...shares.map(({ found, truth }) => worstDeviation(found, { truth, until })),
  )
  const at1 = shares.map(({ spacing, found }) => `${spacing.name} ${shown(found.mean[3]!)}`)
  return {
    claim: 'theorem-1',
    ours: `at lambda 1: ${at1.join(', ')}`,
    verdict: verdictOf(worst < mostErrors),
    why: `Shares kept by M1 in 20 paths at 7 visit rates against E[G(S)] (.75, .596, .667 at lambda 1): ${deviationWords(worst)}.`,
  }
}

function falls(shares: readonly Shares[]): Finding {
  const falling = shares.every(({ found: { mean } }) =>
    mean.every((value, i) => i === 0 || value < mean[i - 1]!),
  )
  const { mean } = shares[0]!.found
  return {
    claim: 'share-falls',
    ours: `constant S: ${percent(mean[0]!)} at lambda .1, ${percent(mean[3]!)} at 1, ${percent(mean[6]!)} at 10`,
    verdict: verdictOf(falling),
    why: 'Simulated shares at lambda .1 to 10, for constant, exponential and uniform S.',
  }
}

function moreThanExponential([constant, exponential]: readonly Shares[]): Finding {
  const pairs = visitRates.map(
    (_, i) => [constant!.found.mean[i]!, exponential!.found.mean[i]!] as const,
  )
  return {
    claim: 'constant-above-exponential',
    ours: `at lambda 1: ${shown(pairs[3]![0])} against ${shown(pairs[3]![1])}`,
    verdict: verdictOf(pairs.every(([a, b]) => a > b)),
    why: 'Simulated at each of seven visit rates from .1 to 10.',
  }
}

/** By closed form: G is concave, so Jensen's inequality gives it for every law; here seven are looked at. */
function largest(): Finding {
  const wide = logGrid({ low: 1e-3, high: 1e3, count: 25 })
  const laws = [pareto, exponentialLaw, uniformLaw]
  const holds = laws.every((law) =>
    wide.every((visitRate) => {
      const [first, ...others] = every.map((spacing) => share(spacing, { visitRate, law }))
      return others.every((value) => value <= first! + 1e-9)
    }),
  )
  return {
    claim: 'constant-largest',
    ours: `lambda 1: ${every.map((spacing) => `${spacing.name} ${shown(share(spacing, { visitRate: 1 }))}`).join(', ')}`,
    verdict: verdictOf(holds),
    why: "E[G(S)] for seven laws of S of equal mean and three of U, lambda .001 to 1,000. G is concave, so Jensen's inequality gives it for every S.",
  }
}

function savings(): Finding[] {
  const saved = (visitRate: number) => 1 - share(spacings.constant, { visitRate })
  return [
    {
      claim: 'saves-20-percent',
      ours: percent(saved(1)),
      verdict: verdictOf(Math.abs(saved(1) - 0.2) < 0.025, saved(1) > 0.2),
      why: "M5 takes the share p = G(1) = 3/4 of M4's samples by the paper's own eq. 5, so it saves more than printed.",
    },
    {
      claim: 'saves-80-percent',
      ours: percent(saved(10), { digits: 1 }),
      verdict: verdictOf(Math.abs(saved(10) - 0.8) < 0.05),
      why: '1 - p with p = 1 - 1.1^-2 = .174 at lambda 10.',
    },
  ]
}

function table(shares: readonly Shares[]): PaperTable {
  return {
    title: 'Share of samples kept by M1',
    caption: 'Simulated (closed form E[G(S)]).',
    columns: ['lambda', ...shares.map(({ spacing }) => `${spacing.name} S`)],
    rows: visitRates.map((visitRate, i) => [
      visitRate,
      ...shares.map(({ found, truth }) => `${shown(found.mean[i]!)} (${shown(truth[i]!)})`),
    ]),
  }
}

function figure4(shares: readonly Shares[]): PaperFigure {
  const dense = logGrid({ low: 0.1, high: 10, count: 60 })
  const caption =
    'Lines: E[G(S)], eq. 5. Dots: simulated. The paper says that M5 saves 20% of the samples at lambda 1 and 80% at lambda 10, which are its two points; eq. 5 gives 25% and 82.6%.'
  const title = 'Figure 4: share of samples M1 keeps, by visit rate (Pareto updates, 2 a time unit)'
  return lineFigure({
    file: 'figure-4.svg',
    title,
    caption,
    x: { title: 'Visits per time unit (lambda)', scale: 'log' },
    y: { title: 'Share of samples kept (p)', kind: 'share' },
    series: [
      ...shares.map(({ spacing }, colour) => ({
        name: `${spacing.name} S: eq. 5`,
        colour,
        points: dense.map((visitRate) => ({ x: visitRate, y: share(spacing, { visitRate }) })),
      })),
      ...shares.map(({ spacing, found }, colour) => ({
        name: `${spacing.name} S: simulated`,
        colour,
        plottedAs: 'dots' as const,
        points: visitRates.map((x, i) => ({ x, y: found.mean[i]! })),
      })),
      {
        name: 'published, constant S',
        colour: shares.length,
        plottedAs: 'dots' as const,
        points: [
          { x: 1, y: 0.8 },
          { x: 10, y: 0.2 },
        ],
      },
    ],
  })
}
