import { OptionError } from '../../model/errors.js'
import type { History } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import { brent } from '../../numeric/root.js'
import { normalTail } from '../../numeric/special-functions.js'
import { stretchesOf } from './stretches.js'

/**
 * How a page's quiet spells go on.
 *
 * - `NWU`, new worse than used: the longer it was quiet, the longer it will be
 * - `NBU`, new better than used: the longer it was quiet, the sooner it changes
 * - `memoryless`: how long it was quiet tells nothing (Poisson changes)
 *
 * Li, Cline & Loguinov 2015, definition 3.
 */
export type Ageing = 'NWU' | 'NBU' | 'memoryless'

/** What each class means for visiting, in words. */
export const ageingMeaning: Readonly<Record<Ageing, string>> = {
  NWU: 'Changes come in bursts: after a change more will follow soon, after a long quiet the page stays quiet. Visit again soon after a change and let the gaps grow while nothing changes. Even visits find fewer changes than a Poisson page of the same rate would show.',
  NBU: 'Changes come at regular times: just after a change a visit is wasted, and after about one usual quiet spell the next change is due. Time the visits to that beat, but vary them a little so that they do not lock in step with it. Even visits find more changes than a Poisson page of the same rate would show.',
  memoryless:
    'Changes come at random: how long the page was quiet says nothing about the next change. Only the change rate counts, and evenly spaced visits are best.',
}

/** A class by a test: its statistic, expected 0 for a memoryless page, with its error. */
export type AgeingTest =
  | {
      readonly kind: 'test'
      readonly ageing: Ageing
      /** Above 0 towards NBU, below 0 towards NWU, in the test's own unit. */
      readonly statistic: number
      /** Standard error of the statistic for a memoryless page. */
      readonly error: number
      readonly z: number
      /** Chance that a memoryless page gives a statistic so far from 0, either side. */
      readonly chance: number
      /** Changes or gaps it rests on. */
      readonly samples: number
    }
  | { readonly kind: 'none'; readonly why: 'too-few-changes' | 'no-contrast' }

export interface AgeingTestOptions {
  /** How sure the test must be to say NWU or NBU; 0.95 by default. */
  readonly level?: number
}

const fewestChanges = 8

/**
 * NWU, NBU or memoryless from visits alone: does the chance of a change hang on
 * how long the page was quiet? The score test of theta = 0 in the change rate
 * lambda * quiet^theta, quiet being the time from the last seen change (or from
 * the reported time of change) to the middle of the gap. The statistic is the
 * one-step estimate of theta, which is the Weibull shape minus 1 where gaps are
 * short; its error is that for a memoryless page. Exact in the limit for any
 * gaps, as each gap is judged by its own length. O(n).
 *
 * Cox & Hinkley 1974, section 9.3 (score test with a nuisance parameter).
 */
export function ageingOfHistory(history: History, options: AgeingTestOptions = {}): AgeingTest {
  const trials = trialsOf(history)
  const changes = trials.filter(({ changed }) => changed).length
  if (changes < fewestChanges) return { kind: 'none', why: 'too-few-changes' }
  if (changes === trials.length) return { kind: 'none', why: 'no-contrast' }
  const changeRate = rateOf(trials)
  let [score, info, first, second] = [0, 0, 0, 0]
  for (const { gap, changed, logQuiet } of trials) {
    const expected = changeRate * gap
    const odds = expected / Math.expm1(expected)
    const weight = expected * odds
    score += logQuiet * (changed ? odds : -expected)
    info += weight
    first += weight * logQuiet
    second += weight * logQuiet ** 2
  }
  const spread = second - first ** 2 / info
  if (!(spread > 1e-9 * info)) return { kind: 'none', why: 'no-contrast' }
  return judged(
    { statistic: score / spread, error: 1 / Math.sqrt(spread), samples: changes },
    options,
  )
}

interface Trial {
  readonly gap: Seconds
  readonly changed: boolean
  readonly logQuiet: number
}

/** Gaps whose quiet time is known, from the first seen change of each stretch on. */
function trialsOf(history: History): Trial[] {
  const out: Trial[] = []
  for (const { times, changed, contentAges } of stretchesOf(history)) {
    let since = Number.NaN
    for (let j = 0; j < changed.length; j++) {
      if (!Number.isNaN(contentAges[j]!)) since = times[j]! - contentAges[j]!
      else if (j > 0 && changed[j - 1] === 1) since = times[j]!
      const gap = times[j + 1]! - times[j]!
      const quiet = times[j]! - since + gap / 2
      if (quiet > 0) out.push({ gap, changed: changed[j] === 1, logQuiet: Math.log(quiet) })
    }
  }
  return out
}

/** The Poisson rate of greatest likelihood: the root of Grimes & Ford 2008, eq. 2. */
function rateOf(trials: readonly Trial[]): number {
  const excess = (log: number) => {
    const changeRate = Math.exp(log)
    let total = 0
    for (const { gap, changed } of trials)
      total += changed ? gap / Math.expm1(changeRate * gap) : -gap
    return total
  }
  const gaps = trials.map(({ gap }) => gap)
  const longest = gaps.reduce((a, b) => Math.max(a, b))
  const shortest = gaps.reduce((a, b) => Math.min(a, b))
  const wide = Math.log(trials.length) + 3
  return Math.exp(
    brent(excess, { low: -Math.log(longest) - wide, high: wide - Math.log(shortest) }),
  )
}

function judged(
  found: { statistic: number; error: number; samples: number },
  { level = 0.95 }: AgeingTestOptions,
): AgeingTest {
  if (!(level > 0 && level < 1))
    throw new OptionError('bad-level', `level must be above 0 and below 1, not ${level}`)
  const z = found.statistic / found.error
  const chance = Math.min(1, 2 * normalTail(Math.abs(z)))
  const ageing = chance > 1 - level ? 'memoryless' : z > 0 ? 'NBU' : 'NWU'
  return { kind: 'test', ageing, ...found, z, chance }
}
