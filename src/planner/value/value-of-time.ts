import { DAY, HOUR } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import type { WeekClock } from '../../numeric/week-clock.js'
import { gridGaps, type Objective, rewardTable } from './objective.js'

/** The value of pages of each law when a request has a price, and how often to visit them. */
export interface LawValues {
  readonly price: number
  readonly objective: Objective
  /** No time has more value than this a second: one fresh second less the rarest request, no waiting at all, or one catch a request. */
  readonly most: number
  /** Reward a second, requests paid, at the best gaps. */
  readonly net: Float64Array
  /** How much more value a page at the fast rate has than one at the slow rate, right after a visit. */
  readonly lead: Float64Array
  /** Visits a second at the best gaps. */
  readonly visitRates: Float64Array
  /** The best gap of each Poisson law. */
  readonly poissonGaps: Float64Array
}

const rateCount = laws.changeRates.length
const gaps = gridGaps
const { relaxation, fastChain, changeRates } = laws
/** e^(-relaxation x gap) by law and gap of the grid; null for Poisson. */
export const forgetting = Array.from(relaxation, (each) =>
  each === 0 ? null : gaps.map((gap) => Math.exp(-each * gap)),
)

const known = new Map<Objective, Map<number, LawValues>>()
const kept = 400

/**
 * The best gaps and their value at a price, law by law, if the law were known:
 * a semi-Markov decision problem with two states, the rate right after a
 * visit, solved by policy iteration on the grid of gaps. About a millisecond;
 * the last 400 prices are kept.
 *
 * Howard 1971, Dynamic Probabilistic Systems II, ch. 15.
 */
export function lawValues(about: { price: number; objective: Objective }): LawValues {
  const byPrice = known.get(about.objective) ?? new Map<number, LawValues>()
  known.set(about.objective, byPrice)
  const found = byPrice.get(about.price)
  if (found !== undefined) return found
  if (byPrice.size >= kept) byPrice.clear()
  const made = solved(about)
  byPrice.set(about.price, made)
  return made
}

function solved({ price, objective }: { price: number; objective: Objective }): LawValues {
  const values: LawValues = {
    price,
    objective,
    most: objective === 'freshness' ? 1 : objective === 'delay' ? 0 : Infinity,
    net: new Float64Array(laws.size),
    lead: new Float64Array(laws.size),
    visitRates: new Float64Array(laws.size),
    poissonGaps: new Float64Array(rateCount),
  }
  for (let law = 0; law < laws.size; law++) {
    if (law < rateCount) solvePoisson(values, law)
    else solvePair(values, law)
  }
  return values
}

function solvePoisson(values: LawValues, law: number): void {
  const rewards = rewardTable(values.objective).fast[law]!
  let best = 0
  let most = -Infinity
  for (let k = 0; k < gaps.length; k++) {
    const net = (rewards[k]! - values.price) / gaps[k]!
    if (net > most) {
      most = net
      best = k
    }
  }
  // Not worth a request at any gap: left alone, as far as limits allow. Changes that wait for ever cost more than any request.
  const idle = values.objective !== 'delay' && most <= 0
  values.net[law] = idle ? 0 : most
  values.poissonGaps[law] = idle ? gaps.at(-1)! : gaps[best]!
  values.visitRates[law] = 1 / values.poissonGaps[law]!
}

