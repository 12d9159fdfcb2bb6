import { twoPaceLaws as laws, type WeekClock } from '../../numeric/index.js'
import { lawWorths } from './law-worths.js'
import type { Objective } from './objective.js'

/** What the hour of the week adds to a page's worth, by pace. */
export interface WeekWorths {
  /** Net reward a second beyond what the flat clock gives. */
  readonly gain: Float64Array
  /** Worth of having just visited at each hour of the week; null where the hour hardly matters. */
  readonly lead: readonly (HourLead | null)[]
}

export interface HourLead {
  /** By hour of the week, mean 0. */
  readonly byHour: Float64Array
  /** From the worst hour to the best. */
  readonly spread: number
}

const HOUR = 3600
const slot = 2
const slotTime = slot * HOUR
const slots = 168 / slot
const { changeRates } = laws
/** Gaps tried, in slots: all to 4 days, every third to 8, every sixth to 3 weeks. */
const tried = triedGaps()
/** Beyond this the hour of a visit hardly matters, and below it a visit falls in every slot. */
const longestGap = 14 * 86_400
const shortestGap = slotTime
const rounds = 16
/** Prices are solved for in steps of this ratio; between two steps worths hardly differ. */
const priceStep = 1.25

const known = new WeakMap<WeekClock, Map<string, WeekWorths>>()

/**
 * The worth of visiting at one hour of the week rather than at another: right
 * after the hours in which a group's pages change, not amid them. For each
 * pace a decision problem over the hours of the week, by relative value
 * iteration. Some milliseconds a clock and price; kept.
 */
export function weekWorths(
  clock: WeekClock,
  { price, objective }: { price: number; objective: Objective },
): WeekWorths {
  const steps = Math.round(Math.log(price) / Math.log(priceStep))
  const byPrice = known.get(clock) ?? new Map<string, WeekWorths>()
  known.set(clock, byPrice)
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

function solvedWeek(clock: WeekClock, about: { price: number; objective: Objective }): WeekWorths {
  const flat = lawWorths(about)
  const gain = new Float64Array(changeRates.length)
  const speeds = Float64Array.from(
    { length: slots },
    (_, a) => (clock.speeds[2 * a]! + clock.speeds[2 * a + 1]!) / 2,
  )
  const even = speeds.every((speed) => Math.abs(speed - 1) < 1e-9)
  const lead = Array.from(changeRates, (pace, j) => {
    const gap = flat.poissonGaps[j]!
    if (even || gap > longestGap || gap < shortestGap) return null
    const week = solvedPace({ pace, speeds, start: flat.net[j]!, flatGap: gap, ...about })
    gain[j] = Math.max(0, Math.min(flat.most, week.net) - flat.net[j]!)
    const byHour = hourly(week.lead)
    return { byHour, spread: byHour.reduce(larger) - byHour.reduce(smaller) }
  })
  return { gain, lead }
}

interface PaceProblem {
  readonly pace: number
  readonly speeds: Float64Array
  readonly price: number
  readonly objective: Objective
  /** The flat clock's net worth, and its gap. */
  readonly start: number
  readonly flatGap: number
}

/** Gaps that may win: four times the flat clock's, and over a long weekend. */
function triedFor(flatGap: number): number {
  const longest = Math.max(4 * flatGap, 4 * 86_400) / slotTime
  let n = tried.length
  while (tried[n - 1]! > longest) n--
  return n
}

function solvedPace(problem: PaceProblem): { net: number; lead: Float64Array } {
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
        const worth = rewards[a * n + k]! - costs[k]! + leads[a + tried[k]!]!
        if (worth > most) {
          most = worth
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
function slotRewards({ pace, speeds, price, objective }: PaceProblem, n: number): Float64Array {
  const calm = speeds.map((speed) => Math.exp(-speed * pace * slotTime))
  const fresh = speeds.map(
    (speed, a) => (slotTime * (1 - calm[a]!)) / Math.max(1e-12, speed * pace * slotTime),
  )
  const rewards = new Float64Array(slots * n)
  for (let a = 0; a < slots; a++) {
    let [still, freshTime, unseen, waited] = [1, 0, 0, 0]
    for (let k = 0, passed = 0, here = a; k < n; here = here + 1 < slots ? here + 1 : 0) {
      const changes = speeds[here]! * pace * slotTime
      freshTime += still * fresh[here]!
      still *= calm[here]!
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
