import type { Learner } from '../../model/index.js'

/** Time sampled / changes seen, in two numbers. Malcolm & Armitage eq. 1. */
export const intuitiveLearner: Learner = {
  name: 'intuitive',
  summary: 'time / changes seen, in two numbers',
  size: 2,
  start(memory) {
    memory[0] = 0
    memory[1] = 0
  },
  learn(memory, { gap, changed }) {
    memory[0]! += gap
    if (changed) memory[1]! += 1
  },
  changePeriod(memory) {
    return memory[1] === 0 ? memory[0]! : memory[0]! / memory[1]!
  },
}
