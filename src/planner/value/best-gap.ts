import type { Posterior } from '../../model/policy.js'
import { DAY, HOUR, WEEK } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { flatClock, type WeekClock, weekTime } from '../../numeric/week-clock.js'
import { freshAfterSignal, freshByForecast, type HintForecast } from '../evidence/hint-forecast.js'
import { massOf, rateMasses } from '../posterior/posterior.js'
import { gridGaps, type Objective } from './objective.js'
import {
  forgetting,
  type LawValues,
  lawValues,
  type WeekValues,
  weekValues,
} from './value-of-time.js'

export interface GapProblem {
  readonly clock: WeekClock
  /** What a request costs, in the objective's unit; see `usualPrices`. */
  readonly price: number
  readonly objective: Objective
  /** What hints say of the time to come; nothing by default. */
  readonly hintForecast?: HintForecast | null
}

/** The gap chosen, and why. */
export interface BestGap {
  gap: number
  /** Chance that the page will have changed by the time of the visit. */
  chance: number
  /**
   * Value of the visit over its price: what would be lost if it were left
   * out and the next came one gap later, by the same reckoning that the gap is
   * chosen by, hours and what a visit teaches included. 1 at least, but where
   * limits hold the visit elsewhere.
   */
  value: number
  /** The value of a second, requests paid, by which the gap was chosen: for freshness no more than 1. */
  timeValue?: number
}

/** The visit comes no sooner and no later, whatever has most value. */
interface HeldWithin {
  readonly minGap: number
  readonly maxGap: number
}

const rateCount = laws.changeRates.length
const { fast, slow, changeRates, fastTime, fastChain, meanRates, relaxation } = laws
const n = gridGaps.length
const unchangedTable = Array.from(changeRates, (changeRate) =>
  gridGaps.map((gap) => Math.exp(-changeRate * gap)),
)
const candidates = candidateGaps()
const logStart = Math.log(gridGaps[0]!)
const logStep = Math.log(gridGaps[1]! / gridGaps[0]!)
/** Of each candidate on the grid of gaps, where the clock is flat. */
const flatPlaces = candidates.map(placeOf)
/** Of the posterior gathered last. */
let massAtRate: Float64Array = new Float64Array(rateCount)
const still = new Float64Array(n)
/** Changes expected since the visit; only where the objective is `delay`. */
const expected = new Float64Array(n)
const leads = new Float64Array(n)
/** By candidate: its value, and the chance that the page is still unchanged. */
const valueAt = new Float64Array(candidates.length)
const freshAt = new Float64Array(candidates.length)
/** Masses below these change no choice. */
const [slightLaw, slightRate] = [3e-4, 0.01]
/** Leads by hour of the week under the posterior gathered last. */
const hourLeads = new Float64Array(168)

/** Minutes, then every hour to 8 days, every six to 30, days to 100, every fifth to 400. */
function candidateGaps(): Float64Array {
  const gaps = [1, 2, 4, 7, 12, 20, 30, 45].map((minutes) => minutes * 60)
  for (let hour = 1; hour <= 192; hour++) gaps.push(hour * HOUR)
  for (let hour = 198; hour <= 720; hour += 6) gaps.push(hour * HOUR)
  for (let day = 31; day <= 100; day++) gaps.push(day * DAY)
  for (let day = 105; day <= 400; day += 5) gaps.push(day * DAY)
  return Float64Array.from(gaps)
}

function placeOf(clockGap: number): number {
  return Math.min(n - 1.001, Math.max(0, (Math.log(clockGap) - logStart) / logStep))
}

/**
 * The gap of most value, request paid: reward until the next visit, less
 * the value of the time elsewhere under each law, plus the value of the page
 * afterwards at its rate and at that hour of the week. The law is
 * taken to be known after the visit, as far as `leastPaid` allows.
 * O(laws x 90); some 10 microseconds. Writes into `out`; chance and value are
 * of the gap as limits hold it, if they are given.
 */
