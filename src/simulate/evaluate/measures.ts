import { DAY, type Seconds } from '../../model/index.js'
import { Scores } from '../scores.js'
import type { QuantileSketch } from '../statistics/quantile-sketch.js'
import type { Competed } from './competed.js'
import { boundsAfter, PageCalibration } from './page-calibration.js'
import { jackknifeError, type RatioUnit, ratioWithout } from './source-jackknife.js'

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
