import type { Learner } from '../../model/index.js'

const sampled = 0
const count = 1
const changes = 2

/**
 * The bias-reduced estimate in three numbers: time sampled, gaps, changes. For
 * equal gaps; others are taken at their mean. No change seen gives the time
 * sampled. Same formula as estimate/rate/bias-reduced.
 *
 * Cho & Garcia-Molina 2003.
 */
export const biasReducedLearner: Learner = {
  name: 'bias-reduced',
  summary: '-ln(share of gaps unchanged), small-sample corrected, in three numbers',
  size: 3,
  start(memory) {
    memory.fill(0)
  },
  learn(memory, { gap, changed }) {
    memory[sampled]! += gap
    memory[count]! += 1
    if (changed) memory[changes]! += 1
  },
  changePeriod(memory) {
    const [time, gaps, seen] = [memory[sampled]!, memory[count]!, memory[changes]!]
    if (seen === 0) return time
    return time / gaps / -Math.log((gaps - seen + 0.5) / (gaps + 0.5))
  },
}