function solvePair(values: LawValues, law: number): void {
  const { price, objective } = values
  const quick = rewardTable(objective).fast[law]!
  const slowReward = rewardTable(objective).slow[law]!
  const home = fastChain[law]!
  const memory = forgetting[law]!
  let net = 0
  let lead = 0
  let [atFast, atSlow] = [gaps.length - 1, (2 * gaps.length) >> 2]
  let [visitRate, rounds] = [0, 0]
  for (; rounds < 16; rounds++) {
    const departs = (1 - home) * (1 - memory[atFast]!)
    const returns = home * (1 - memory[atSlow]!)
    const [fastGap, slowGap] = [gaps[atFast]!, gaps[atSlow]!]
    const gainFast = quick[atFast]! - price
    const gainSlow = slowReward[atSlow]! - price
    const both = departs * slowGap + returns * fastGap
    const before = net
    lead = (gainFast * slowGap - gainSlow * fastGap) / both
    net = (departs * gainSlow + returns * gainFast) / both
    visitRate = (departs + returns) / both
    if (rounds > 0 && Math.abs(net - before) <= 1e-9 * Math.abs(net)) break
    let [mostFast, mostSlow] = [-Infinity, -Infinity]
    for (let k = 0; k < gaps.length; k++) {
      const paid = net * gaps[k]!
      const ifFast = quick[k]! - paid + (home + (1 - home) * memory[k]!) * lead
      const ifSlow = slowReward[k]! - paid + home * (1 - memory[k]!) * lead
      if (ifFast > mostFast) [mostFast, atFast] = [ifFast, k]
      if (ifSlow > mostSlow) [mostSlow, atSlow] = [ifSlow, k]
    }
  }
  const idle = objective !== 'delay' && net <= 0
  values.net[law] = idle ? 0 : net
  values.lead[law] = idle ? 0 : lead
  values.visitRates[law] = idle ? 1 / gaps.at(-1)! : visitRate
}

/** What the hour of the week adds to a page's value, by rate. */
export interface WeekValues {
  /** Net reward a second beyond what the flat clock gives. */
  readonly gain: Float64Array
  /** Value of having just visited at each hour of the week; null where the hour hardly matters. */
  readonly lead: readonly (HourLead | null)[]
}

interface HourLead {
  /** By hour of the week, mean 0. */
  readonly byHour: Float64Array
  /** From the worst hour to the best. */
  readonly spread: number
}

const slot = 2
const slotTime = slot * HOUR
const slots = 168 / slot
/** Gaps tried, in slots: all to 4 days, every third to 8, every sixth to 3 weeks. */
const tried = triedGaps()
/** Beyond this the hour of a visit hardly matters, and below it a visit falls in every slot. */
const longestGap = 14 * DAY
const shortestGap = slotTime
const rounds = 16
/** Prices are solved for in steps of this ratio; between two steps values hardly differ. */
const priceStep = 1.25

const weekValuesByClock = new WeakMap<WeekClock, Map<string, WeekValues>>()

/**
 * The value of visiting at one hour of the week rather than at another: right
 * after the hours in which a group's pages change, not amid them. For each
 * rate a decision problem over the hours of the week, by relative value
 * iteration. Some milliseconds a clock and price; kept.
 */
export function weekValues(
  clock: WeekClock,
  { price, objective }: { price: number; objective: Objective },
): WeekValues {
  const steps = Math.round(Math.log(price) / Math.log(priceStep))
  const byPrice = weekValuesByClock.get(clock) ?? new Map<string, WeekValues>()
  weekValuesByClock.set(clock, byPrice)
  const key = `${objective}/${steps}`
  const found = byPrice.get(key)
  if (found !== undefined) return found
  if (byPrice.size >= 60) byPrice.clear()
  const made = solvedWeek(clock, { price: priceStep ** steps, objective })
  byPrice.set(key, made)
  return made
}

function triedGaps(): Int32Array {
  const gaps: number[] = []
  for (let gap = 1; gap <= (4 * 24) / slot; gap++) gaps.push(gap)
  for (let gap = (4 * 24) / slot + 3; gap <= (8 * 24) / slot; gap += 3) gaps.push(gap)
  for (let gap = (9 * 24) / slot; gap <= (21 * 24) / slot; gap += 6) gaps.push(gap)
  return Int32Array.from(gaps)
}

