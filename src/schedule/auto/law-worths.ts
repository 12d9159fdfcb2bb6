import { twoPaceLaws as laws } from '../../numeric/index.js'
import { gridGaps, type Objective, rewardTable } from './objective.js'

/** What the pages of each law are worth when a request has a price, and how often to visit them. */
export interface LawWorths {
  readonly price: number
  readonly objective: Objective
  /** No time is worth more than this a second: one fresh second less the rarest request, no waiting at all, or one catch a request. */
  readonly most: number
  /** Reward a second, requests paid, at the best gaps. */
  readonly net: Float64Array
  /** How much more a page at the fast pace is worth than one at the slow pace, right after a visit. */
  readonly lead: Float64Array
  /** Visits a second at the best gaps. */
  readonly visitRates: Float64Array
  /** The best gap of each Poisson law. */
  readonly poissonGaps: Float64Array
}

const paces = laws.changeRates.length
const gaps = gridGaps
const { slow, relaxation, changeRates, share } = laws
/** Chance to be at the fast pace once the past is forgotten. */
export const fastChain = Float64Array.from(share, (each, law) =>
  law < paces ? 1 : (changeRates[slow[law]!]! * each) / relaxation[law]!,
)
/** e^(-relaxation x gap) by law and gap of the grid; null for Poisson. */
export const forgetting = Array.from(relaxation, (each) =>
  each === 0 ? null : gaps.map((gap) => Math.exp(-each * gap)),
)

const known = new Map<Objective, Map<number, LawWorths>>()
const kept = 400

/**
 * The best gaps and their worth at a price, law by law, if the law were known:
 * a semi-Markov decision problem with two states, the pace right after a
 * visit, solved by policy iteration on the grid of gaps. About a millisecond;
 * the last 400 prices are kept.
 *
 * Howard 1971, Dynamic Probabilistic Systems II, ch. 15.
 */
export function lawWorths(about: { price: number; objective: Objective }): LawWorths {
  const byPrice = known.get(about.objective) ?? new Map<number, LawWorths>()
  known.set(about.objective, byPrice)
  const found = byPrice.get(about.price)
  if (found !== undefined) return found
  if (byPrice.size >= kept) byPrice.clear()
  const made = solved(about)
  byPrice.set(about.price, made)
  return made
}

function solved({ price, objective }: { price: number; objective: Objective }): LawWorths {
  const worths: LawWorths = {
    price,
    objective,
    most: objective === 'freshness' ? 1 : objective === 'delay' ? 0 : Infinity,
    net: new Float64Array(laws.size),
    lead: new Float64Array(laws.size),
    visitRates: new Float64Array(laws.size),
    poissonGaps: new Float64Array(paces),
  }
  for (let law = 0; law < laws.size; law++) {
    if (law < paces) solvePoisson(worths, law)
    else solvePair(worths, law)
  }
  return worths
}

function solvePoisson(worths: LawWorths, law: number): void {
  const rewards = rewardTable(worths.objective).fast[law]!
  let best = 0
  let most = -Infinity
  for (let k = 0; k < gaps.length; k++) {
    const net = (rewards[k]! - worths.price) / gaps[k]!
    if (net > most) {
      most = net
      best = k
    }
  }
  // Not worth a request at any gap: left alone, as far as limits allow. Changes that wait for ever cost more than any request.
  const idle = worths.objective !== 'delay' && most <= 0
  worths.net[law] = idle ? 0 : most
  worths.poissonGaps[law] = idle ? gaps.at(-1)! : gaps[best]!
  worths.visitRates[law] = 1 / worths.poissonGaps[law]!
}

function solvePair(worths: LawWorths, law: number): void {
  const { price, objective } = worths
  const quick = rewardTable(objective).fast[law]!
  const calm = rewardTable(objective).slow[law]!
  const home = fastChain[law]!
  const memory = forgetting[law]!
  let net = 0
  let lead = 0
  let [atFast, atSlow] = [gaps.length - 1, (2 * gaps.length) >> 2]
  let [visitRate, rounds] = [0, 0]
  for (; rounds < 16; rounds++) {
    const leaves = (1 - home) * (1 - memory[atFast]!)
    const returns = home * (1 - memory[atSlow]!)
    const [fastGap, slowGap] = [gaps[atFast]!, gaps[atSlow]!]
    const gainFast = quick[atFast]! - price
    const gainSlow = calm[atSlow]! - price
    const both = leaves * slowGap + returns * fastGap
    const before = net
    lead = (gainFast * slowGap - gainSlow * fastGap) / both
    net = (leaves * gainSlow + returns * gainFast) / both
    visitRate = (leaves + returns) / both
    if (rounds > 0 && Math.abs(net - before) <= 1e-9 * Math.abs(net)) break
    let [mostFast, mostSlow] = [-Infinity, -Infinity]
    for (let k = 0; k < gaps.length; k++) {
      const paid = net * gaps[k]!
      const ifFast = quick[k]! - paid + (home + (1 - home) * memory[k]!) * lead
      const ifSlow = calm[k]! - paid + home * (1 - memory[k]!) * lead
      if (ifFast > mostFast) [mostFast, atFast] = [ifFast, k]
      if (ifSlow > mostSlow) [mostSlow, atSlow] = [ifSlow, k]
    }
  }
  const idle = objective !== 'delay' && net <= 0
  worths.net[law] = idle ? 0 : net
  worths.lead[law] = idle ? 0 : lead
  worths.visitRates[law] = idle ? 1 / gaps.at(-1)! : visitRate
}
