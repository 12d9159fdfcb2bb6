import { type Bounds, humanDuration, type Seconds } from '../../model/index.js'

/** Bounds of a change period; null where they are open. */
export interface PeriodRange {
  readonly shortest: Seconds | null
  readonly longest: Seconds | null
}

export function periodRange(bounds: Pick<Bounds, 'low' | 'high'> | null): PeriodRange {
  if (bounds === null) return { shortest: null, longest: null }
  return {
    shortest: bounds.high === null ? null : finite(1 / bounds.high),
    longest: bounds.low > 0 ? finite(1 / bounds.low) : null,
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null
}

/** In words: `2.1 to 5.5 days`, `at least 12 days`, `at most 3 hours`; null where nothing is known. */
export function rangeWords({ shortest, longest }: PeriodRange): string | null {
  if (longest === null) return shortest === null ? null : `at least ${humanDuration(shortest)}`
  if (shortest === null) return `at most ${humanDuration(longest)}`
  const [from, to] = [humanDuration(shortest), humanDuration(longest)]
  const unit = (text: string) => text.replace(/^\S+ /, '').replace(/s$/, '')
  return unit(from) === unit(to) ? `${from.replace(/ .*/, '')} to ${to}` : `${from} to ${to}`
}

/**
 * What an axis of change periods should hold: every period, and bounds as far
 * as `reach` times beyond them, so that one wide bound does not flatten the rest.
 */
export function periodValues(
  rows: ReadonlyArray<{ readonly changePeriod: Seconds | null } & PeriodRange>,
  { reach }: { readonly reach: number },
): number[] {
  const periods = rows.map((row) => row.changePeriod ?? 0).filter((period) => period > 0)
  const ends = rows
    .flatMap(({ shortest, longest }) => [shortest, longest])
    .filter((end) => end !== null)
  if (periods.length === 0) return ends
  const low = periods.reduce((a, b) => Math.min(a, b)) / reach
  const high = periods.reduce((a, b) => Math.max(a, b)) * reach
  return [...periods, ...ends.map((end) => Math.min(high, Math.max(low, end)))]
}
