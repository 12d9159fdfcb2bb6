import { HOUR } from 'revisit/model'
import type { Finding } from 'revisit/report'
import { verdictOf } from '../verdict-of.js'
import { percent } from '../words.js'
import { type CensoringBias, censoringBias } from './censoring-bias.js'
import type { EdgeStudy } from './edge-paths.js'
import { exampleCrawlers } from './naive-example.js'
import type { UnchangedLaw } from './unchanged-law.js'
import { hours } from './words.js'

/** Visits behind the bias of eq. 1: "a reasonably small sample size". */
export const biasVisits = 10

/** Section 3: the example, eq. 1, and what it is. */
export function estimatorFindings(): Finding[] {
  const [one, two] = exampleCrawlers().map(({ perTotal }) => perTotal)
  const at = (ratio: number) => censoringBias({ visits: biasVisits, ratio })
  const long = [1, 2, 3].map(at)
  const off = (bias: CensoringBias, of: 'naive' | 'biasReduced') => Math.abs(bias[of] - 1)
  return [
    {
      claim: 'naive-example',
      ours: `${one!.naive.toFixed(0)}/T and ${two!.naive.toFixed(0)}/T of 7/T`,
      verdict: verdictOf(one!.naive === 6 && two!.naive === 4),
      why: `Seven updates that the figure's text allows. Eq. 1 gives ${one!.biasReduced.toFixed(1)}/T and ${two!.biasReduced.toFixed(1)}/T; eq. 2 gives ${one!.mle.toFixed(1)}/T and, since crawler 2 always sees a change, its substitute ${two!.mle.toFixed(0)}/T.`,
    },
    {
      claim: 'less-bias',
      ours: `estimate over truth at C / Delta = 1, 2, 3: naive ${long.map(({ naive }) => naive.toFixed(2)).join(', ')}; eq. 1 ${long.map(({ biasReduced }) => biasReduced.toFixed(2)).join(', ')}`,
      verdict: verdictOf(...long.map((bias) => off(bias, 'biasReduced') < off(bias, 'naive') / 3)),
      why: `Exact, over ${biasVisits} visits at equal gaps.`,
    },
    {
      claim: 'equation-1',
      ours: `C / Delta; 6 of 8 gaps changed: eq. 1 ${(one!.biasReduced / 8).toFixed(3)}, MLE ${(one!.mle / 8).toFixed(3)} changes a gap`,
      verdict: verdictOf(Math.abs(one!.biasReduced / one!.mle - 1) < 0.001),
      why: 'A slip: -log(share unchanged) grows with the gap, so it is C / Delta. And the halves make it the bias-reduced estimate of Cho & Garcia-Molina; the MLE at equal gaps is log(1 + changed / unchanged).',
    },
  ]
}

/** Section 4.1. */
export function edgeFindings({ firstTen, firstFifteen, byStart }: EdgeStudy): Finding[] {
  const near = byStart.find(({ firstGap }) => firstGap === 24 * HOUR)!
  const far = byStart[byStart.length - 1]!
  return [
    {
      claim: 'edge-cases',
      ours: `${percent(firstTen)} of the first 10 estimates, ${percent(firstFifteen)} of the first 15`,
      verdict: verdictOf(firstTen > 0.5, firstFifteen > 0.5),
      why: 'A page that changes every 24 hours, first gaps from 50 to 650 hours, next gap 80% of the estimate. From long first gaps every visit sees a change and the estimate only shrinks by 20% a visit.',
    },
    {
      claim: 'start-matters',
      ours: `error after 5 visits ${hours(near.errorAtFive)} hours from a first gap of 24 hours, ${hours(far.errorAtFive)} from 650; edge cases among the first 15 estimates ${percent(near.edges)} and ${percent(far.edges)}`,
      verdict: verdictOf(far.errorAtFive > 3 * near.errorAtFive, far.edges > 2 * near.edges),
      why: 'Median absolute error of the estimated change period, the truth being 24 hours.',
    },
  ]
}

/** Section 4.3. */
export function unchangedFinding(laws: readonly UnchangedLaw[]): Finding {
  const last = laws[0]!.likelihood.length - 1
  const rises = laws.every(({ likelihood }) =>
    likelihood.every((value, i) => i === 0 || value >= likelihood[i - 1]!),
  )
  const inside = laws.every(({ posterior }) => {
    const peak = posterior.indexOf(1)
    return peak > 0 && peak < last
  })
  return {
    claim: 'posterior-has-peak',
    ours: `posterior largest at ${laws.map(({ peak, visits }) => `${hours(peak)} hours after ${visits}`).join(', ')} daily visits without a change`,
    verdict: verdictOf(rises, inside),
    why: 'On an hourly grid up to 100 days. The likelihood rises to the end of any grid; the posterior of the stated distribution has its peak inside.',
  }
}
