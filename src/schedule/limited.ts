import type { Policy, Seconds } from '../model/index.js'

/** How soon and how late a page may be visited after a visit. */
export interface GapLimits {
  readonly minGap?: Seconds
  readonly maxGap?: Seconds
}

/** A policy whose gaps keep to limits, whatever it would ask for; its reason says where they held it. */
export function limited(policy: Policy, { minGap = 0, maxGap = Infinity }: GapLimits): Policy {
  if (minGap <= 0 && maxGap === Infinity) return policy
  const within = (gap: Seconds) => Math.min(maxGap, Math.max(minGap, gap))
  return {
    ...policy,
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
      const held = gap === maxGap ? ', no later than allowed' : ', no sooner than allowed'
      const told = policy.reason(view, gap)
      return gap === minGap || gap === maxGap ? told + held : told
    },
  }
}
