import type { RandomSource, Seconds, UnixSeconds } from '../../model/units.js'
import type { ChangeProcess, Timeline } from './change-process.js'

/** How a random moment finds a page that has been changing for ever. */
export interface EquilibriumStart {
  /** Time since the change before the moment. */
  readonly contentAge: Seconds
  /** Time to the change after it; not independent of the content age, unless gaps are exponential. */
  readonly residual: Seconds
}

/** Independent gaps between changes, all of one law. */
export interface GapLaw {
  /** One gap. Neither negative nor NaN. */
  gap(random: RandomSource): Seconds
  /** What a random moment finds: the density of each part is (1 - F(x)) / mean gap. */
  start(random: RandomSource): EquilibriumStart
}

/**
 * A process of independent gaps, in equilibrium from its first moment. Each
 * change costs one draw, so an advance costs O(changes); one that meets no
 * change costs a comparison.
 */
export function renewal({
  law,
  ...described
}: Pick<ChangeProcess, 'name' | 'summary' | 'changePeriod'> & {
  readonly law: GapLaw
}): ChangeProcess {
  return {
    ...described,
    timeline: ({ from, random }) => new RenewalTimeline({ from, random, law }),
  }
}

/**
 * A random moment falls into a long gap more often than into a short one: into
 * a gap of length x with density x f(x) / mean (length-biased), and then
 * anywhere within it alike. Given such a gap, this cuts it.
 */
export function cut(cycle: Seconds, random: RandomSource): EquilibriumStart {
  const contentAge = cycle * random.uniform()
  return { contentAge, residual: cycle - contentAge }
}

class RenewalTimeline implements Timeline {
  lastChange: UnixSeconds
  firstChange: UnixSeconds = Infinity
  changes = 0
  readonly #law: GapLaw
  readonly #random: RandomSource
  #next: UnixSeconds

  constructor({
    from,
    random,
    law,
  }: { readonly from: UnixSeconds; readonly random: RandomSource; readonly law: GapLaw }) {
    this.#law = law
    this.#random = random
    const { contentAge, residual } = law.start(random)
    this.lastChange = from - contentAge
    this.#next = from + residual
  }

  advance(to: UnixSeconds): boolean {
    if (this.#next <= to) return this.#walk(to)
    this.firstChange = Infinity
    this.changes = 0
    return false
  }

  #walk(to: UnixSeconds): true {
    let next = this.#next
    let last = next
    let changes = 0
    this.firstChange = next
    do {
      last = next
      next += this.#law.gap(this.#random)
      changes++
    } while (next <= to)
    this.lastChange = last
    this.changes = changes
    this.#next = next
    return true
  }
}
