import type { PageView, Policy } from '../model/index.js'

/**
 * A policy all of whose gaps are made so many times as long: how a rule that
 * knows no budget is made to keep one. The rule sees its own gaps, as if
 * nobody had touched them. The factor is read anew at every visit.
 */
export function stretched(policy: Policy, factor: () => number): Policy {
  const own = (view: PageView): PageView => ({ ...view, plannedGap: view.plannedGap / factor() })
  return {
    ...policy,
    nextGap: (view) => policy.nextGap(own(view)) * factor(),
    reason: (view, gap) =>
      `${policy.reason(own(view), gap / factor())}, ${factor().toPrecision(3)} times as long`,
  }
}
