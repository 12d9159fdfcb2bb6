import { cheapestGap, samplingError, visitsNeeded } from '../../estimate/rate/sampling-plan.js'
import type { Seconds } from '../../model/index.js'
import { normalQuantile } from '../../numeric/index.js'
import type { SamplingSettings } from './settings.js'

/** One way to sample. */
export interface SamplingRow {
  readonly gap: Seconds
  /** Null where no number of visits is enough. */
  readonly visits: number | null
  readonly duration: Seconds | null
  /** Relative error of the change period; null where nothing would be known. */
  readonly error: number | null
  /** Whether it keeps both --error and --for. */
  readonly enough: boolean
}

/** Gaps to choose from, in change periods; the fifth needs the fewest visits where only changes are seen. */
const gapShares = [0.1, 0.2, 0.5, 1, cheapestGap, 2, 3, 5]

/** The ways to sample at several gaps, or at the one asked for. */
export function samplingRows(settings: SamplingSettings): SamplingRow[] {
  const { changePeriod, gap } = settings
  const gaps = gap === undefined ? gapShares.map((share) => share * changePeriod) : [gap]
  return gaps.map((each) => samplingRow(each, settings))
}

/**
 * The row to recommend of those that are enough: the fewest visits for the
 * error asked for, or the least error where only the time is given. Undefined
 * if none is enough.
 */
export function bestRow(
  rows: readonly SamplingRow[],
  { error }: SamplingSettings,
): SamplingRow | undefined {
  const enough = rows.filter((row) => row.enough)
  const cost = (row: SamplingRow) => (error === undefined ? row.error! : row.visits!)
  return enough.sort((a, b) => cost(a) - cost(b) || a.gap - b.gap)[0]
}

function samplingRow(gap: Seconds, settings: SamplingSettings): SamplingRow {
  const { changePeriod, told, duration: longest = Infinity } = settings
  const spread = settings.level === undefined ? 1 : normalQuantile((1 + settings.level) / 2)
  const visits =
    settings.error === undefined
      ? Math.floor(longest / gap) + 1
      : visitsNeeded({ changePeriod, gap, error: settings.error / spread }, told)
  if (visits === null) return { gap, visits, duration: null, error: null, enough: false }
  const one = samplingError({ changePeriod, gap, visits }, told)
  const duration = (visits - 1) * gap
  const error = one === null ? null : one * spread
  return { gap, visits, duration, error, enough: error !== null && duration <= longest }
}