export function bestGap(
  posterior: Posterior,
  {
    at,
    problem,
    out,
    within = anywhere,
  }: { at: number; problem: GapProblem; out: BestGap; within?: HeldWithin },
): BestGap {
  const ofLaws = lawValues(problem)
  const week = weekValues(problem.clock, problem)
  const flatValue = gather(posterior, ofLaws)
  const delaying = problem.objective === 'delay'
  if (delaying) gatherChanges(posterior)
  const hoursMatter = gatherHours(week, problem.price)
  const known = hoursMatter
    ? Math.min(ofLaws.most, flatValue + hourGain(posterior, week))
    : flatValue
  const clock = hoursMatter ? problem.clock : flatClock
  const begun = weekTime(clock, at)
  const caught = problem.objective === 'changes-caught'
  let [before, passed, freshTime, unseen, waited] = [1, 0, 0, 0, 0]
  const hintForecast = problem.hintForecast ?? null
  const changeSignal = hintForecast?.changeSignal
  // Seconds of the clock that a cache's lifetime takes, and what a change signal leaves of the chance to be fresh.
  const spared = hintForecast === null ? 0 : weekTime(clock, at + hintForecast.cachedFor) - begun
  const dimmed =
    changeSignal === undefined
      ? 1
      : dimming(changeSignal, weekTime(clock, at + changeSignal.after) - begun)
  // One change more waits, as far as the signal is of one that was not expected.
  const reported =
    changeSignal === undefined
      ? 0
      : (1 - dimmed) * chanceUnchanged(weekTime(clock, at + changeSignal.after) - begun)
  const first = changeSignal === undefined ? 0 : soonest(changeSignal.after)
  const leadNow = leads[0]! + (hoursMatter ? weekLead(at) : 0)
  const paid = leastPaid * problem.price
  let [last, perSecond, steadiest] = [first, -Infinity, candidates[first]!]
  for (let k = first; k < candidates.length; k++) {
    const gap = Math.max(candidates[k]!, changeSignal?.after ?? 0)
    const clockGap = hoursMatter ? weekTime(clock, at + gap) - begun : gap
    const place = !hoursMatter && gap === candidates[k] ? flatPlaces[k]! : placeOf(clockGap)
    const left = place | 0
    const share = place - left
    const plain = still[left]! + share * (still[left + 1]! - still[left]!)
    const fresh =
      hintForecast === null
        ? plain
        : changeSignal === undefined
          ? freshByForecast(hintForecast, { plain, later: chanceUnchanged(clockGap - spared) })
          : dimmed * plain
    // Fewer changes wait unseen where a silent list or a cache makes one less likely.
    const signalRatio =
      changeSignal !== undefined || fresh === plain ? 1 : (1 - fresh) / (1 - plain)
    const changes = delaying ? signalRatio * changesBy(place, clockGap) + reported : 0
    if (k === first && changeSignal !== undefined) [before, passed, unseen] = [fresh, gap, changes]
    const step = gap - passed
    freshTime += ((before + fresh) / 2) * step
    waited += ((unseen + changes) / 2) * step
    before = fresh
    unseen = changes
    passed = gap
    const got = caught ? 1 - fresh : delaying ? -waited : freshTime
    const lead = leads[left]! + share * (leads[left + 1]! - leads[left]!)
    const reached = got + lead + (hoursMatter ? weekLead(at + gap) : 0)
    valueAt[k] = reached
    freshAt[k] = fresh
    last = k
    const netValue = (reached - leadNow - paid) / gap
    if (netValue > perSecond) [perSecond, steadiest] = [netValue, gap]
    // Later gaps bring less and less: no more than the copy is still fresh, or changes wait.
    const over =
      gap > (delaying ? 3 : 2.5) * steadiest &&
      gap > steadiest + 4 * DAY &&
      gap >= 2 * within.minGap
    const least = Math.min(known, perSecond)
    const spent = delaying ? enough * -unseen < least : fresh < enough * least
    if (over && (spent || gap > 6 * steadiest + 30 * DAY)) break
  }
  const hourly = changeSignal === undefined ? Math.min(known, perSecond) : known
  const best = bestValue({
    first,
    last,
    hourly,
    slack: 1e-9 * problem.price,
    after: changeSignal?.after,
  })
  const held = Math.min(within.maxGap, Math.max(within.minGap, best))
  const lost = between(valueAt, { gap: held, last }) - between(valueAt, { gap: 2 * held, last })
  out.gap = best
  out.timeValue = hourly
  out.chance = Math.max(0, 1 - between(freshAt, { gap: held, last }))
  out.value = Math.max(0, 1 + lost / problem.price)
  return out
}

