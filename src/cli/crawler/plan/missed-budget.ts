import { DAY, humanDuration } from '../../../model/index.js'
import {
  gapAtPrice,
  heldLimits,
  objectiveOf,
  type PlanPage,
  type Prices,
  pricesBeside,
} from '../../../schedule/index.js'
import { counted } from '../../text/counted.js'
import type { MadePlan, Unmoved } from './made-plan.js'
import { requests } from './request-words.js'

/** Gaps of the default are whole hours: a budget is met to about this. */
const near = 0.01

/** What no budget moves at a price of a request, where each page given stands for `scale` of the collection. */
export function unmovedAt(
  pages: readonly PlanPage[],
  { price, scale }: { readonly price: number; readonly scale: number },
): Unmoved {
  const prices = pricesBeside(pages, price)
  let [visits, held] = [0, 0]
  for (const page of pages)
    if (page.ownGap !== null) visits += DAY / page.ownGap
    else if (isHeld(page, prices)) held++
  return { ownRequestsPerDay: visits * scale, atLimits: Math.round(held * scale) }
}

function isHeld(page: PlanPage, prices: Prices): boolean {
  const { minGap, maxGap } = heldLimits(page.limits)
  const objective = objectiveOf(page)
  const gap = gapAtPrice(page, { price: prices[objective]!, objective })
  return gap <= minGap || gap >= maxGap
}

/** Why requests do not meet the budget: policies of pages' own, limits, or prices that no plan goes beyond. */
export function missedText(plan: MadePlan): readonly string[] {
  const { budget, now, curve, pages, ownPolicies, ownRequestsPerDay, atLimits } = plan
  const atEnd = now === curve[0] || now === curve.at(-1)
  if (!atEnd || Math.abs(now.requestsPerDay / budget - 1) < near) return []
  const others = pages - ownPolicies
  const told: string[] = []
  if (ownPolicies > 0)
    told.push(
      `own policies of ${counted(ownPolicies, 'page')} ask for ${requests(ownRequestsPerDay)} a day, whatever the budget`,
    )
  if (others > 0 && 2 * atLimits >= others)
    told.push(
      ownPolicies > 0
        ? 'limits on gaps keep the others from making up for it'
        : 'limits on gaps keep requests from meeting the budget',
    )
  else if (others > 0) told.push(endOfPrices(plan))
  return told
}

/** Without limits a plan ends where requests are worth next to nothing, or more than anybody would pay. */
function endOfPrices({ now, budget }: MadePlan): string {
  const worth = humanDuration(now.price)
  return now.requestsPerDay < budget
    ? `more requests are not planned: each would be worth less than ${worth} of freshness`
    : `fewer requests are not planned: each left out would cost more than ${worth} of freshness`
}

/** Why there is nothing to choose between. */
export function noChoiceText({ pages, ownPolicies }: MadePlan): string {
  const cause =
    ownPolicies === 0
      ? 'limits leave'
      : ownPolicies < pages
        ? 'limits and policies of their own leave'
        : 'policies of their own leave'
  return `${cause} no choice: there is no curve to draw`
}
