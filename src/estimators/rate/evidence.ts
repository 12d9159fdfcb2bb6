import type { Estimate, Estimator, Evidence, Verdict } from '../../model/estimate.js'
import { type History, splitUnchanged, unchangedTimeOf } from '../../model/history.js'

/** What a History holds, counted once for every method. O(n). */
export function evidenceOf(history: History): Evidence {
  let changes = 0
  let samplingPeriod = 0
  let unchangedTime = 0
  let contentAges = history.start.contentAge === undefined ? 0 : 1
  for (const seen of history.observations) {
    samplingPeriod += seen.gap
    unchangedTime += unchangedTimeOf(seen)
    if (seen.changed) changes++
    if (seen.contentAge !== undefined) contentAges++
  }
  const observations = history.observations.length
  return {
    visits: observations + 1,
    observations,
    changes,
    samplingPeriod,
    unchangedTime,
    contentAges,
  }
}

/** The answer where a method has no number to give. */
export function nothing(method: string, evidence: Evidence, verdict: Verdict): Estimate {
  return { method, changeRate: null, changePeriod: null, bounds: null, evidence, verdict }
}

/** The verdict on the evidence alone, for methods that see only changed or unchanged. */
export function verdictOf({ observations, changes }: Evidence): Verdict {
  if (observations === 0) return 'no-observation'
  if (changes === 0) return 'no-change-seen'
  return changes === observations ? 'always-changed' : 'ok'
}

/**
 * Malcolm & Armitage, section VI: sample for at least three times the change
 * period, or the estimate is biased towards the sampling period.
 */
export function shortSampling({ samplingPeriod }: Evidence, changePeriod: number): boolean {
  return samplingPeriod < 3 * changePeriod
}

/** 1 / value, or null where that is no finite number (0, and the smallest of doubles). */
export function inverse(value: number): number | null {
  const result = 1 / value
  return result < Infinity ? result : null
}

/**
 * A method that knows gaps only, given a gap with an unchanged beginning as two. The
 * evidence still counts visits that were made. Where no list reported anything it
 * is the method itself.
 */
export function usingUnchangedFor(bare: Estimator): Estimator {
  return {
    ...bare,
    estimate(history, options) {
      const split = splitUnchanged(history)
      const estimate = bare.estimate(split, options)
      return split === history ? estimate : { ...estimate, evidence: evidenceOf(history) }
    },
  }
}
