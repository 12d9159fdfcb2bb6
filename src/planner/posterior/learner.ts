import { evidenceOf } from '../../estimators/rate/evidence.js'
import { checkLevel } from '../../estimators/rate/likelihood.js'
import type {
  Estimate,
  EstimateOptions,
  Estimator,
  Evidence,
  Verdict,
} from '../../model/estimate.js'
import { hintWeight, staticPeriod, type WeighedHint } from '../../model/hint.js'
import { type History, splitUnchanged } from '../../model/history.js'
import type { Learner, Posterior, Seen } from '../../model/policy.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { weekGap } from '../../numeric/week-clock.js'
import { defaultChangeLaw } from '../prior/default-prior.js'
import {
  changesAt,
  driftShare,
  learnChanged,
  learnChangedAt,
  learnUnchanged,
  letDrift,
  memorySize,
  observationsAt,
  sampledAt,
  startLikelihoods,
  unchangedRunAt,
} from './likelihoods.js'
import {
  chanceOfChange,
  type GroupChangeLaw,
  newPosterior,
  pageGap,
  posteriorBounds,
  posteriorQuantile,
  posteriorRate,
  updatePosterior,
  weighClocks,
} from './posterior.js'

/** No period counts for more: a few visits that tell otherwise overrule it. */
const most = 0.9
/** How far off an honest period is, in logarithms: `daily` to `monthly` go by steps of four to seven. */
const spread = 0.5
/** The logarithms of periods in the family span so much: what one would say at random. */
const span = Math.log(laws.changeRates.at(-1)! / laws.changeRates[0]!)
const peak = span / (spread * Math.sqrt(2 * Math.PI))
const logRates = laws.meanRates.map(Math.log)

/** A period that a publisher declares, with what its word counts. */
interface DeclaredPeriod {
  readonly period: Seconds
  /** Whether any longer period is meant too. */
  readonly orLonger: boolean
  /** From 0, nothing, to below 1. */
  readonly weight: number
}

/** The trusted period that counts most; null where there is none that counts. */
function declaredPeriod(reported: readonly WeighedHint[]): DeclaredPeriod | null {
  let found: DeclaredPeriod | null = null
  for (const hint of reported) {
    const { claim } = hint
    if (claim.says !== 'declared' || !hint.trusted) continue
    const { declared } = claim
    const orLonger = declared.kind === 'static'
    const period = declared.kind === 'static' ? staticPeriod : declared.period
    const weight = Math.min(most, hintWeight(hint))
    if (period === null || !(period > 0 && period < Infinity) || !(weight > (found?.weight ?? 0)))
      continue
    found = { period, orLonger, weight }
  }
  return found
}

/**
 * Takes a declared period into a posterior, in place, by Bayes' rule: with chance
 * `weight` the publisher knows and tells the page's period within a factor of
 * 1.6 or so, else it says anything. So each law's mass is multiplied by
 * between 1 - weight and some ten times that much more, once and not at every
 * visit: a few visits that tell otherwise overrule it. O(laws).
 */
function takeDeclared(posterior: Posterior, declared: DeclaredPeriod): Posterior {
  const { masses } = posterior
  const declaredLog = Math.log(declared.period)
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const factor = factorOf(declaredLog + logRates[law]!, declared)
    masses[2 * law]! *= factor
    masses[2 * law + 1]! *= factor
    total += masses[2 * law]! + masses[2 * law + 1]!
  }
  if (total > 0) for (let at = 0; at < masses.length; at++) masses[at]! /= total
  return posterior
}

/** `apart`: the logarithm of the declared period over the law's own. */
function factorOf(apart: number, { orLonger, weight }: DeclaredPeriod): number {
  const off = (orLonger ? Math.max(0, apart) : apart) / spread
  return 1 - weight + weight * peak * Math.exp(-(off * off) / 2)
}

/** The default learner: it tells all it knows of a page, and what its memory counts. */
export interface AutoLearner extends Learner {
  readonly law: GroupChangeLaw
  posterior(memory: Float64Array): Posterior
  adjusted(memory: Float64Array, reported: readonly WeighedHint[]): Posterior | null
  /** With what publishers say as evidence where they say anything, else without. */
  posteriorGiven(memory: Float64Array, reported: readonly WeighedHint[]): Posterior
  /** The memory of a page just seen for the first time, its age not known. */
  newMemory(): Float64Array
  /** Observations taken in, and those that saw a change. */
  comparisons(memory: Float64Array): number
  changes(memory: Float64Array): number
  /** Seconds of the page's own clock in the `gap` seconds that end at `at`. */
  clockGap(memory: Float64Array, gap: { at: UnixSeconds; gap: Seconds }): Seconds
}

/**
 * The default learner: how likely all that was seen is under each of a
 * hundred laws of change, on the clock of the page's group. The memory holds
 * likelihoods only; the group's law comes in when it is asked, so a law
 * learned anew needs no page rewritten. A believable Last-Modified is taken
 * exactly. 1,640 bytes a page, about 3 microseconds an observation.
 */
