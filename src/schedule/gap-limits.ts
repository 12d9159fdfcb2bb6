import { DAY, MINUTE, type Seconds } from '../model/index.js'

/** How soon and how late a page may be visited after a visit. */
export interface GapLimits {
  readonly minGap?: Seconds
  readonly maxGap?: Seconds
}

/** Limits of the default policy where none are given. */
export const usualLimits = { minGap: 10 * MINUTE, maxGap: 90 * DAY } as const

/**
 * Both limits of the default policy, where one, both or none are given. What is
 * given goes before what is usual; of two that contradict each other the
 * shortest gap holds, for a visit too many is what a server did not agree to.
 */
export function heldLimits({ minGap, maxGap }: GapLimits): Required<GapLimits> {
  const least = minGap ?? Math.min(usualLimits.minGap, maxGap ?? Infinity)
  return { minGap: least, maxGap: Math.max(least, maxGap ?? usualLimits.maxGap) }
}
