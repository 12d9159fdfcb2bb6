import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'

/** Plain counts at the head of a memory, before the likelihoods. */
export const observationsAt = 0
export const changesAt = 1
/** Observations in a row without a change, up to now. */
export const unchangedRunAt = 2
/** Sum of all gaps, in plain seconds. */
export const sampledAt = 3
/** Log of how much likelier the flat clock made all that was seen than the group's clock did; bounded. */
export const flatLeadAt = 4

/** Where the likelihoods begin in a memory. */
export const likelihoodsAt = 5
/** Numbers of a memory: 1,640 bytes. */
export const memorySize = likelihoodsAt + 2 * laws.size

const rateCount = laws.changeRates.length
const { changeRates, fast, slow, share, fastTime, fastChain, relaxation } = laws
const unchanged = new Float64Array(rateCount)

/** Below this, relative to the likeliest law, a law goes no lower: it may come back. */
const least = 1e-30

/**
 * How likely all that was seen is, law by law and with the rate that the page
 * is at now: 2 x laws numbers after `likelihoodsAt`, scaled so that the largest
 * law's is 1. The prior is not in them, so that it can be learned anew, from
 * these very numbers, and no page's state need be touched. `newShare` is the
 * chance that the page is followed from its beginning, where no age is reported.
 * Gives what all likelihoods were divided by.
 */
export function startLikelihoods(
  memory: Float64Array,
  { contentAge, newShare }: { readonly contentAge: number; readonly newShare: number },
): number {
  const dated = contentAge >= 0 && contentAge < Infinity
  for (let law = 0; law < laws.size; law++) {
    // Its last change sampled the rate, and none came since. That a change came just then is
    // taken as given: pages are often followed because they were new, and such a page would
    // be taken to change every few minutes.
    const quick = dated
      ? share[law]! * Math.exp(-changeRates[fast[law]!]! * contentAge)
      : atFirst(law, newShare)
    const unchangedOne = dated
      ? (1 - share[law]!) * Math.exp(-changeRates[slow[law]!]! * contentAge)
      : 1 - atFirst(law, newShare)
    memory[likelihoodsAt + 2 * law] = quick
    memory[likelihoodsAt + 2 * law + 1] = unchangedOne
  }
  return rescale(memory)
}

/** Chance of the fast rate at the first visit: as a change has just sampled it, or as the long run has it. */
function atFirst(law: number, newShare: number): number {
  return newShare * share[law]! + (1 - newShare) * fastTime[law]!
}

/** Takes in a gap without a change, in clock seconds; gives what all likelihoods were then divided by. */
export function learnUnchanged(memory: Float64Array, gap: number): number {
  for (let rateIndex = 0; rateIndex < rateCount; rateIndex++)
    unchanged[rateIndex] = Math.exp(-changeRates[rateIndex]! * gap)
  for (let law = 0, at = likelihoodsAt; law < laws.size; law++, at += 2) {
    memory[at]! *= unchanged[fast[law]!]!
    memory[at + 1]! *= unchanged[slow[law]!]!
  }
  return rescale(memory)
}

/**
 * Takes in a gap with one change or more: where the chain of rates may be at
 * its end, less the paths without a change. Exact. Gives what all likelihoods
 * were then divided by.
 */
export function learnChanged(memory: Float64Array, gap: number): number {
  for (let rateIndex = 0, at = likelihoodsAt; rateIndex < rateCount; rateIndex++, at += 2) {
    const stirred = -Math.expm1(-changeRates[rateIndex]! * gap)
    unchanged[rateIndex] = 1 - stirred
    memory[at]! *= stirred
  }
  for (let law = rateCount, at = likelihoodsAt + 2 * rateCount; law < laws.size; law++, at += 2) {
    const quick = memory[at]!
    const slowOne = memory[at + 1]!
    const home = fastChain[law]!
    const gone = -Math.expm1(-relaxation[law]! * gap)
    const stays = 1 - (1 - home) * gone
    memory[at] = Math.max(0, quick * (stays - unchanged[fast[law]!]!) + slowOne * home * gone)
    memory[at + 1] = Math.max(
      0,
      quick * (1 - stays) + slowOne * (1 - home * gone - unchanged[slow[law]!]!),
    )
  }
  return rescale(memory)
}

/** Takes in a gap whose last change is known to lie `contentAge` before its end: exact, as a density; gives the divisor. */
export function learnChangedAt(
  memory: Float64Array,
  { gap, contentAge }: { gap: number; contentAge: number },
): number {
  for (let rateIndex = 0; rateIndex < rateCount; rateIndex++)
    unchanged[rateIndex] = Math.exp(-changeRates[rateIndex]! * contentAge)
  for (let law = 0, at = likelihoodsAt; law < laws.size; law++, at += 2) {
    const both = memory[at]! + memory[at + 1]!
    const home = fastChain[law]!
    const quick =
      home * both + (memory[at]! - home * both) * Math.exp(-relaxation[law]! * (gap - contentAge))
    const changing = quick * changeRates[fast[law]!]! + (both - quick) * changeRates[slow[law]!]!
    memory[at] = changing * share[law]! * unchanged[fast[law]!]!
    memory[at + 1] = changing * (1 - share[law]!) * unchanged[slow[law]!]!
  }
  return rescale(memory)
}

/** Chance, at each visit, that a page has become another: so that no law is ruled out for good. */
export const driftShare = 0.002

/**
 * Lets the page become any other of its group with a small chance: a fixed
 * share of the evidence goes to every law alike.
 *
 * Herbster & Warmuth 1998.
 */
export function letDrift(
  memory: Float64Array,
  { masses, share: drift }: { masses: Float64Array; share: number },
): void {
  let total = 0
  for (let law = 0, at = likelihoodsAt; law < laws.size; law++, at += 2)
    total += masses[law]! * (memory[at]! + memory[at + 1]!)
  const given = drift * total
  for (let law = 0, at = likelihoodsAt; law < laws.size; law++, at += 2) {
    memory[at] = (1 - drift) * memory[at]! + given * fastTime[law]!
    memory[at + 1] = (1 - drift) * memory[at + 1]! + given * (1 - fastTime[law]!)
  }
}

/** Divides by the largest law's likelihood, which it gives, and lifts what would vanish. */
function rescale(memory: Float64Array): number {
  let most = 0
  for (let at = likelihoodsAt; at < memorySize; at += 2) {
    const both = memory[at]! + memory[at + 1]!
    if (both > most) most = both
  }
  // Nothing in the family explains it (a change within a microsecond): nothing is learned from it.
  if (!(most > 0 && most < Infinity)) {
    forget(memory)
    return 1
  }
  const scale = 1 / most
  for (let at = likelihoodsAt; at < memorySize; at += 2) {
    memory[at]! *= scale
    memory[at + 1]! *= scale
    if (memory[at]! + memory[at + 1]! < least) {
      const law = (at - likelihoodsAt) >> 1
      memory[at] = least * fastTime[law]!
      memory[at + 1] = least * (1 - fastTime[law]!)
    }
  }
  return most
}

function forget(memory: Float64Array): void {
  for (let law = 0; law < laws.size; law++) {
    memory[likelihoodsAt + 2 * law] = fastTime[law]!
    memory[likelihoodsAt + 2 * law + 1] = 1 - fastTime[law]!
  }
}
