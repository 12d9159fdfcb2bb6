import type { Learner } from '../../model/index.js'
import { type OnlineForm, type OnlineState, onlineRate, onlineStep } from '../rate/online.js'

/** The online estimate as a learner, in five numbers; no change seen gives the time sampled. */
export function onlineLearner({ form = 'score' }: { readonly form?: OnlineForm } = {}): Learner {
  return {
    name: form === 'score' ? 'online' : `online-${form}`,
    summary: `one observation at a time (${form.replaceAll('-', ' ')}), in five numbers`,
    size: 5,
    start(memory) {
      memory.fill(0)
    },
    learn(memory, seen) {
      write(memory, onlineStep(stateIn(memory), seen, { form }))
    },
    changePeriod(memory) {
      const changeRate = onlineRate(stateIn(memory), { form })
      return changeRate > 0 ? 1 / changeRate : memory[2]!
    },
  }
}

function stateIn(memory: Float64Array): OnlineState {
  return {
    count: memory[0]!,
    changes: memory[1]!,
    samplingPeriod: memory[2]!,
    running: memory[3]!,
    information: memory[4]!,
  }
}

function write(memory: Float64Array, state: OnlineState): void {
  memory[0] = state.count
  memory[1] = state.changes
  memory[2] = state.samplingPeriod
  memory[3] = state.running
  memory[4] = state.information
}
