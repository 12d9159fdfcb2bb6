import type { Policy, Seconds } from '../model/index.js'
import type { GapLimits } from './gap-limits.js'

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
