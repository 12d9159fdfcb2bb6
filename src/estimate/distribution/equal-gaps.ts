import { type History, OptionError, type Seconds } from '../../model/index.js'

/** The mean gap, and whether all gaps lie within 5% of each other. O(n). */
export function equalGaps(history: History): { delta: Seconds; equal: boolean } {
  const { observations } = history
  if (observations.length === 0)
    throw new OptionError('no-gap', 'a history of one visit has no gap; ask for its verdict first')
  let total = 0
  let shortest = Infinity
  let longest = 0
  for (const { gap } of observations) {
    total += gap
    shortest = Math.min(shortest, gap)
    longest = Math.max(longest, gap)
  }
  const delta = total / observations.length
  return { delta, equal: longest - shortest <= 0.05 * delta }
}