export function autoLearner({
  law = defaultChangeLaw,
}: {
  law?: GroupChangeLaw
} = {}): AutoLearner {
  const scratch = newPosterior()
  const adjusted = newPosterior()
  const start = (memory: Float64Array, contentAge: Seconds) => {
    memory.fill(0)
    startLikelihoods(memory, { contentAge, newShare: law.newShare ?? 0 })
  }
  const given = (memory: Float64Array, reported: readonly WeighedHint[]) => {
    const declared = declaredPeriod(reported)
    return declared === null ? null : takeDeclared(updatePosterior(memory, law, adjusted), declared)
  }
  return {
    name: 'auto',
    summary: 'the default: a posterior over a hundred laws of change, on a clock of the week',
    law,
    size: memorySize,
    usesUnchangedFor: true,
    start,
    newMemory() {
      const memory = new Float64Array(memorySize)
      start(memory, Number.NaN)
      return memory
    },
    comparisons: (memory) => memory[observationsAt]!,
    changes: (memory) => memory[changesAt]!,
    learn(memory, seen) {
      learnSeen(memory, { law, seen, posterior: () => updatePosterior(memory, law, scratch) })
    },
    clockGap: (memory, gap) => pageGap(memory, { clock: law.clock, ...gap }),
    changePeriod: (memory) => 1 / posteriorRate(updatePosterior(memory, law, scratch)),
    posterior: (memory) => updatePosterior(memory, law, scratch),
    adjusted: given,
    posteriorGiven: (memory, reported) =>
      given(memory, reported) ?? updatePosterior(memory, law, scratch),
  }
}

function learnSeen(
  memory: Float64Array,
  { law, seen, posterior }: { law: GroupChangeLaw; seen: Seen; posterior: () => Posterior },
): void {
  const { at = Number.NaN, gap, changed, contentAge, unchangedFor = 0 } = seen
  const whole = pageGap(memory, { clock: law.clock, at, gap })
  weighClocks(memory, { posterior, changed, gap, groupGap: weekGap(law.clock, { at, gap }) })
  memory[observationsAt]! += 1
  memory[sampledAt]! += gap
  memory[unchangedRunAt] = changed ? 0 : memory[unchangedRunAt]! + 1
  if (changed) memory[changesAt]! += 1
  // Of a gap whose beginning is known to be unchanged, only the rest holds the change.
  const unchanged = changed && unchangedFor > 0 && unchangedFor < gap
  const clockGap = unchanged
    ? pageGap(memory, { clock: law.clock, at, gap: gap - unchangedFor })
    : whole
  if (unchanged) learnUnchanged(memory, Math.max(0, whole - clockGap))
  if (!changed) learnUnchanged(memory, clockGap)
  else if (contentAge >= 0 && contentAge < gap) {
    const since = pageGap(memory, { clock: law.clock, at, gap: contentAge })
    learnChangedAt(memory, { gap: clockGap, contentAge: since })
  } else learnChanged(memory, clockGap)
  letDrift(memory, { masses: law.masses, share: driftShare })
}

/**
 * Change rate in the long run by the default's posterior over laws of change:
 * its median with credible bounds. Needs no rule for the edges: where little
 * was seen, the law of the group speaks. O(n x laws).
 */
export function autoWith({ law }: { readonly law: GroupChangeLaw }): Estimator {
  const learner = autoLearner({ law })
  return {
    name: 'auto',
    summary:
      'what the crawler plans by: a posterior over a hundred laws of change; median with credible bounds',
    needsContentAge: false,
    estimate(history: History, options: EstimateOptions = {}): Estimate {
      const level = checkLevel(options.level)
      const evidence = evidenceOf(history)
      return estimateIn(learner.posterior(memoryOf(history, learner)), { evidence, level })
    },
  }
}

/** The estimate that a posterior of the default comes to. */
export function estimateIn(
  posterior: Posterior,
  { evidence, level }: { readonly evidence: Evidence; readonly level: number },
): Estimate {
  const changeRate = posteriorQuantile(posterior, 0.5)
  return {
    method: 'auto',
    changeRate,
    changePeriod: 1 / changeRate,
    bounds: posteriorBounds(posterior, level, evidence),
    evidence,
    verdict: verdictOn(evidence),
  }
}

/** With the law that ships. */
export const auto: Estimator = autoWith({ law: defaultChangeLaw })

/** A page's whole past taken into a memory of the default learner. */
export function memoryOf(history: History, learner = autoLearner()): Float64Array {
  const memory = new Float64Array(learner.size)
  learner.start(memory, history.start.contentAge ?? Number.NaN)
  for (const {
    at,
    gap,
    changed,
    contentAge = Number.NaN,
    unchangedFor = 0,
  } of history.observations)
    learner.learn(memory, { at, gap, changed, contentAge, unchangedFor })
  return memory
}

/** An observation with the chance of a change that was predicted before it. */
export interface Prediction {
  readonly at: UnixSeconds
  readonly gap: Seconds
  readonly changed: boolean
  readonly chance: number
}

/** A page's past once more, with what the learner predicted before each observation. O(observations x laws). */
export function* predictions(learner: AutoLearner, history: History): Generator<Prediction> {
  const { start, observations } = splitUnchanged(history)
  const memory = new Float64Array(learner.size)
  learner.start(memory, start.contentAge ?? Number.NaN)
  for (const { at, gap, changed, contentAge = Number.NaN } of observations) {
    const clockGap = learner.clockGap(memory, { at, gap })
    yield { at, gap, changed, chance: chanceOfChange(learner.posterior(memory), clockGap) }
    learner.learn(memory, { at, gap, changed, contentAge })
  }
}

function verdictOn({ observations, changes, unchangedTime, contentAges }: Evidence): Verdict {
  if (observations === 0 && contentAges === 0) return 'prior-only'
  if (changes === 0) return 'no-change-seen'
  const unchanged = changes < observations || unchangedTime > 0
  return unchanged || contentAges > 0 ? 'ok' : 'always-changed'
}
