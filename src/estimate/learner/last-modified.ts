import type { Learner } from '../../model/index.js'

const looked = 0
const count = 1
const changes = 2
const told = 3

/**
 * Cho & Garcia-Molina's Last-Modified estimate in four numbers: time looked,
 * gaps, changes, content ages told. 0 until an age is told, and while the only
 * gap saw a change; no change seen gives the time looked. Same formula as
 * estimate/rate/last-modified.
 *
 * Cho & Garcia-Molina 2003, Figure 5.
 */
export const lastModifiedLearner: Learner = {
  name: 'last-modified',
  summary: 'changes over time looked, by Last-Modified, in four numbers',
  size: 4,
  start(memory, contentAge) {
    memory.fill(0)
    memory[told] = Number.isNaN(contentAge) ? 0 : 1
  },
  learn(memory, { gap, changed, contentAge }) {
    const known = !Number.isNaN(contentAge)
    memory[looked]! += !changed ? gap : known ? contentAge : gap / 2
    memory[count]! += 1
    if (changed) memory[changes]! += 1
    if (known) memory[told]! += 1
  },
  changePeriod(memory) {
    if (memory[told] === 0 || memory[count] === 0) return 0
    if (memory[changes] === 0) return memory[looked]!
    const counted = correctedCount({ seen: memory[changes]!, of: memory[count]! })
    return counted > 0 ? memory[looked]! / counted : 0
  },
}

function correctedCount({ seen, of }: { seen: number; of: number }): number {
  return seen === of ? seen - 1 : seen - 1 - seen / (of * Math.log1p(-seen / of))
}
