import { type Bounds, humanDuration, type PerSecond, type Seconds } from '../../model/index.js'
import { bisect, twoPaceLaws as laws } from '../../numeric/index.js'

const { changeRates, fast, slow, meanRates } = laws
const logMeans = meanRates.map(Math.log)
const paces = changeRates.length
/** Each law stands for rates half a step of the grid to both sides. */
const halfStep = Math.log(changeRates[1]! / changeRates[0]!) / 2
const slowestLog = logMeans.reduce((a, b) => Math.min(a, b))
const fastestLog = logMeans.reduce((a, b) => Math.max(a, b))

/** The long-run change rate in the middle of a belief: its geometric mean. O(laws). */
export function believedRate(belief: Float64Array): PerSecond {
  let total = 0
  for (let law = 0; law < laws.size; law++)
    total += (belief[2 * law]! + belief[2 * law + 1]!) * logMeans[law]!
  return Math.exp(total)
}

/** Chance that the long-run change rate lies below exp(logRate). */
function chanceBelow(belief: Float64Array, logRate: number): number {
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const place = (logRate - logMeans[law]!) / (2 * halfStep) + 0.5
    total += (belief[2 * law]! + belief[2 * law + 1]!) * Math.min(1, Math.max(0, place))
  }
  return total
}

/** The long-run change rate below which it lies with chance `share`. */
export function believedQuantile(belief: Float64Array, share: number): PerSecond {
  const ends = { low: slowestLog - halfStep, high: fastestLog + halfStep }
  return Math.exp(bisect((at) => chanceBelow(belief, at) - share, ends))
}

/**
 * Bounds of the long-run change rate with equal chances outside on both sides.
 * Open where a bound would lie in the step of the fastest law, or of the
 * slowest: that one stands for all beyond it too, so the end of the grid would
 * pass for the end of what the page may do. Where no change was ever seen the
 * lower bound is 0: the page may never change again.
 */
export function believedBounds(
  belief: Float64Array,
  level: number,
  { changes = 1 }: { readonly changes?: number } = {},
): Bounds {
  const low = believedQuantile(belief, (1 - level) / 2)
  const high = believedQuantile(belief, (1 + level) / 2)
  return {
    low: changes === 0 || Math.log(low) < slowestLog + halfStep ? 0 : low,
    high: atFastEnd(high) ? null : high,
    level,
  }
}

function atFastEnd(changeRate: PerSecond): boolean {
  return Math.log(changeRate) > fastestLog - halfStep
}

const atPace = new Float64Array(paces)

/** Masses by pace, whatever the law: all that the time to the next change depends on. */
function gatherPaces(belief: Float64Array): Float64Array {
  atPace.fill(0)
  for (let law = 0; law < laws.size; law++) {
    atPace[fast[law]!]! += belief[2 * law]!
    atPace[slow[law]!]! += belief[2 * law + 1]!
  }
  return atPace
}

/** Chance that the page changes within so many clock seconds from now. O(laws). */
export function chanceOfChange(belief: Float64Array, gap: Seconds): number {
  const masses = gatherPaces(belief)
  let total = 0
  for (let pace = 0; pace < paces; pace++)
    total -= masses[pace]! * Math.expm1(-changeRates[pace]! * gap)
  return Math.min(1, Math.max(0, total))
}

/** Share of the next `gap` clock seconds in which a copy taken now stays fresh; 1 for no time. */
export function expectedFreshness(belief: Float64Array, gap: Seconds): number {
  const masses = gatherPaces(belief)
  let total = 0
  for (let pace = 0; pace < paces; pace++)
    total += masses[pace]! * freshShare(changeRates[pace]! * gap)
  return Math.min(1, Math.max(0, total))
}

function freshShare(expected: number): number {
  return expected < 1e-9 ? 1 : -Math.expm1(-expected) / expected
}

/**
 * What a hint makes of a chance of change, by Bayes' rule: `reliability` is
 * the chance that such a hint is right, whichever way it points; 0.5 tells
 * nothing.
 */
export function chanceGivenHint(
  chance: number,
  hint: { readonly foretellsChange: boolean; readonly reliability: number },
): number {
  const right = Math.min(1, Math.max(0, hint.reliability))
  const ifChanged = hint.foretellsChange ? right : 1 - right
  const ifNot = hint.foretellsChange ? 1 - right : right
  const total = chance * ifChanged + (1 - chance) * ifNot
  return total > 0 ? (chance * ifChanged) / total : chance
}

/**
 * Geometric means over the whole belief: how often the page changes at its fast
 * pace, at its slow one, and in the long run. Each law changes in the long run
 * no faster than at its fast pace and no slower than at its slow one, and means
 * over the same belief keep that order; the paces of one law would not keep it
 * beside the mean of all. O(laws).
 */
export function believedPaces(belief: Float64Array): {
  readonly burst: Seconds
  readonly inAll: Seconds
  readonly calm: Seconds
} {
  let [quick, still] = [0, 0]
  for (let law = 0; law < laws.size; law++) {
    const mass = belief[2 * law]! + belief[2 * law + 1]!
    quick += mass * Math.log(changeRates[fast[law]!]!)
    still += mass * Math.log(changeRates[slow[law]!]!)
  }
  return { burst: Math.exp(-quick), inAll: 1 / believedRate(belief), calm: Math.exp(-still) }
}

/** What is believed, as a person reads it. */
export function lawInWords(belief: Float64Array): string {
  const { inAll } = believedPaces(belief)
  const typical = humanDuration(inAll)
  // The fastest law stands for all that are faster.
  const faster = atFastEnd(believedQuantile(belief, 0.5)) ? ' or more often' : ''
  return isSteady(belief)
    ? `${lawShape(belief)}, about every ${typical}${faster}`
    : `${lawShape(belief)}; about every ${typical} in all`
}

/** The same without how often in all: for who is given the estimate beside it, which says that. */
export function lawShape(belief: Float64Array): string {
  if (isSteady(belief)) return 'changes at random'
  const { burst, calm } = believedPaces(belief)
  return `changes in bursts: every ${humanDuration(burst)} at times, then calm for ${humanDuration(calm)}`
}

function isSteady(belief: Float64Array): boolean {
  let steady = 0
  for (let law = 0; law < paces; law++) steady += belief[2 * law]! + belief[2 * law + 1]!
  return steady >= 0.5
}
