import type { Seconds } from '../../model/index.js'
import type { Scores } from '../scores.js'
import { ExactMoments, type ExactMomentsState } from '../statistics/exact-moments.js'
import { ExactRatio, type ExactRatioState } from '../statistics/exact-ratio.js'
import { QuantileSketch, type QuantileSketchState } from '../statistics/quantile-sketch.js'

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
