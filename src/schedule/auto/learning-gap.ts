import { twoPaceLaws as laws } from '../../numeric/index.js'
import { fastChain } from './law-worths.js'
import { type Objective, reward } from './objective.js'

/** A visit's lesson counts for so long. */
const horizon = 10 * 86_400
/** A visit that teaches less of its price is not made for what it teaches. */
const leastTaught = 1
/** Gaps that a page would be visited at for good: ten minutes to 90 days in equal ratios. */
const plans = ratios({ from: 600, to: 90 * 86_400, count: 24 })
/** First gaps tried. */
const tried = ratios({ from: 600, to: 45 * 86_400, count: 18 })
const { fast, slow, changeRates } = laws
const paces = changeRates.length
const calm = Array.from(changeRates, (pace) => tried.map((gap) => Math.exp(-pace * gap)))

function ratios({ from, to, count }: { from: number; to: number; count: number }): Float64Array {
  return Float64Array.from({ length: count }, (_, k) => from * (to / from) ** (k / (count - 1)))
}

interface PlanValues {
  /** Net reward a second of each plan under each law: laws x plans. */
  readonly net: Float64Array
  /** Reward of each first gap at each pace: paces x tried. */
  readonly got: Float64Array
}

const known = new Map<string, PlanValues>()

function planValues(objective: Objective, price: number): PlanValues {
  const key = `${objective} ${price}`
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= 100) known.clear()
  const rewards = Array.from(changeRates, (pace) =>
    plans.map((gap) => reward(objective, { pace, gap })),
  )
  const net = new Float64Array(laws.size * plans.length)
  for (let law = 0; law < laws.size; law++) {
    const home = fastChain[law]!
    for (let k = 0; k < plans.length; k++) {
      const got = home * rewards[fast[law]!]![k]! + (1 - home) * rewards[slow[law]!]![k]!
      net[law * plans.length + k] = (got - price) / plans[k]!
    }
  }
  const got = new Float64Array(paces * tried.length)
  for (let pace = 0; pace < paces; pace++)
    for (let k = 0; k < tried.length; k++)
      got[pace * tried.length + k] = reward(objective, { pace: changeRates[pace]!, gap: tried[k]! })
  const made = { net, got }
  known.set(key, made)
  return made
}

const changedPlans = new Float64Array(plans.length)
const calmPlans = new Float64Array(plans.length)

/**
 * The gap at which a page of which little is known is best visited next, with
 * what the visit teaches counted: a look ahead by one step. After the visit
 * the page is planned by what was then seen, at one gap for good: the better
 * plan is worth its gain over the coming days. Infinity where no visit
 * teaches enough for its price. O(laws x plans x tried), some
 * 70 microseconds: for a page's first visits only.
 */
export function learningGap(
  belief: Float64Array,
  { objective, price }: { readonly objective: Objective; readonly price: number },
): number {
  const { net, got } = planValues(objective, price)
  let [most, best, taught] = [-Infinity, Infinity, 0]
  for (let k = 0; k < tried.length; k++) {
    changedPlans.fill(0)
    calmPlans.fill(0)
    let reached = 0
    for (let law = 0; law < laws.size; law++) {
      const quick = belief[2 * law]!
      const still = belief[2 * law + 1]!
      if (quick + still < 1e-4) continue
      const f = fast[law]!
      const s = slow[law]!
      const unchanged = quick * calm[f]![k]! + still * calm[s]![k]!
      const changed = quick + still - unchanged
      reached += quick * got[f * tried.length + k]! + still * got[s * tried.length + k]!
      const row = law * plans.length
      for (let plan = 0; plan < plans.length; plan++) {
        calmPlans[plan]! += unchanged * net[row + plan]!
        changedPlans[plan]! += changed * net[row + plan]!
      }
    }
    const gap = tried[k]!
    const later = largest(calmPlans) + largest(changedPlans)
    const value = reached - price + Math.max(0, horizon - gap) * later
    if (value <= most) continue
    for (let plan = 0; plan < plans.length; plan++) calmPlans[plan]! += changedPlans[plan]!
    ;[most, best, taught] = [value, gap, horizon * (later - largest(calmPlans))]
  }
  return taught >= leastTaught * price ? best : Infinity
}

/** The best plan's value; leaving the page alone is worth nothing. */
function largest(values: Float64Array): number {
  let most = 0
  for (const each of values) if (each > most) most = each
  return most
}
