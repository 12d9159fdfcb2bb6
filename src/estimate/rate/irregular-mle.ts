import {
  type Estimate,
  type EstimateOptions,
  type Estimator,
  type Evidence,
  type History,
  OptionError,
  type Verdict,
} from '../../model/index.js'
import { evidenceOf, nothing, verdictOf } from './evidence.js'
import { censored, mostLikelyRate, type Traces } from './likelihood.js'
import { checkLevel, likelihoodBounds } from './likelihood-bounds.js'
import { mindingCalm } from './minding-calm.js'

/** One changed and one unchanged gap added to every page's data, in place of a prior. */
export interface PseudoGaps {
  readonly changed: number
  readonly unchanged: number
}

/**
 * Change rate of greatest likelihood for visits at any gaps, seen only as
 * changed or unchanged.
 *
 * Poisson changes. Where the likelihood has no finite peak it gives the
 * papers' substitutes: 1 / all time sampled if nothing changed, 1 / shortest
 * gap if every gap did; the verdict says so and the bounds are the
 * likelihood's own. Five to nine rounds of one exponential a changed gap.
 *
 * Cho & Garcia-Molina 2003; Grimes & Ford eq. 2.
 */
export const irregularMle: Estimator = estimator('irregular-mle', undefined)

/**
 * The same with two pseudo-gaps, which also removes the edge cases: the
 * estimate of a page never visited is the prior's. Grimes & Ford 4.4;
 * estimate/prior/ fits the gaps.
 */
export function irregularMleWith({ pseudoGaps }: { pseudoGaps: PseudoGaps }): Estimator {
  for (const gap of [pseudoGaps.changed, pseudoGaps.unchanged]) {
    if (!(gap > 0 && gap < Infinity)) {
      throw new OptionError('bad-pseudo-gap', `pseudo-gaps are positive durations; got ${gap}`)
    }
  }
  return estimator('irregular-mle-with-prior', pseudoGaps)
}

function estimator(name: string, pseudoGaps: PseudoGaps | undefined): Estimator {
  return mindingCalm({
    name,
    summary:
      pseudoGaps === undefined
        ? 'most likely rate for visits at any gaps'
        : 'most likely rate for visits at any gaps, with a prior as two pseudo-gaps',
    needsContentAge: false,
    estimate(history: History, options: EstimateOptions = {}): Estimate {
      const level = checkLevel(options.level)
      const evidence = evidenceOf(history)
      const verdict = pseudoGaps === undefined ? verdictOf(evidence) : priorVerdict(evidence)
      if (verdict === 'no-observation') return nothing(name, evidence, verdict)
      const data =
        pseudoGaps === undefined ? censored(history) : extended(censored(history), pseudoGaps)
      const changeRate = substitute(history, verdict) ?? mostLikelyRate(data)
      const bounds = likelihoodBounds(data, { level })
      return { method: name, changeRate, changePeriod: 1 / changeRate, bounds, evidence, verdict }
    },
  })
}

function priorVerdict({ observations }: Evidence): Verdict {
  return observations === 0 ? 'prior-only' : 'ok'
}

function extended({ events, exposure, hidden }: Traces, pseudoGaps: PseudoGaps): Traces {
  const more = new Float64Array(hidden.length + 1)
  more.set(hidden)
  more[hidden.length] = pseudoGaps.changed
  return { events, exposure: exposure + pseudoGaps.unchanged, hidden: more }
}

function substitute(history: History, verdict: Verdict): number | undefined {
  if (verdict === 'no-change-seen') return 1 / evidenceOf(history).samplingPeriod
  if (verdict !== 'always-changed') return undefined
  let shortest = Infinity
  for (const { gap } of history.observations) shortest = Math.min(shortest, gap)
  return 1 / shortest
}
