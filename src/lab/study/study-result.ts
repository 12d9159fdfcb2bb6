import type { Seconds } from '../../model/units.js'
import type { Scores } from '../scores.js'
import { ExactRatio, type ExactRatioState } from '../statistics/exact-ratio.js'
import { ExactMoments, type ExactMomentsState } from '../statistics/moments.js'
import { QuantileSketch, type QuantileSketchState } from '../statistics/quantile-sketch.js'
import type { Study } from './study.js'

/** What a `StudyTally` is made of: plain numbers, to be sent between threads. */
export interface StudyTallyState {
  readonly freshness: ExactRatioState
  readonly copyAge: ExactRatioState
  readonly caught: ExactRatioState
  readonly needless: ExactRatioState
  readonly visits: ExactMomentsState
  readonly estimates: ExactMomentsState
  readonly quantiles: QuantileSketchState
}

/**
 * The scores and final estimates of many pages, added up without rounding, so
 * that any part of the pages can be run alone and the parts merged in any
 * order: the bytes are the same.
 */
export class StudyTally {
  readonly freshness: ExactRatio
  readonly copyAge: ExactRatio
  readonly caught: ExactRatio
  readonly needless: ExactRatio
  /** Visits of a page, its first among them. */
  readonly visits: ExactMoments
  /** Final estimates of the change period; none where nothing is learned. */
  readonly estimates: ExactMoments
  readonly quantiles: QuantileSketch

  constructor(state?: StudyTallyState) {
    this.freshness = new ExactRatio(state?.freshness)
    this.copyAge = new ExactRatio(state?.copyAge)
    this.caught = new ExactRatio(state?.caught)
    this.needless = new ExactRatio(state?.needless)
    this.visits = new ExactMoments(state?.visits)
    this.estimates = new ExactMoments(state?.estimates)
    this.quantiles = new QuantileSketch(state?.quantiles)
  }

  /** One page; `estimate` is null where nothing is learned, or nothing was compared yet. */
  add(scores: Scores, estimate: Seconds | null): void {
    this.freshness.add({ top: scores.freshTime, bottom: scores.time })
    this.copyAge.add({ top: scores.copyAgeTime, bottom: scores.time })
    this.caught.add({ top: scores.caught, bottom: scores.changes })
    this.needless.add({ top: scores.needless, bottom: scores.visits - scores.firstVisits })
    this.visits.add(scores.visits)
    if (estimate === null) return
    this.estimates.add(estimate)
    this.quantiles.add(estimate)
  }

  merge(other: StudyTally): void {
    this.freshness.merge(other.freshness)
    this.copyAge.merge(other.copyAge)
    this.caught.merge(other.caught)
    this.needless.merge(other.needless)
    this.visits.merge(other.visits)
    this.estimates.merge(other.estimates)
    this.quantiles.merge(other.quantiles)
  }

  get state(): StudyTallyState {
    return {
      freshness: this.freshness.state,
      copyAge: this.copyAge.state,
      caught: this.caught.state,
      needless: this.needless.state,
      visits: this.visits.state,
      estimates: this.estimates.state,
      quantiles: this.quantiles.state,
    }
  }
}

/** A number and how far chance may have moved it; null where it cannot be known. */
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
export function studyResult({ process, planner }: Study, tally: StudyTally): StudyResult {
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
    estimate: planner.learner === null ? null : quality(tally, changePeriod),
  }
}

function quality(tally: StudyTally, truePeriod: Seconds): EstimateQuality {
  const { estimates, quantiles } = tally
  const isKnown = truePeriod < Infinity && estimates.count > 0
  const share = (value: number) => (isKnown ? value / truePeriod : null)
  const percent = (value: number) => (isKnown ? (100 * value) / truePeriod : null)
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
