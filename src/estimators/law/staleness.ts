import { OptionError } from '../../model/errors.js'
import type { Seconds } from '../../model/units.js'
import { type Bands, bands, boundsAt, edgesOf, errorsAt } from './bands.js'
import { cdfAt, type DistributionCurve } from './distribution.js'
import { type LawBounds, lawBounds } from './law-bounds.js'
import type { PageLaw } from './page-law.js'
import type { NoBounds, Resampled } from './resampled.js'

/** A share or a mean, and between what it lies; null where it is not known. */
export interface Bounded {
  readonly value: number | null
  readonly low: number | null
  /** Null where nothing limits it. */
  readonly high: number | null
}

/** How far a copy trails its page if it is refreshed at one gap. */
export interface Staleness {
  readonly gap: Seconds
  /** The share of time for which the copy is not the page's present content. */
  readonly stale: Bounded
  /** The chance that the next visit finds a change. */
  readonly changedByVisit: Bounded
  /** Mean number of updates by which the copy trails the page. */
  readonly updatesBehind: Bounded
  readonly level: number | null
}

const nothing: Bounded = { value: null, low: null, high: null }

/**
 * Staleness of a page whose copy is refreshed every `gap`: the copy is stale t
 * after a visit with chance G_U(t), so for the mean of G_U over the gap, and
 * by gap / (2 E[U]) updates on average. Where the age distribution is known at
 * some points only, it is concave between them, which bounds the mean. The
 * updates behind need E[U]: where that is not identifiable there is only a
 * lower bound. O(copies x points).
 *
 * Li, Cline & Loguinov 2015, section III-B and eq. 1.
 */
export function staleness(
  { contentAges, updateGaps, identifiable }: PageLaw,
  { gap, known }: { readonly gap: Seconds; readonly known: Resampled | NoBounds },
): Staleness {
  if (!(gap > 0 && gap < Infinity))
    throw new OptionError('bad-gap', `a gap is a time above 0, such as 1d; got ${gap} seconds`)
  const none = { gap, stale: nothing, changedByVisit: nothing, level: null }
  if (contentAges.kind === 'none' || contentAges.target.law === 'neither')
    return { ...none, updatesBehind: nothing }
  const { curve } = contentAges
  const share = cdfAt(curve, gap)
  const stale = meanOver(curve, gap)
  return {
    gap,
    stale: { value: (stale.least + stale.most) / 2, ...meanBounds(known, gap) },
    changedByVisit: { value: share, ...shareBounds(bands(known), gap) },
    updatesBehind: behind(updateGaps.kind === 'law' ? updateGaps.changePeriod : null, {
      gap,
      bounds: lawBounds(known, { identifiable }),
    }),
    level: known.kind === 'none' ? null : known.level,
  }
}

function behind(
  changePeriod: Seconds | null,
  { gap, bounds }: { gap: Seconds; bounds: LawBounds },
): Bounded {
  const at = (period: Seconds) => gap / (2 * period)
  const value = changePeriod === null ? null : at(changePeriod)
  if (bounds.kind === 'none') return { value, low: null, high: null }
  const { low, high } = bounds.changePeriod
  return {
    value,
    low: Math.min(value ?? Infinity, at(high)),
    high: low === 0 ? null : Math.max(value ?? 0, at(low)),
  }
}

function shareBounds(known: Bands, gap: Seconds): Pick<Bounded, 'low' | 'high'> {
  return known.kind === 'none' ? { low: null, high: null } : boundsAt(known, gap)
}

function meanBounds(known: Resampled | NoBounds, gap: Seconds): Pick<Bounded, 'low' | 'high'> {
  if (known.kind === 'none') return { low: null, high: null }
  const { estimate, copies, effective } = known
  const here = meanOver(estimate.curve, gap)
  const again = copies.map(({ curve }) => meanOver(curve, gap))
  const edges = (of: (mean: Mean) => number) =>
    edgesOf(again.map(of), { here: of(here), samples: effective, ...errorsAt(known, gap) })
  return { low: edges(({ least }) => least).low, high: edges(({ most }) => most).high }
}

interface Mean {
  readonly least: number
  readonly most: number
}

/**
 * The mean of a curve from 0 to `gap`. A line is the least that a concave curve
 * through its points can be; the most is each next piece extended back to the
 * point before it. Beyond the last point it may rise to 1. Steps are what they are.
 */
function meanOver(curve: DistributionCurve, gap: Seconds): Mean {
  const { x, cdf, shape } = curve
  const places = [0, ...Array.from(x).filter((each) => each > 0 && each < gap), gap]
  let [least, most] = [0, 0]
  for (let i = 1; i < places.length; i++) {
    const [from, to] = [places[i - 1]!, places[i]!]
    const width = to - from
    const low = cdfAt(curve, from)
    if (shape === 'steps') {
      least += width * low
      most += width * low
      continue
    }
    const mean = (low + cdfAt(curve, to)) / 2
    least += width * mean
    const end = x.findIndex((each) => each >= to)
    const extended = end < 0 ? 1 : cdf[end]! - slopeAfter(curve, end) * (x[end]! - (from + to) / 2)
    most += width * Math.max(mean, extended)
  }
  return { least: least / gap, most: Math.min(1, most / gap) }
}

/** The slope of the piece after a point. */
function slopeAfter({ x, cdf }: DistributionCurve, i: number): number {
  return i + 1 < x.length ? (cdf[i + 1]! - cdf[i]!) / (x[i + 1]! - x[i]!) : 0
}
