import { OptionError, type Seconds } from '../../model/index.js'
import { gapsIn, type Stretch } from './stretches.js'

/** The mean gap, and whether all gaps lie within 5% of each other. O(n). */
export function equalGaps(stretches: readonly Stretch[]): { delta: Seconds; equal: boolean } {
  const gaps = gapsIn(stretches)
  if (gaps === 0)
    throw new OptionError('no-gap', 'a history of one visit has no gap; ask for its verdict first')
  let total = 0
  let shortest = Infinity
  let longest = 0
  for (const { times } of stretches)
    for (let j = 1; j < times.length; j++) {
      const gap = times[j]! - times[j - 1]!
      total += gap
      shortest = Math.min(shortest, gap)
      longest = Math.max(longest, gap)
    }
  const delta = total / gaps
  return { delta, equal: longest - shortest <= 0.05 * delta }
}
