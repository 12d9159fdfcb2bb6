import type { LearnerState, PageRecord, RandomSource } from '../model/index.js'
import { PageState } from './page-state.js'
import type { Mind } from './step.js'

/** Numbers kept in front of the learner's own: successful visits, changes, planned gap. */
const head = 3

/** Whose numbers they are: another policy or learner cannot read them, one that wraps it can. */
export function mindName(mind: Mind): string {
  const known = names.get(mind)
  if (known !== undefined) return known
  const { policy, learner } = mind
  const name = `${(policy.bare ?? policy).name}/${learner?.name ?? 'none'}`
  names.set(mind, name)
  return name
}

/** Asked for three times at each visit, and minds are few. */
const names = new WeakMap<Mind, string>()

/** A page's state as the numbers that its row holds. */
export function packState(mind: Mind, state: PageState): LearnerState {
  const numbers = new Float64Array(head + state.memory.length)
  numbers[0] = state.visits
  numbers[1] = state.changes
  numbers[2] = state.plannedGap
  numbers.set(state.memory, head)
  return { learner: mindName(mind), numbers }
}

/** Whether a page's row holds a state that this mind can read. */
export function holdsState(mind: Mind, { state, lastSeen }: PageRecord): boolean {
  if (state === null || lastSeen === null || state.learner !== mindName(mind)) return false
  return state.numbers.length === head + (mind.learner?.size ?? 0)
}

/**
 * The state that a page's row holds, or null where it has none that this
 * mind can read: never visited, or learned by another.
 */
export function unpackState(mind: Mind, page: PageRecord, random: RandomSource): PageState | null {
  const { state, lastSeen } = page
  if (state === null || lastSeen === null || !holdsState(mind, page)) return null
  const unpacked = new PageState({ learner: mind.learner, random })
  unpacked.at = lastSeen
  unpacked.visits = state.numbers[0]!
  unpacked.changes = state.numbers[1]!
  unpacked.plannedGap = state.numbers[2]!
  const { memory } = unpacked
  for (let at = 0; at < memory.length; at++) memory[at] = state.numbers[head + at]!
  return unpacked
}
