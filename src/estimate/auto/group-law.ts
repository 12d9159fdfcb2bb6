import { flatClock, twoPaceLaws as laws, type WeekClock } from '../../numeric/index.js'
import { calmRunAt } from './counts.js'
import { likelihoodsAt } from './likelihoods.js'
import { flatChance } from './page-clock.js'

/** Numbers of a belief: two masses a law, then how many visits in a row saw no change, then the chance of the flat clock. */
export const beliefSize = 2 * laws.size + 2

/** What is thought of the pages of a group before they are looked at. */
export interface GroupLaw {
  /** A mass for each law of `twoPaceLaws`; they sum to 1. */
  readonly masses: Float64Array
  /** The hours in which pages of the group change. */
  readonly clock: WeekClock
  /** Share of the pages that are followed from their beginning, not from any moment; 0 unless learned. */
  readonly newShare?: number
  /** How many times as much of their time was stale as predicted; 1 by default. */
  readonly staleRatio?: number
}

/** Every law alike, at any hour, new or not at even odds: before anything was learned anywhere. */
export const openLaw: GroupLaw = {
  masses: new Float64Array(laws.size).fill(1 / laws.size),
  clock: flatClock,
  newShare: 0.5,
}

/**
 * Bayes' rule: prior masses times the likelihoods in a page's memory, into
 * `belief` (law by law, fast pace then slow), summing to 1; after them the run
 * of visits without a change, and the chance of the flat clock. O(laws).
 */
export function believe(
  memory: Float64Array,
  { masses }: GroupLaw,
  belief: Float64Array,
): Float64Array {
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const mass = masses[law]!
    const quick = mass * memory[likelihoodsAt + 2 * law]!
    const calm = mass * memory[likelihoodsAt + 2 * law + 1]!
    belief[2 * law] = quick
    belief[2 * law + 1] = calm
    total += quick + calm
  }
  if (total > 0) {
    const scale = 1 / total
    for (let at = 0; at < 2 * laws.size; at++) belief[at]! *= scale
  } else priorBelief(masses, belief)
  belief[2 * laws.size] = memory[calmRunAt]!
  belief[2 * laws.size + 1] = flatChance(memory)
  return belief
}

/** The belief before anything was seen: the page is somewhere in its long run. */
export function priorBelief(masses: Float64Array, belief: Float64Array): Float64Array {
  for (let law = 0; law < laws.size; law++) {
    belief[2 * law] = masses[law]! * laws.fastTime[law]!
    belief[2 * law + 1] = masses[law]! * (1 - laws.fastTime[law]!)
  }
  return belief
}
