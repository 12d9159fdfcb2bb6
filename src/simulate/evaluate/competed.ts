import type { Seconds } from '../../model/index.js'
import { Scores } from '../scores.js'
import { QuantileSketch } from '../statistics/quantile-sketch.js'
import type { ReplayCollection } from './collection.js'
import type { Contender, Outcome, Trial } from './contender.js'
import type { PageCalibration } from './page-calibration.js'
import type { PageScores } from './rule.js'

/** Some pages of a collection, source by source. */
export interface PagesBySource {
  readonly source: string
  readonly pages: readonly number[]
}

/** How one contender did, page by page; quantiles of the delay only of each group that was asked for. */
export interface Competed {
  readonly contender: Contender
  readonly perDay: number
  readonly stretch: number | null
  readonly scores: PageScores
  /** Sum of the delays of each page's changes; NaN where its scores do not tell. */
  readonly delays: Float64Array
  /** Null where the contender's scores keep no notices. */
  readonly sketches: ReadonlyMap<PagesBySource, QuantileSketch | null>
  readonly calibration: readonly PageCalibration[] | null
}

/**
 * Runs a contender and takes from it what the tables need. The moments of
 * notice go into sketches and are dropped, so that the contenders of a budget
 * may wait for each other at some numbers a page.
 */
export function competed(
  contender: Contender,
  trial: Trial,
  groups: readonly PagesBySource[],
): Competed {
  const { collection, perDay } = trial
  const { scores: reached, stretch, calibration }: Outcome = contender.compete(trial)
  // A rule that no stretch makes keep its budget is cut short: the pages beyond were never visited.
  const scores = collection.ids.map((_, page) => reached[page] ?? new Scores())
  const sketches = new Map(
    groups.map((group) => [group, delaySketch(collection, { scores, pages: group.pages })]),
  )
  for (const each of scores) each.notices = null
  return {
    contender,
    perDay,
    stretch,
    scores,
    delays: pageDelays(collection, scores),
    sketches,
    calibration: calibration ?? null,
  }
}

/** Every change is noticed at the end of the stretch it lies in, so sums suffice. */
function pageDelays({ offsets, times }: ReplayCollection, scores: PageScores): Float64Array {
  return Float64Array.from(scores, ({ noticedAt, changes }, page) => {
    const [first, end] = [offsets[page]!, offsets[page + 1]!]
    if (changes !== end - first) return Number.NaN
    let happened = 0
    for (let i = first; i < end; i++) happened += times[i]!
    return noticedAt - happened
  })
}

/** The delay of each change of some pages: the changes in order, each noticed at the next notice with room for it. */
function delaySketch(
  { offsets, times }: ReplayCollection,
  { scores, pages }: { readonly scores: PageScores; readonly pages: readonly number[] },
): QuantileSketch | null {
  const sketch = new QuantileSketch()
  for (const page of pages) {
    const { notices } = scores[page]!
    if (notices === null) return null
    let next = offsets[page]!
    for (let i = 0; i < notices.length; i += 2) {
      const at: Seconds = notices[i]!
      for (const end = next + notices[i + 1]!; next < end; next++) sketch.add(at - times[next]!)
    }
  }
  return sketch
}