function solvedWeek(clock: WeekClock, about: { price: number; objective: Objective }): WeekValues {
  const flat = lawValues(about)
  const gain = new Float64Array(changeRates.length)
  const speeds = Float64Array.from(
    { length: slots },
    (_, a) => (clock.speeds[2 * a]! + clock.speeds[2 * a + 1]!) / 2,
  )
  const even = speeds.every((speed) => Math.abs(speed - 1) < 1e-9)
  const lead = Array.from(changeRates, (changeRate, j) => {
    const gap = flat.poissonGaps[j]!
    if (even || gap > longestGap || gap < shortestGap) return null
    const week = solvedRate({ changeRate, speeds, start: flat.net[j]!, flatGap: gap, ...about })
    gain[j] = Math.max(0, Math.min(flat.most, week.net) - flat.net[j]!)
    const byHour = hourly(week.lead)
    return { byHour, spread: byHour.reduce(larger) - byHour.reduce(smaller) }
  })
  return { gain, lead }
}

interface RateProblem {
  readonly changeRate: number
  readonly speeds: Float64Array
  readonly price: number
  readonly objective: Objective
  /** The flat clock's net value, and its gap. */
  readonly start: number
  readonly flatGap: number
}

/** Gaps that may win: four times the flat clock's, and over a long weekend. */
function triedFor(flatGap: number): number {
  const longest = Math.max(4 * flatGap, 4 * DAY) / slotTime
  let n = tried.length
  while (tried[n - 1]! > longest) n--
  return n
}

function solvedRate(problem: RateProblem): { net: number; lead: Float64Array } {
  const n = triedFor(problem.flatGap)
  const rewards = slotRewards(problem, n)
  let net = problem.start
  const lead = new Float64Array(slots)
  const next = new Float64Array(slots)
  // The week over and over, so that a gap leads from any slot of it to another without a remainder.
  const leads = new Float64Array(slots + tried[n - 1]!)
  const costs = new Float64Array(n)
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < leads.length; i++) leads[i] = lead[i % slots]!
    for (let k = 0; k < n; k++) costs[k] = net * tried[k]! * slotTime
    let [rise, length, mean] = [0, 0, 0]
    for (let a = 0; a < slots; a++) {
      let most = -Infinity
      let best = 0
      for (let k = 0; k < n; k++) {
        const value = rewards[a * n + k]! - costs[k]! + leads[a + tried[k]!]!
        if (value > most) {
          most = value
          best = k
        }
      }
      next[a] = most
      rise += most - lead[a]!
      length += tried[best]! * slotTime
      mean += most / slots
    }
    net += (0.7 * rise) / length
    for (let a = 0; a < slots; a++) lead[a] = 0.5 * lead[a]! + 0.5 * (next[a]! - mean)
  }
  return { net, lead }
}

/** Reward less price of each gap tried, from each slot of the week. */
function slotRewards(
  { changeRate, speeds, price, objective }: RateProblem,
  n: number,
): Float64Array {
  const unchanged = speeds.map((speed) => Math.exp(-speed * changeRate * slotTime))
  const fresh = speeds.map(
    (speed, a) => (slotTime * (1 - unchanged[a]!)) / Math.max(1e-12, speed * changeRate * slotTime),
  )
  const rewards = new Float64Array(slots * n)
  for (let a = 0; a < slots; a++) {
    let [still, freshTime, unseen, waited] = [1, 0, 0, 0]
    for (let k = 0, passed = 0, here = a; k < n; here = here + 1 < slots ? here + 1 : 0) {
      const changes = speeds[here]! * changeRate * slotTime
      freshTime += still * fresh[here]!
      still *= unchanged[here]!
      waited += (unseen + changes / 2) * slotTime
      unseen += changes
      passed++
      if (passed !== tried[k]) continue
      const got =
        objective === 'freshness' ? freshTime : objective === 'delay' ? -waited : 1 - still
      rewards[a * n + k] = got - price
      k++
    }
  }
  return rewards
}

const larger = (a: number, b: number) => Math.max(a, b)
const smaller = (a: number, b: number) => Math.min(a, b)

function hourly(lead: Float64Array): Float64Array {
  return Float64Array.from({ length: 168 }, (_, hour) => {
    const here = hour >> 1
    return hour % 2 === 0 ? lead[here]! : (lead[here]! + lead[(here + 1) % slots]!) / 2
  })
}
