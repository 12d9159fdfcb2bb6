import { DAY, type Seconds } from '../../model/units.js'
import { Scores } from '../scores.js'
import { QuantileSketch } from '../statistics/quantile-sketch.js'
import type { ReplayCollection } from './collection.js'
import type { Contender, Outcome, Trial } from './contender.js'
import { boundsAfter, PageCalibration, type PageScores } from './policy-replay.js'

/** A page or a source: what it adds to both sides of a pooled ratio, such as fresh time over time. */
interface RatioUnit {
  readonly part: number
  readonly whole: number
}

/** The pooled ratio without one of the units. O(units) once, then O(1). */
export function ratioWithout(units: readonly RatioUnit[]): (left: number) => number {
  let [part, whole] = [0, 0]
  for (const unit of units) {
    part += unit.part
    whole += unit.whole
  }
  return (left) => (part - units[left]!.part) / (whole - units[left]!.whole)
}

/**
 * Standard error of a pooled figure, by leaving out one unit at a time.
 * `without(i)` is the figure on all units but i. Of a whole collection the
 * units are its sources, since pages of one source are alike; of one source
 * they are its pages. Null with a single unit, and where the figure means
 * nothing without one of them.
 */
export function jackknifeError(units: number, without: (unit: number) => number): number | null {
  if (units < 2) return null
  const values = Array.from({ length: units }, (_, unit) => without(unit))
  const centre = values.reduce((a, b) => a + b, 0) / units
  const squares = values.reduce((sum, each) => sum + (each - centre) ** 2, 0)
  const error = Math.sqrt((squares * (units - 1)) / units)
  return Number.isFinite(error) ? error : null
}

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

/** What a policy predicted of the copies' freshness, and what came true. */
export interface CalibrationFound {
  readonly predicted: number
  readonly realised: number
  /** Predicted less realised, and its standard error. */
  readonly difference: number
  readonly differenceError: number | null
  /** Of so many pages with that many observations, the share whose true mean change rate lay in the 90% bounds. */
  readonly bounds: ReadonlyArray<{
    readonly after: number
    readonly pages: number
    readonly held: number | null
  }>
}

/** How a contender did on some pages. Errors are one standard error. */
export interface Measures {
  /** Share of page time in which the copy equalled the page. */
  readonly freshness: number
  readonly freshnessError: number | null
  /**
   * Freshness less that of the contender `equal` with the same budget, and its
   * error: far smaller than that of either, since both met the same changes.
   * Null where `equal` does not compete.
   */
  readonly overEqual: number | null
  readonly overEqualError: number | null
  /** Freshness from `warmUp` after each page appeared. */
  readonly lateFreshness: number
  readonly copyAge: Seconds
  /** Mean time from a change to the visit that noticed it, or to the page's end, over all changes; null without changes. */
  readonly delay: Seconds | null
  readonly delayError: number | null
  /** Nine changes in ten were noticed sooner; null without changes, or where the contender does not keep them. */
  readonly delay90: Seconds | null
  /** Share of the changes that a visit noticed; several in one gap count once. */
  readonly caught: number
  /** Share of the visits that found nothing new. */
  readonly needless: number
  /** Visits made, beyond each page's first: in all, and a page and day. */
  readonly requests: number
  readonly usedPerDay: number
  /** Null where the contender predicts nothing. */
  readonly calibration: CalibrationFound | null
}

/** The figures of some pages, their errors by leaving out one unit (a source, or a page) at a time. */
export function measuresOf(
  own: Competed,
  {
    units,
    equal,
    sketch,
  }: {
    readonly units: readonly (readonly number[])[]
    readonly equal: Competed | undefined
    readonly sketch: QuantileSketch | null
  },
): Measures {
  const all = totalScores(own, units.flat())
  const freshWithout = ratioWithout(units.map((pages) => freshUnit(own, pages)))
  const evenWithout = equal && ratioWithout(units.map((pages) => freshUnit(equal, pages)))
  const even = equal && totalScores(equal, units.flat())
  const requests = all.visits - all.firstVisits
  return {
    freshness: all.freshness,
    freshnessError: jackknifeError(units.length, freshWithout),
    overEqual: even === undefined ? null : all.freshness - even.freshness,
    overEqualError:
      evenWithout === undefined
        ? null
        : jackknifeError(units.length, (left) => freshWithout(left) - evenWithout(left)),
    lateFreshness: all.lateFreshness,
    copyAge: all.copyAge,
    ...delayOf(own, units),
    delay90: sketch?.quantile(0.9)?.value ?? null,
    caught: all.caughtShare,
    needless: requests > 0 ? all.needless / requests : 0,
    requests,
    usedPerDay: (requests / all.time) * DAY,
    calibration: calibrationOf(own, units),
  }
}

function totalScores({ scores }: Competed, pages: readonly number[]): Scores {
  const sum = new Scores()
  for (const page of pages) sum.add(scores[page]!)
  return sum
}

function freshUnit({ scores }: Competed, pages: readonly number[]): RatioUnit {
  let [part, whole] = [0, 0]
  for (const page of pages) {
    part += scores[page]!.freshTime
    whole += scores[page]!.time
  }
  return { part, whole }
}

function delayOf(
  { scores, delays }: Competed,
  units: readonly (readonly number[])[],
): Pick<Measures, 'delay' | 'delayError'> {
  const found = units.map((pages): RatioUnit => {
    let [part, whole] = [0, 0]
    for (const page of pages) {
      part += delays[page]!
      whole += scores[page]!.changes
    }
    return { part, whole }
  })
  const delay =
    found.reduce((sum, { part }) => sum + part, 0) /
    found.reduce((sum, { whole }) => sum + whole, 0)
  if (!Number.isFinite(delay)) return { delay: null, delayError: null }
  return { delay, delayError: jackknifeError(found.length, ratioWithout(found)) }
}

function calibrationOf(
  { calibration }: Competed,
  units: readonly (readonly number[])[],
): CalibrationFound | null {
  if (calibration === null) return null
  const sums = units.map((pages) => {
    const sum = new PageCalibration()
    for (const page of pages) sum.add(calibration[page]!)
    return sum
  })
  const all = new PageCalibration()
  for (const each of sums) all.add(each)
  if (!(all.time > 0)) return null
  const predicting = sums.filter((each) => each.time > 0)
  const off = predicting.map((each) => ({
    part: each.predictedFresh - each.realisedFresh,
    whole: each.time,
  }))
  return {
    predicted: all.predictedFresh / all.time,
    realised: all.realisedFresh / all.time,
    difference: (all.predictedFresh - all.realisedFresh) / all.time,
    differenceError: jackknifeError(off.length, ratioWithout(off)),
    bounds: boundsAfter.map((after, i) => ({
      after,
      pages: all.asked[i]!,
      held: all.asked[i]! > 0 ? all.held[i]! / all.asked[i]! : null,
    })),
  }
}
