import { OptionError } from '../model/errors.js'
import type { Policy } from '../model/policy.js'
import { DAY, MINUTE, type Seconds } from '../model/units.js'

/** A duration that a policy was given, or an error that names it. */
export function positive(name: string, value: Seconds): Seconds {
  if (value > 0 && value < Infinity) return value
  throw new OptionError('bad-duration', `${name} must be a positive duration; got ${value}`)
}

/** A plain factor that a policy was given, or an error that names it. */
export function factorOf(name: string, value: number): number {
  if (value > 0 && value < Infinity) return value
  throw new OptionError('bad-factor', `${name} must be a positive number; got ${value}`)
}

/** A count at which a policy stops, or Infinity for never; or an error that names it. */
export function limitOf(name: string, value: number): number {
  if (value >= 1) return value
  throw new OptionError(
    'bad-limit',
    `${name} must be a positive number, or none for no limit; got ${value}`,
  )
}

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

/**
 * A policy whose gaps keep to limits, whatever it would ask for; its reason says
 * where they held it. Of limits that contradict each other the shortest gap holds.
 */
export function limited(policy: Policy, { minGap = 0, maxGap = Infinity }: GapLimits): Policy {
  if (minGap <= 0 && maxGap === Infinity) return policy
  const within = (gap: Seconds) => Math.max(minGap, Math.min(maxGap, gap))
  return {
    ...policy,
    minGap,
    nextGap: (view) => within(policy.nextGap(view)),
    ...(policy.moved === undefined
      ? {}
      : {
          moved(view, gap) {
            const moved = policy.moved!(view, gap)
            return moved === null ? null : { ...moved, gap: within(moved.gap) }
          },
        }),
    reason(view, gap) {
      return policy.reason(view, gap) + heldWords(gap, { minGap, maxGap })
    },
  }
}

function heldWords(gap: Seconds, { minGap, maxGap }: Required<GapLimits>): string {
  if (gap === minGap) return minGap < maxGap ? ', no sooner than allowed' : ', as its limits set it'
  return gap === maxGap && gap < Infinity ? ', no later than allowed' : ''
}
