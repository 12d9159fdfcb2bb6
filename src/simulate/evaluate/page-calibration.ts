import type { Seconds } from '../../model/index.js'
import type { ReplayCollection } from './collection.js'

/** After so many observations of a page its bounds are put to the test. */
export const boundsAfter: readonly number[] = [10, 30, 100]

/**
 * What a policy predicted of a page, next to what came true; sums and counts
 * only, so those of many pages add up. A contender that predicts keeps one for
 * each page and hands them over as `Outcome.calibration`.
 */
export class PageCalibration {
  /** The time of all gaps that were predicted, and the fresh part of it: predicted, and realised. */
  time: Seconds = 0
  predictedFresh: Seconds = 0
  realisedFresh: Seconds = 0
  /** Bounds that were put to the test after each number of `boundsAfter`, and those that held. */
  readonly asked: number[] = boundsAfter.map(() => 0)
  readonly held: number[] = boundsAfter.map(() => 0)

  /** One gap: what was predicted as it began, and what it was. Gaps cut by the page's end count as cut. */
  gap(g: {
    readonly length: Seconds
    readonly predictedFresh: Seconds
    readonly realisedFresh: Seconds
  }): void {
    this.time += g.length
    this.predictedFresh += g.predictedFresh
    this.realisedFresh += g.realisedFresh
  }

  /** The 90% bounds of the mean change rate after an observation; those that are not asked for are passed over. */
  bounds(
    observations: number,
    b: { readonly low: number; readonly high: number; readonly truth: number },
  ): void {
    const i = boundsAfter.indexOf(observations)
    if (i < 0) return
    this.asked[i]! += 1
    if (b.low <= b.truth && b.truth <= b.high) this.held[i]! += 1
  }

  add(other: PageCalibration): void {
    this.time += other.time
    this.predictedFresh += other.predictedFresh
    this.realisedFresh += other.realisedFresh
    boundsAfter.forEach((_, i) => {
      this.asked[i]! += other.asked[i]!
      this.held[i]! += other.held[i]!
    })
  }
}

/** A page's true mean change rate over its window, a second: what its bounds should hold. */
export function trueMeanRate({ offsets, from, until }: ReplayCollection, page: number): number {
  return (offsets[page + 1]! - offsets[page]!) / (until[page]! - from[page]!)
}
