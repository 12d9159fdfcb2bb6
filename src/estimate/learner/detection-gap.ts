import type { Learner } from '../../model/index.js'

/**
 * The detection-gap estimate in three numbers: time sampled, time without
 * change, changes. Before any gap 0; no change seen gives the time sampled, a
 * change at every visit 0, which is how Malcolm & Armitage's scheduler reads
 * it. Same formula as estimate/rate/detection-gap, without its verdicts.
 *
 * Malcolm & Armitage eq. 3.
 */
export const detectionGapLearner: Learner = {
  name: 'detection-gap',
  summary: 'Malcolm & Armitage eq. 3 in three numbers',
  size: 3,
  start(memory) {
    memory.fill(0)
  },
  learn(memory, { gap, changed }) {
    memory[0]! += gap
    if (changed) memory[2]! += 1
    else memory[1]! += gap
  },
  changePeriod(memory) {
    const first = detectionGapUncorrectedLearner.changePeriod(memory)
    return memory[2] === 0 || first === 0 ? first : first / (1 + first / memory[0]!)
  },
}

/** The same before its correction. */
export const detectionGapUncorrectedLearner: Learner = {
  ...detectionGapLearner,
  name: 'detection-gap-uncorrected',
  summary: 'the same before its correction, in three numbers',
  changePeriod(memory) {
    const sampled = memory[0]!
    const unchanged = memory[1]!
    const changes = memory[2]!
    if (changes === 0) return sampled
    if (unchanged === 0) return 0
    return (sampled - unchanged) / changes / Math.log(sampled / unchanged)
  },
}
