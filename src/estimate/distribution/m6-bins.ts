import { OptionError } from '../../model/index.js'
import type { DistributionOptions } from './distribution-estimate.js'
import { equalGaps } from './equal-gaps.js'
import { lastOfRuns } from './pair-bins.js'
import { gapsIn, type Stretch } from './stretches.js'

/** More pairs than this are not counted unless `upTo` asks for it: about a second's work. */
const pairBudget = 5e7
const mostBins = 1e7

/**
 * Bins for M6 where the caller names none.
 *
 * Equal gaps: one bin a gap, a hair wider than the gap, so that a distance of n
 * gaps with its rounding error stays in bin n. Else about 50 pairs a bin, from a
 * twentieth of the mean gap to a whole one. Up to the longest time without a
 * seen change: beyond it every pair holds a change and the curve is 1.
 */
export function binsFor(
  stretches: readonly Stretch[],
  options: DistributionOptions,
): { binWidth: number; count: number } {
  const { delta, equal } = equalGaps(stretches)
  const visits = gapsIn(stretches) + 1
  const spread = delta * Math.min(1, Math.max(0.05, 50 / visits))
  const longest = stretches.reduce((most, each) => Math.max(most, longestQuiet(each)), delta)
  const reach = Math.min(longest, (pairBudget / visits) * delta)
  const width = equal ? delta * (1 + 1e-9) : Math.max(spread, reach / 1000)
  // Gaps near the largest double would make more than it.
  const binWidth = options.binWidth ?? Math.min(Number.MAX_VALUE, width)
  const upTo = options.upTo ?? Math.min(Number.MAX_VALUE, reach + binWidth)
  checkBins({ binWidth, upTo })
  return { binWidth, count: Math.max(1, Math.ceil(upTo / binWidth - 1e-9)) }
}

function longestQuiet(stretch: Stretch): number {
  const last = lastOfRuns(stretch)
  let longest = 0
  for (let i = 0; i < last.length; i++)
    longest = Math.max(longest, stretch.times[last[i]!]! - stretch.times[i]!)
  return longest
}

function checkBins({ binWidth, upTo }: { binWidth: number; upTo: number }): void {
  if (!(binWidth > 0 && upTo > 0 && Number.isFinite(binWidth) && Number.isFinite(upTo)))
    throw new OptionError('bad-bins', 'binWidth and upTo must be finite and above 0')
  if (upTo / binWidth > mostBins)
    throw new OptionError(
      'too-many-bins',
      `${upTo} holds more than ten million bins of ${binWidth}; take wider bins or a smaller upTo`,
    )
}
