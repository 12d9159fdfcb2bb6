import { cdfAt, m2, m4, m6, phaseLock } from 'revisit/estimators'
import { constantGaps, renewal } from 'revisit/lab'
import type { History } from 'revisit/model'
import type { Finding } from 'revisit/report'
import { type Law, pareto } from './laws.js'
import { type PartRun, verdictOf } from './part.js'
import { mostErrors, overPaths, worstDeviation } from './paths.js'
import { constant, either, type Spacing } from './spacings.js'
import { watch } from './watch.js'
import { deviationWords, shown, shownAll } from './words.js'

const wholes = Array.from({ length: 10 }, (_, n) => n + 1)

/** What lattice gaps do to M6. */
export function latticeFindings(run: PartRun): Finding[] {
  return [noBenefit(run), worksAtLattice(run)]
}

function noBenefit({ sizes, random }: PartRun): Finding {
  const { until } = sizes.curve
  const seen = watch({ law: pareto, spacing: constant, until, random: random.fork() })
  const [sixth, fourth] = [m6, m4].map((method) => valuesOf(method.estimate(seen)))
  const between = Math.max(...wholes.map((_, i) => Math.abs(sixth![i]! - fourth![i]!)))
  const fromTruth = Math.max(
    ...wholes.map((n, i) => Math.abs(fourth![i]! - 1 + pareto.contentTail(n))),
  )
  return {
    claim: 'm6-lattice-no-benefit',
    ours: `M6 and M4 differ by ${shown(between, { digits: 1 })} at most, both are ${shown(fromTruth, { digits: 2 })} from G_U`,
    verdict: verdictOf(between < 30 / until),
    why: `Constant gaps of 1, T = ${shown(until)}, whole gaps up to 10: the same pairs are counted, save at the ends of the window.`,
  }
}

function valuesOf(estimate: ReturnType<typeof m6.estimate>): number[] {
  if (estimate.kind === 'none') throw new Error(`no curve: ${estimate.verdict}`)
  return wholes.map((n) => cdfAt(estimate.curve, n))
}

function worksAtLattice({ sizes, random }: PartRun): Finding {
  const { paths, until } = sizes.curve
  const spacing = either({ short: 1, long: 2 })
  const found = overPaths({ paths, random }, (chance) => {
    const seen = watch({ law: pareto, spacing, until, random: chance })
    return valuesOf(m6.estimate(seen, { binWidth: 1, upTo: 11 }))
  })
  const truth = wholes.map((n) => 1 - pareto.contentTail(n))
  const deviation = worstDeviation(found, { truth, until })
  return {
    claim: 'm6-works-at-lattice',
    ours: `G ${shownAll(found.mean.slice(0, 3))} at 1, 2, 3; truth ${shownAll(truth.slice(0, 3))}`,
    verdict: verdictOf(deviation < mostErrors),
    why: `Gaps of 1 or 2, alike likely: ${deviationWords(deviation)}. Between whole numbers it tells nothing.`,
  }
}

/** Updates like a clock that strikes when watching begins. */
function clock(period: number): Law {
  return {
    name: `every ${period}`,
    process: renewal({
      name: 'clock in phase',
      summary: 'a clock that strikes at the start',
      changePeriod: period,
      law: { gap: () => period, start: () => ({ contentAge: 0, residual: period }) },
    }),
    gapTail: (x) => (x < period ? 1 : 0),
    contentTail: (x) => Math.max(0, 1 - x / period),
  }
}

/** Section III-C: U = 1 against S = 2, beside U = 1/2 and U = 2. */
export function phaseLockFinding({ random }: PartRun): Finding {
  const histories = [1, 0.5, 2].map((period) => historyOf(clock(period), random.fork()))
  const agesAllZero = histories.every(({ observations }) =>
    observations.every(({ contentAge }) => contentAge === 0),
  )
  const reported = histories.map((history) => JSON.stringify(history))
  const same = reported.every((text) => text === reported[0])
  const lock = phaseLock(histories[0]!)
  return {
    claim: 'phase-lock',
    ours: `content ages all 0: ${agesAllZero ? 'yes' : 'no'}; U = 1, 1/2 and 2 give the same visits: ${same ? 'yes' : 'no'}; phase-lock test: ${lock.kind} (${lock.evidence})`,
    verdict: verdictOf(agesAllZero && same && lock.kind === 'locked'),
    why: 'A thousand visits at gaps of 2 to a page that changes like a clock, both starting at 0.',
  }
}

function historyOf(law: Law, random: PartRun['random']): History {
  const spacing: Spacing = { name: 'constant', draw: () => 2, expect: (f) => f(2) }
  const { times, changed, contentAges } = watch({ law, spacing, until: 2000, random }).stretches[0]!
  return {
    start: { at: times[0]!, contentAge: contentAges[0]! },
    observations: Array.from(changed, (change, i) => ({
      at: times[i + 1]!,
      gap: times[i + 1]! - times[i]!,
      changed: change === 1,
      contentAge: contentAges[i + 1]!,
    })),
  }
}

/** Assumption 1: lattice updates are no harm to gaps of two lengths of irrational ratio. */
export function irrationalFinding({ sizes, random }: PartRun): Finding {
  const { paths, until } = sizes.curve
  const law: Law = { ...clock(1), process: constantGaps({ period: 1 }) }
  const tenths = Array.from({ length: 9 }, (_, k) => (k + 1) / 10)
  const found = [
    either({ short: 3, long: Math.PI }),
    either({ short: Math.SQRT2, long: Math.E }),
  ].map((spacing) =>
    overPaths({ paths, random }, (chance) => {
      const estimate = m2.estimate(watch({ law, spacing, until, random: chance }))
      return estimate.kind === 'none' ? null : tenths.map((x) => cdfAt(estimate.curve, x))
    }),
  )
  const worst = Math.max(...found.map((each) => worstDeviation(each, { truth: tenths, until })))
  return {
    claim: 'assumption-1',
    ours: `G(.5) = ${shownAll(found.map(({ mean }) => mean[4]!))} where the truth is .5`,
    verdict: verdictOf(worst < mostErrors),
    why: `U = 1 always, S of 3 or pi, and of sqrt 2 or e: M2 finds content ages uniform on [0, 1]; ${deviationWords(worst)}.`,
  }
}
