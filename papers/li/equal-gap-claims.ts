import { m3, m4 } from 'revisit/estimators'
import type { Finding } from 'revisit/report'
import { m3Tail, meanValues } from './closed-forms.js'
import { logGrid } from './grid.js'
import { type Law, pareto, paretoTwin, uniform } from './laws.js'
import { type PartRun, verdictOf } from './part.js'
import { mostErrors, overPaths, worstDeviation } from './paths.js'
import { constantGap } from './spacings.js'
import { simulatedTail } from './tails.js'
import { watch } from './watch.js'
import { deviationWords, shown, shownAll } from './words.js'

type Tail = (x: number) => number

/** M3's eq. 18 at every whole gap up to x = 50, between the two tails or not, and how far from each. */
function placeOf(
  law: Law,
  delta: number,
): { between: boolean; fromGaps: number; fromAges: number } {
  const model = m3Tail({ law, delta })
  const steps = Array.from({ length: Math.ceil(50 / delta) + 1 }, (_, n) => n)
  const inside = (n: number) => {
    const ends = [law.gapTail(n * delta), law.contentTail(n * delta)]
    return model(n) >= Math.min(...ends) - 1e-12 && model(n) <= Math.max(...ends) + 1e-12
  }
  const from = (tail: Tail) => Math.max(...steps.map((n) => Math.abs(model(n) - tail(n * delta))))
  return {
    between: steps.every(inside),
    fromGaps: from(law.gapTail),
    fromAges: from(law.contentTail),
  }
}

/** That M3 lies between the laws, and where it goes at very long and very short gaps. */
export function m3Limits(): Finding[] {
  const deltas = logGrid({ low: 0.01, high: 10, count: 13 })
  const between = [pareto, uniform].every((law) =>
    deltas.every((delta) => placeOf(law, delta).between),
  )
  const long = [1, 10, 50].map((delta) => placeOf(pareto, delta).fromAges)
  const short = [1, 0.1, 0.01].map((delta) => placeOf(pareto, delta).fromGaps)
  return [
    {
      claim: 'm3-between',
      ours: `Pareto at n = 1, Delta 1: F ${shown(pareto.gapTail(1))}, M3 ${shown(m3Tail({ law: pareto, delta: 1 })(1))}, G ${shown(pareto.contentTail(1))}`,
      verdict: verdictOf(between),
      why: 'Eq. 18 at whole gaps up to x = 50 for Delta from .01 to 10; Pareto U (NWU) and uniform U (NBU, the other way round).',
    },
    {
      claim: 'm3-long-gaps',
      ours: `largest distance from G_U ${shownAll(long, { digits: 2 })} at Delta 1, 10, 50`,
      verdict: verdictOf(long[2]! < 1e-3 && long[1]! < long[0]!),
      why: 'Eq. 18 at whole gaps. There is little of G_U left to see at such gaps.',
    },
    {
      claim: 'm3-short-gaps',
      ours: `largest distance from F_U ${shownAll(short, { digits: 2 })} at Delta 1, .1, .01`,
      verdict: verdictOf(short[2]! < 0.01 && short[1]! < short[0]!),
      why: 'Eq. 18 at whole gaps.',
    },
  ]
}

/** E[D3] and E[D4]; D4 by closed form only, as its variance is infinite. */
export function meanFindings(run: PartRun): Finding[] {
  const { d3, d4 } = meanValues({ law: pareto, delta: 1 })
  const simulated = meanOf(run, { method: m3, law: pareto, delta: 1 })
  const upTo100 = Array.from({ length: 100 }, (_, n) => pareto.contentTail(n)).reduce(
    (a, b) => a + b,
  )
  return [
    {
      claim: 'mean-d3',
      ours: `${shown(d3, { digits: 5 })} by eq. 18, ${shown(simulated.mean, { digits: 4 })} simulated`,
      verdict: verdictOf(
        Math.abs(d3 - 1.33) < 0.005 &&
          Math.abs(simulated.mean - d3) < mostErrors * simulated.error + 1e-4,
      ),
      why: 'The mean of M3 is Delta / p = 4/3: its runs fill the window.',
    },
    {
      claim: 'mean-d4',
      ours: shown(d4, { digits: 5 }),
      verdict: verdictOf(Math.abs(d4 - 1.63) < 0.005, Math.abs(upTo100 - 1.63) < 0.01),
      why: `The sum of (1 + n)^-2 is pi^2/6 = 1.6449. Cut off after 100 terms it is ${shown(upTo100, { digits: 6 })}, as printed. No simulated mean is given: the variance of D4 is infinite.`,
    },
    {
      claim: 'd4-above-d3',
      ours: `${shown(d4)} against ${shown(d3)}`,
      verdict: verdictOf(d4 > d3),
      why: 'Pareto U, gaps of 1, by closed form; so M3, which keeps the largest value of each run, still has the smaller mean.',
    },
    reversedMeans(run),
  ]
}

function reversedMeans(run: PartRun): Finding {
  const delta = 0.25
  const { d3, d4 } = meanValues({ law: uniform, delta })
  const [found3, found4] = [m3, m4].map((method) => meanOf(run, { method, law: uniform, delta }))
  const agree = [found3!, found4!].every(
    ({ mean, error }, i) => Math.abs(mean - [d3, d4][i]!) < mostErrors * error + 1e-3,
  )
  return {
    claim: 'd4-below-d3-nbu',
    ours: `E[D4] ${shown(d4)} (simulated ${shown(found4!.mean)}), E[D3] ${shown(d3)} (${shown(found3!.mean)})`,
    verdict: verdictOf(d4 < d3 && agree),
    why: 'Uniform U on [0, 1], gaps of 1/4.',
  }
}

function meanOf(
  { sizes, random }: PartRun,
  { method, law, delta }: { method: typeof m3; law: Law; delta: number },
): { mean: number; error: number } {
  const { paths, until } = sizes.curve
  const found = overPaths({ paths, random }, (chance) => {
    const estimate = method.estimate(
      watch({ law, spacing: constantGap(delta), until, random: chance }),
    )
    if (estimate.kind === 'none') return null
    const { x, weight } = estimate.curve
    return [x.reduce((sum, value, i) => sum + value * weight[i]!, 0) / estimate.samples]
  })
  return { mean: found.mean[0]!, error: found.error[0]! }
}

/** Two laws that no watching at whole gaps can tell apart. */
export function twinFinding(run: PartRun): Finding {
  const twin = paretoTwin()
  const at = Array.from({ length: 10 }, (_, n) => n + 1)
  const { until } = run.sizes.curve
  const found = simulatedTail(run, { method: m4, law: twin, spacing: constantGap(1), at })
  const deviation = worstDeviation(found, { truth: at.map(pareto.contentTail), until })
  const apart = Math.abs(twin.gapTail(1) - pareto.gapTail(1))
  return {
    claim: 'whole-gaps-insufficient',
    ours: `P(U > 1) is ${shown(pareto.gapTail(1))} for one law and ${shown(twin.gapTail(1))} for another, E[U] ${shown(pareto.process.changePeriod)} and ${shown(twin.process.changePeriod)}, with one G_U at whole gaps`,
    verdict: verdictOf(deviation < mostErrors && apart > 0.05),
    why: `The other law has whole gaps with P(U > n) as eq. 18. M4 on it at gaps of 1 finds the Pareto's G_U: ${deviationWords(deviation)}.`,
  }
}
