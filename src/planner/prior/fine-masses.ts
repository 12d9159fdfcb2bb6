import { type History, splitUnchanged } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { type WeekClock, weekGap } from '../../numeric/week-clock.js'
import {
  driftShare,
  learnChanged,
  learnChangedAt,
  learnUnchanged,
  letDrift,
  likelihoodsAt,
  memorySize,
  startLikelihoods,
} from '../posterior/likelihoods.js'
import { mixedMasses } from './mixed-masses.js'

/**
 * The laws of the default stand in steps of 2.2: pages whose period lies
 * between two steps are then likelier in bursts than at random, only because
 * some bursty law has a mean nearer to theirs. So a prior is fitted on a grid
 * six times as fine, every law at six speeds, and summed to the laws at the end.
 */
const speeds = 6
const step = Math.log(laws.changeRates[1]! / laws.changeRates[0]!)
/** Each law's rates times these; in the middle of the cell that the law stands for. */
const scales = Float64Array.from({ length: speeds }, (_, i) =>
  Math.exp(step * ((i + 0.5) / speeds - 0.5)),
)

/**
 * How likely a page's history is under each law at each speed, the likeliest 1:
 * `speeds` times the laws. O(observations x laws x speeds).
 */
export function fineRow(
  history: History,
  about: {
    readonly clock: WeekClock
    /** Masses of the laws, for a page that becomes another. */
    readonly masses: Float64Array
    readonly newShare: number
  },
): Float64Array {
  const { clock, masses, newShare } = about
  const { start, observations } = splitUnchanged(history)
  const logs = new Float64Array(speeds)
  const row = new Float64Array(speeds * laws.size)
  const memory = new Float64Array(memorySize)
  const dated = (contentAge: Seconds, gap: Seconds) => contentAge >= 0 && contentAge < gap
  for (const [i, scale] of scales.entries()) {
    const contentAge = scale * (start.contentAge ?? Number.NaN)
    logs[i] = Math.log(startLikelihoods(memory, { contentAge, newShare }))
    for (const { at, gap, changed, contentAge = Number.NaN } of observations) {
      const clockGap = scale * weekGap(clock, { at, gap })
      if (!changed) logs[i]! += Math.log(learnUnchanged(memory, clockGap))
      else if (dated(contentAge, gap)) {
        const since = scale * weekGap(clock, { at, gap: contentAge })
        // A density of times, on a clock that runs so many times as fast.
        logs[i]! += Math.log(scale * learnChangedAt(memory, { gap: clockGap, contentAge: since }))
      } else logs[i]! += Math.log(learnChanged(memory, clockGap))
      letDrift(memory, { masses, share: driftShare })
    }
    for (let law = 0, at = likelihoodsAt; law < laws.size; law++, at += 2)
      row[i * laws.size + law] = memory[at]! + memory[at + 1]!
  }
  const peak = logs.reduce((a, b) => Math.max(a, b))
  return row.map((each, at) => each * Math.exp(logs[Math.floor(at / laws.size)]! - peak))
}

/** Masses of the laws, spread evenly over their speeds. */
export function spreadMasses(masses: Float64Array): Float64Array {
  return Float64Array.from(
    { length: speeds * laws.size },
    (_, at) => masses[at % laws.size]! / speeds,
  )
}

/** Masses of the laws, their speeds together. */
export function summedMasses(fine: Float64Array): Float64Array {
  const masses = new Float64Array(laws.size)
  for (let at = 0; at < fine.length; at++) masses[at % laws.size]! += fine[at]!
  return masses
}

/** As how much of the start the masses of others count; the rest is spread over pages that change at random. */
const others = 0.1

/**
 * The fine masses under which pages are likeliest, by EM, from where all pages
 * change at random: so bursts are found where visits show them, and not
 * assumed where no visit could tell.
 */
export function fitFineMasses(
  rows: readonly Float64Array[],
  { towards, strength }: { readonly towards: Float64Array; readonly strength: number },
): Float64Array {
  const poisson = laws.changeRates.length
  const atRandom = (1 - others) / (speeds * poisson)
  const start = towards.map((mass, at) => others * mass + (at % laws.size < poisson ? atRandom : 0))
  return mixedMasses(rows, { towards, strength, start })
}

/** Half of the pages change more often than this. */
export function medianOfFine(fine: Float64Array): Seconds {
  const order = Array.from(fine.keys(), (at) => ({
    log: -Math.log(laws.meanRates[at % laws.size]! * scales[Math.floor(at / laws.size)]!),
    mass: fine[at]!,
  })).sort((a, b) => a.log - b.log)
  const half = order.reduce((sum, { mass }) => sum + mass, 0) / 2
  const width = step / speeds
  const below = (log: number) =>
    order.reduce(
      (sum, each) => sum + each.mass * Math.min(1, Math.max(0, (log - each.log) / width + 0.5)),
      0,
    )
  let [low, high] = [order[0]!.log - width, order.at(-1)!.log + width]
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2
    if (below(middle) < half) low = middle
    else high = middle
  }
  return Math.exp(low)
}
