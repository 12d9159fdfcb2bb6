import type {
  Estimate,
  EstimateOptions,
  Estimator,
  Evidence,
  Verdict,
} from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import {
  type GridPrior,
  logUniformPrior,
  periodQuantile,
  type Summary,
  typicalPeriod,
} from '../prior/grid-prior.js'
import { evidenceOf, nothing, usingUnchangedFor, verdictOf } from './evidence.js'
import { checkLevel, logLikelihood, type Traces, withContentAges } from './likelihood.js'

export interface PosteriorOptions {
  /** What a page is likely to be before it is visited. */
  readonly prior: GridPrior
  /** Which number to give for the whole law; the median by default. */
  readonly summary?: Summary
  /** Whether that number summarises change periods or change rates; periods by default. */
  readonly of?: 'period' | 'rate'
}

/**
 * Change rate by Bayes' rule on a grid of change periods: prior times
 * likelihood, with content ages taken exactly where they are reported. Bounds hold
 * equal chances outside on both sides. Never without a number, given a prior.
 * O(nodes x changed gaps).
 *
 * Grimes & Ford 4.3, with the whole posterior instead of its expectation only.
 */
export function posteriorWith({
  prior,
  summary = 'median',
  of = 'period',
}: PosteriorOptions): Estimator {
  return estimator({ priorFor: () => prior, summary, of, learned: true })
}

/**
 * With no prior at hand: periods equally likely on the logarithmic scale from
 * a hundredth of the shortest gap to a hundred times the time sampled, the
 * range about which the visits could tell anything. Median.
 */
export const posterior: Estimator = estimator({
  priorFor: widePrior,
  summary: 'median',
  of: 'period',
  learned: false,
})

/** The law of the change period after these observations. */
export function posteriorOf(history: History, prior: GridPrior): GridPrior {
  return update(prior, withContentAges(history))
}

/** Prior times likelihood, in logarithms so that long histories do not underflow. */
function update(prior: GridPrior, traces: Traces): GridPrior {
  const { periods } = prior
  const masses = new Float64Array(periods.length)
  let peak = -Infinity
  for (let i = 0; i < periods.length; i++) {
    masses[i] =
      prior.masses[i]! > 0
        ? Math.log(prior.masses[i]!) + logLikelihood(traces, 1 / periods[i]!)
        : -Infinity
    peak = Math.max(peak, masses[i]!)
  }
  // The data contradict every node the prior allows: keep the prior.
  if (peak === -Infinity) return prior
  let total = 0
  for (let i = 0; i < masses.length; i++) total += masses[i] = Math.exp(masses[i]! - peak)
  for (let i = 0; i < masses.length; i++) masses[i]! /= total
  return { periods, masses }
}

function estimator(setting: {
  priorFor: (history: History, evidence: Evidence) => GridPrior | null
  summary: Summary
  of: 'period' | 'rate'
  learned: boolean
}): Estimator {
  const name = setting.learned ? 'posterior-with-prior' : 'posterior'
  return usingUnchangedFor({
    name,
    summary: 'the whole posterior on a grid of change periods; median with credible bounds',
    needsContentAge: false,
    estimate(history: History, options: EstimateOptions = {}): Estimate {
      const level = checkLevel(options.level)
      const evidence = evidenceOf(history)
      const prior = setting.priorFor(history, evidence)
      if (prior === null) return nothing(name, evidence, 'no-observation')
      const law = posteriorOf(history, prior)
      const changePeriod = typicalPeriod(law, setting)
      return {
        method: name,
        changeRate: 1 / changePeriod,
        changePeriod,
        bounds: {
          low: 1 / periodQuantile(law, (1 + level) / 2),
          high: 1 / periodQuantile(law, (1 - level) / 2),
          level,
        },
        evidence,
        verdict: verdict(evidence),
      }
    },
  })
}

function verdict(evidence: Evidence): Verdict {
  if (evidence.observations === 0 && evidence.contentAges === 0) return 'prior-only'
  const seen = verdictOf(evidence)
  if (evidence.contentAges > 0 && seen !== 'no-change-seen') return 'ok'
  return seen === 'no-observation' ? 'no-change-seen' : seen
}

function widePrior(history: History, { samplingPeriod }: Evidence): GridPrior | null {
  let shortest = history.start.contentAge || Infinity
  let longest = Math.max(samplingPeriod, history.start.contentAge ?? 0)
  for (const { gap, contentAge } of history.observations) {
    shortest = Math.min(shortest, gap, contentAge || Infinity)
    longest = Math.max(longest, contentAge ?? 0)
  }
  // Beyond these there is no room in a double for a grid.
  if (!(longest > 1e-200 && longest < 1e300)) return null
  return logUniformPrior({
    shortest: Math.max(shortest, longest * 1e-15) / 100,
    longest: longest * 100,
  })
}