/**
 * The law is not known after a visit that teaches nothing: if it were, a page
 * whose laws ask for unlike gaps would be visited again at once, for the price
 * of a request. So time has no more value than the best gap can make of it with
 * at least this share of a request paid.
 */
const leastPaid = 0.5
/** Once a second more brings so much less than the value of time, no longer gap can win. */
const enough = 0.8

/** Writes the value of each gap, the time it takes paid, and gives the best; of equals the longest. */
function bestValue(about: {
  first: number
  last: number
  hourly: number
  slack: number
  after: number | undefined
}): number {
  const { first, last, hourly, slack, after = 0 } = about
  let [most, best] = [-Infinity, candidates[first]!]
  for (let k = first; k <= last; k++) {
    const gap = Math.max(candidates[k]!, after)
    valueAt[k]! -= hourly * gap
    // A page not worth a request is as well off at any long gap.
    if (valueAt[k]! < most - slack) continue
    most = Math.max(most, valueAt[k]!)
    best = gap
  }
  return best
}

const onSignal: BestGap = { gap: 0, chance: 0, value: 0 }

/**
 * Whether a page is best visited at once, `elapsed` after it was last seen,
 * where it has probably changed: with chance `weight` the signal that came is
 * one of it. Then waiting brings hardly any freshness, and a page that is
 * worth its requests at all is visited now instead of when it was planned.
 */
export function paysOnSignal(
  posterior: Posterior,
  about: { at: number; elapsed: number; weight: number; problem: Omit<GapProblem, 'hintForecast'> },
): boolean {
  const { at, elapsed, weight, problem } = about
  if (!(weight > 0)) return false
  const hintForecast = {
    listed: 0,
    cached: 0,
    cachedFor: 0,
    changeSignal: { weight, after: elapsed },
  }
  const { gap } = bestGap(posterior, { at, problem: { ...problem, hintForecast }, out: onSignal })
  return gap <= elapsed
}

const anywhere: HeldWithin = { minGap: 0, maxGap: Infinity }

/** The value at a gap between candidates; at the last one that was tried for all beyond. */
function between(values: Float64Array, { gap, last }: { gap: number; last: number }): number {
  let [low, high] = [0, last]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (candidates[middle]! <= gap) low = middle
    else high = middle
  }
  const width = candidates[high]! - candidates[low]!
  const share = width > 0 ? Math.min(1, Math.max(0, (gap - candidates[low]!) / width)) : 0
  return values[low]! + share * (values[high]! - values[low]!)
}

/** Chance that nothing changes in so many clock seconds, by the posterior gathered last. */
function chanceUnchanged(clockGap: number): number {
  if (clockGap <= gridGaps[0]!) return 1
  const place = Math.min(n - 1.001, (Math.log(clockGap) - logStart) / logStep)
  const left = place | 0
  return still[left]! + (place - left) * (still[left + 1]! - still[left]!)
}

/** What a change signal leaves of the chance that the copy is fresh, as a factor from then on. */
function dimming({ weight }: { weight: number }, clockGap: number): number {
  const plain = chanceUnchanged(clockGap)
  return plain > 0 ? freshAfterSignal(weight, plain) / plain : 1
}

/** The last candidate that is not beyond a gap: the visit at once. */
function soonest(gap: number): number {
  let k = 0
  while (k + 1 < candidates.length && candidates[k + 1]! <= gap) k++
  return k
}

/** Hours are followed only where they are worth so much of a request: less is within what a clock is unsure of. */
const leastHours = 0.1

/**
 * The leads of the hours under the rates that count here. False, and none,
 * where the best hour of the week is hardly better than the worst: the clock
 * is then taken to be flat.
 */
