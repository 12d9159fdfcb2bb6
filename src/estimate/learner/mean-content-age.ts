import type { Learner } from '../../model/index.js'

/**
 * The mean content age in three numbers: sum, count, and the age at the last
 * visit, so that an unchanged page which tells no date goes on ageing.
 *
 * Malcolm & Armitage eq. 2.
 */
export const meanContentAgeLearner: Learner = {
  name: 'mean-content-age',
  summary: 'Malcolm & Armitage eq. 2 in three numbers; needs Last-Modified',
  size: 3,
  start(memory, contentAge) {
    const told = !Number.isNaN(contentAge)
    memory[0] = told ? contentAge : 0
    memory[1] = told ? 1 : 0
    memory[2] = contentAge
  },
  learn(memory, { gap, changed, contentAge }) {
    const carried = changed ? Number.NaN : memory[2]! + gap
    const known = !Number.isNaN(contentAge) ? contentAge : carried
    memory[2] = known
    if (Number.isNaN(known)) return
    memory[0]! += known
    memory[1]! += 1
  },
  changePeriod(memory) {
    return memory[1] === 0 ? 0 : memory[0]! / memory[1]!
  },
}
