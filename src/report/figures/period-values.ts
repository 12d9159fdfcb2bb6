import type { PeriodRange, Seconds } from '../../model/index.js'

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