function gatherHours({ lead }: WeekValues, price: number): boolean {
  let spread = 0
  for (let j = 0; j < rateCount; j++)
    if (lead[j] !== null && massAtRate[j]! >= slightRate) spread += massAtRate[j]! * lead[j]!.spread
  if (spread < leastHours * price) return false
  hourLeads.fill(0)
  for (let j = 0; j < rateCount; j++) {
    const hours = lead[j]!
    const mass = massAtRate[j]!
    if (hours === null || mass < slightRate) continue
    const { byHour } = hours
    for (let hour = 0; hour < 168; hour++) hourLeads[hour]! += mass * byHour[hour]!
  }
  return true
}

/**
 * What the hours add to the value of time, by the share of the time that a law
 * spends at each rate in the long run. The present chances of the rates would
 * not do: time after the next visit is not spent at the present rate, and a
 * page that happens to be fast now would seem to gain more than there is.
 */
function hourGain(posterior: Posterior, { gain }: WeekValues): number {
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const mass = massOf(posterior, law)
    const fastShare = fastTime[law]!
    total += mass * (fastShare * gain[fast[law]!]! + (1 - fastShare) * gain[slow[law]!]!)
  }
  return total
}

/** Tables of this posterior on the grid of gaps; gives the value of a second, as net reward. */
function gather(posterior: Posterior, ofLaws: LawValues): number {
  const { masses } = posterior
  massAtRate = rateMasses(posterior)
  still.fill(0)
  leads.fill(0)
  let hourly = 0
  for (let law = 0; law < laws.size; law++) {
    const quick = masses[2 * law]!
    const slowMass = masses[2 * law + 1]!
    hourly += (quick + slowMass) * ofLaws.net[law]!
    if (law < rateCount || quick + slowMass < slightLaw || ofLaws.lead[law] === 0) continue
    const home = fastChain[law]!
    const pull = ofLaws.lead[law]! * (quick * (1 - home) - slowMass * home)
    const memory = forgetting[law]!
    for (let k = 0; k < n; k++) leads[k]! += pull * memory[k]!
  }
  for (let j = 0; j < rateCount; j++) {
    const mass = massAtRate[j]!
    if (mass < 1e-7) continue
    const slowMass = unchangedTable[j]!
    for (let k = 0; k < n; k++) still[k]! += mass * slowMass[k]!
  }
  return hourly
}

/**
 * Changes expected by each gap of the grid. Slight masses are left out: what a
 * page keeps of every law in case it has become another would be most of the
 * changes of a slow one, where a fast law has thousands.
 */
function gatherChanges({ masses }: Posterior): void {
  let steady = 0
  expected.fill(0)
  for (let law = 0; law < laws.size; law++) {
    const quick = masses[2 * law]!
    const slowMass = masses[2 * law + 1]!
    if (quick + slowMass < slightLaw) continue
    const mean = meanRates[law]!
    steady += (quick + slowMass) * mean
    if (law < rateCount) continue
    const forgets = relaxation[law]!
    const start =
      quick * (changeRates[fast[law]!]! - mean) + slowMass * (changeRates[slow[law]!]! - mean)
    const memory = forgetting[law]!
    for (let k = 0; k < n; k++) expected[k]! += (start * (1 - memory[k]!)) / forgets
  }
  for (let k = 0; k < n; k++) expected[k]! += steady * gridGaps[k]!
}

/** Changes expected in so many clock seconds, at this place of the grid. */
function changesBy(place: number, clockGap: number): number {
  const left = place | 0
  if (clockGap < gridGaps[0]!) return (expected[0]! * clockGap) / gridGaps[0]!
  return expected[left]! + (place - left) * (expected[left + 1]! - expected[left]!)
}

function weekLead(at: number): number {
  const place = (at - Math.floor(at / WEEK) * WEEK) / HOUR
  const hour = Math.min(167, place | 0)
  const share = place - hour
  const next = hour === 167 ? 0 : hour + 1
  return hourLeads[hour]! + share * (hourLeads[next]! - hourLeads[hour]!)
}
