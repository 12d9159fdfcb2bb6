import type { DayCount } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import type { HostGate } from './host-gate.js'
import { dayOf, noRequests } from './host-state.js'

interface SharedBudgetParts {
  readonly gate: HostGate
  readonly now: () => UnixSeconds
  /** Adds to the count that all processes share; the count after it. */
  readonly add: (more: DayCount) => Promise<DayCount>
}

/**
 * The day's requests of all processes on one store. Each claims a request there
 * before a visit and learns what the others have claimed, so that no two take
 * the last one. What a visit asks for beyond one request (robots.txt, redirects)
 * is told at the next claim. A process that is killed leaves its claims behind:
 * the budget is kept, if not used up.
 */
export class SharedBudget {
  readonly #parts: SharedBudgetParts
  /** What the store has of ours. */
  #counted: DayCount = noRequests
  #underWay = 0

  constructor(parts: SharedBudgetParts) {
    this.#parts = parts
  }

  /** Asks for a permit with its request claimed beforehand; the gate counts it from then on. */
  async claimed<T>(begin: () => T | Promise<T>): Promise<T> {
    this.#underWay++
    try {
      await this.settle()
      return await begin()
    } finally {
      this.#underWay--
    }
  }

  /** Tells the store what we made and claim now, and the gate what the others did. */
  async settle(): Promise<void> {
    const { gate, now, add } = this.#parts
    const day = Math.max(dayOf(now()), gate.ours.day)
    const requests = of(gate.ours, day) + this.#underWay
    const more = requests - of(this.#counted, day)
    // Before the store answers: a claim made meanwhile must not tell the same again.
    this.#counted = { day, requests }
    const all = await add({ day, requests: more })
    gate.countOthers({ day: all.day, requests: Math.max(0, all.requests - requests) })
  }
}

function of(count: DayCount, day: number): number {
  return count.day === day ? count.requests : 0
}
