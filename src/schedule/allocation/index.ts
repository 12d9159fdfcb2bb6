import { OptionError } from '../../model/index.js'
import type { Allocation } from './allocation.js'
import { azar } from './azar.js'
import { equal } from './equal.js'
import { harmonic } from './harmonic.js'
import { optimalFreshness } from './optimal-freshness.js'
import { proportional } from './proportional.js'

export type {
  AllocateOptions,
  Allocation,
  Allotment,
  Means,
  PageColumns,
  VisitLaw,
} from './allocation.js'
export { azar } from './azar.js'
export { equal } from './equal.js'
export {
  evenFreshness,
  poissonFreshness,
  predictedFreshness,
  type VisitedPage,
} from './freshness.js'
export { harmonic } from './harmonic.js'
export { marginalGain } from './marginal-gain.js'
export { optimalFreshness } from './optimal-freshness.js'
export { proportional } from './proportional.js'
export { optimalFreshnessWithin, type RevisitLimits } from './revisit-limits.js'

/** Every way to share visits that needs no setting of its own, best first. */
export const allocations: readonly Allocation[] = [
  optimalFreshness,
  azar,
  harmonic,
  equal,
  proportional,
]

/** The allocation of that name. */
export function allocation(name: string): Allocation {
  const found = allocations.find((each) => each.name === name)
  if (found !== undefined) return found
  const known = allocations.map((each) => each.name).join(', ')
  throw new OptionError(
    'unknown-allocation',
    `there is no allocation "${name}"; there are: ${known}`,
  )
}
