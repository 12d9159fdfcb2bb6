import type { LearnerState, Lease } from '../../model/index.js'
import { joinedNumbers, Parts } from './joined-arrays.js'

/** Leases on their way between threads: text, and the numbers of all states. */
export interface PackedLeases {
  readonly text: string
  readonly numbers: Float64Array<ArrayBuffer>
}

type Carried = Omit<Lease, 'page'> & {
  page: Omit<Lease['page'], 'state'> & { state: { learner: string; size: number } | null }
}

export function packLeases(leases: readonly Lease[]): PackedLeases {
  const states: Float64Array[] = []
  const carried = leases.map(({ page, ...lease }): Carried => {
    if (page.state !== null) states.push(page.state.numbers)
    return { ...lease, page: { ...page, state: sized(page.state) } }
  })
  return { text: JSON.stringify(carried), numbers: joinedNumbers(states) }
}

export function unpackLeases({ text, numbers }: PackedLeases): Lease[] {
  const parts = new Parts(numbers)
  const carried = JSON.parse(text) as Carried[]
  for (const { page } of carried) {
    if (page.state === null) continue
    const { learner, size } = page.state
    Object.assign(page, { state: { learner, numbers: parts.next(size) } })
  }
  return carried as unknown as Lease[]
}

/** A state without its numbers. */
function sized(state: LearnerState | null): { learner: string; size: number } | null {
  return state === null ? null : { learner: state.learner, size: state.numbers.length }
}
