import type { Seconds } from '../../model/index.js'
import type { ExactRatio } from '../statistics/exact-ratio.js'
import type { Study } from './study.js'
import type { StudyTally } from './tally.js'

/** A number and how far chance may have moved it; null where it cannot be told. */
export interface Measured {
  readonly value: number | null
  readonly standardError: number | null
}

/** How well the change period was estimated, at the end of each page's visits. */
export interface EstimateQuality {
  /** Mean estimate over true change period: 1 is unbiased. Null where there is no true one, or no estimate. */
  readonly bias: Measured
  /** Standard deviation of the estimate in percent of the true change period. */
  readonly spread: Measured
  /** Quantiles of the estimate. */
  readonly quantiles: readonly {
    readonly p: number
    readonly value: Seconds
    readonly standardError: Seconds
  }[]
}

/** What a study found. */
export interface StudyResult {
  readonly pages: number
  /** Long-run mean time between changes; null where there is none. */
  readonly changePeriod: Seconds | null
  /** Share of the time in which the copy equalled the page. */
  readonly freshness: Measured
  /** Mean time since the copy went stale, 0 while fresh. */
  readonly copyAge: Measured
  /** Share of the changes that a visit noticed; several in one gap count once. */
  readonly caught: Measured
  /** Share of the visits after the first that found nothing new: needless, or premature. */
  readonly needless: Measured
  /** Visits a page, the first among them. */
  readonly visits: Measured
  /** Null where nothing is learned. */
  readonly estimate: EstimateQuality | null
}

const shown = [0.05, 0.25, 0.5, 0.75, 0.95]

/** The figures of a tally, each with its standard error. */
export function studyResult({ process, mind }: Study, tally: StudyTally): StudyResult {
  const { changePeriod } = process
  return {
    pages: tally.visits.count,
    changePeriod: changePeriod < Infinity ? changePeriod : null,
    freshness: ratio(tally.freshness),
    copyAge: ratio(tally.copyAge),
    caught: ratio(tally.caught),
    needless: ratio(tally.needless),
    visits: {
      value: tally.visits.mean,
      standardError: ifTwo(tally.visits, tally.visits.meanError),
    },
    estimate: mind.learner === null ? null : quality(tally, changePeriod),
  }
}

function quality(tally: StudyTally, truePeriod: Seconds): EstimateQuality {
  const { estimates, quantiles } = tally
  const told = truePeriod < Infinity && estimates.count > 0
  const share = (value: number) => (told ? value / truePeriod : null)
  const percent = (value: number) => (told ? (100 * value) / truePeriod : null)
  return {
    bias: {
      value: share(estimates.mean),
      standardError: ifTwo(estimates, share(estimates.meanError)),
    },
    spread: {
      value: ifTwo(estimates, percent(estimates.standardDeviation)),
      standardError: ifTwo(estimates, percent(estimates.deviationError)),
    },
    quantiles: shown.flatMap((p) => {
      const found = quantiles.quantile(p)
      return found === null ? [] : { p, value: found.value, standardError: found.standardError }
    }),
  }
}

function ratio({ value, standardError }: ExactRatio): Measured {
  return { value, standardError }
}

/** One page alone tells nothing of chance. */
function ifTwo<T>({ count }: { readonly count: number }, value: T): T | null {
  return count < 2 ? null : value
}
