import type { Dialect, Sql } from './dialect.js'
import type { Step } from './visit-outcomes.js'

/**
 * Changed gaps in bins of 1/64 of a doubling. A bin keeps how many gaps fell
 * into it and their time, so that counts and times stay exact, and an estimate
 * takes each gap for the mean of its bin.
 *
 * What that does to the most likely rate: with r = 2^(1/64), the rate from bins
 * is at most the exact one, and more than the exact one over r (1.08% less).
 * The rate solves f(rate) = unchanged time, where f is the sum over the changed
 * gaps of h(t) = t / (e^(rate t) - 1). h is convex in t, so the mean of a bin
 * lowers f (Jensen), which lowers its root. h falls with t and no mean is more
 * than r times a gap of its bin, so f of the bins is at least the sum of
 * h(r t) = r f(r rate), whose root is above the exact one over r. Gaps that are
 * kept exactly, such as those of a prior, keep both sides.
 */
export const binsOfDoubling = 64

/** The bin of each gap, as a list of bins of one gap. */
export function asBins(d: Dialect, gaps: Sql): Sql {
  return d.map(gaps, (gap) =>
    d.struct({
      bin: `CAST(floor(${d.number(binsOfDoubling)} * log2(${gap})) AS BIGINT)`,
      changes: 'CAST(1 AS BIGINT)',
      time: gap,
    }),
  )
}

/** The gaps that bins stand for: each the mean of its bin. */
export function gapsOfBins(d: Dialect, bins: Sql): Sql {
  return d.flatten(d.map(bins, (bin) => d.repeat(`${bin}.time / ${bin}.changes`, `${bin}.changes`)))
}

/**
 * From `from`, with a list of bins of which some are the same, to `to`, with
 * each bin once. Sorted and cut where the bin changes: a page with a million
 * changes takes no longer a change than one with ten.
 */
export function gatheredBins(
  d: Dialect,
  { from, to, along }: { readonly from: string; readonly to: string; readonly along: Sql },
): Step[] {
  const within = (list: Sql, before: Sql, end: Sql) =>
    d.sum(d.slice(list, `coalesce(${before}, 0) + 1`, end))
  return [
    ['sorted_bins', `SELECT ${along}, ${d.sorted('bins')} AS bins FROM ${from}`],
    [
      'runs_of_bins',
      `SELECT ${along}, ${d.map('bins', (each) => `${each}.bin`)} AS numbers, ${d.map('bins', (each) => `${each}.changes`)} AS counts, ${d.map('bins', (each) => `${each}.time`)} AS times, ${d.runEnds('bins', (each) => `${each}.bin`)} AS ends_of_runs FROM sorted_bins`,
    ],
    [
      to,
      `SELECT ${along}, ${d.mapPairs('ends_of_runs', (end, before) =>
        d.struct({
          bin: d.element('numbers', end),
          changes: `CAST(${within('counts', before, end)} AS BIGINT)`,
          time: within('times', before, end),
        }),
      )} AS bins FROM runs_of_bins`,
    ],
  ]
}
