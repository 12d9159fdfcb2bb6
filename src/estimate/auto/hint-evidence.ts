import { DAY, hintWeight, type Seconds, type WeighedHint } from '../../model/index.js'
import { twoPaceLaws as laws } from '../../numeric/index.js'

/** No period counts for more: a few visits that tell otherwise overrule it. */
const most = 0.9
/** STATIC: hardly ever; laws slower than this fit as well. */
const staticPeriod = 900 * DAY
/** How far off an honest period is, in logarithms: `daily` to `monthly` go by steps of four to seven. */
const spread = 0.5
/** The logarithms of periods in the family span so much: what one would say at random. */
const span = Math.log(laws.changeRates.at(-1)! / laws.changeRates[0]!)
const peak = span / (spread * Math.sqrt(2 * Math.PI))
const logRates = laws.meanRates.map(Math.log)

/** A period that a publisher declares, with what its word counts. */
export interface DeclaredPeriod {
  readonly period: Seconds
  /** Whether any longer period is meant too. */
  readonly orLonger: boolean
  /** From 0, nothing, to below 1. */
  readonly weight: number
}

/** The believed period that counts most; null where there is none that counts. */
export function declaredPeriod(told: readonly WeighedHint[]): DeclaredPeriod | null {
  let found: DeclaredPeriod | null = null
  for (const hint of told) {
    const { claim } = hint
    if (claim.says !== 'declared' || !hint.believed) continue
    const { declared } = claim
    const orLonger = declared.kind === 'static'
    const period = declared.kind === 'static' ? staticPeriod : declared.period
    const weight = Math.min(most, hintWeight(hint))
    if (period === null || !(period > 0 && period < Infinity) || !(weight > (found?.weight ?? 0)))
      continue
    found = { period, orLonger, weight }
  }
  return found
}

/**
 * Takes a declared period into a belief, in place, by Bayes' rule: with chance
 * `weight` the publisher knows and tells the page's period within a factor of
 * 1.6 or so, else it says anything. So each law's mass is multiplied by
 * between 1 - weight and some ten times that much more, once and not at every
 * visit: a few visits that tell otherwise overrule it. O(laws).
 */
export function takeDeclared(belief: Float64Array, declared: DeclaredPeriod): Float64Array {
  const said = Math.log(declared.period)
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const factor = factorOf(said + logRates[law]!, declared)
    belief[2 * law]! *= factor
    belief[2 * law + 1]! *= factor
    total += belief[2 * law]! + belief[2 * law + 1]!
  }
  if (total > 0) for (let at = 0; at < 2 * laws.size; at++) belief[at]! /= total
  return belief
}

/** `apart`: the logarithm of the period said over the law's own. */
function factorOf(apart: number, { orLonger, weight }: DeclaredPeriod): number {
  const off = (orLonger ? Math.max(0, apart) : apart) / spread
  return 1 - weight + weight * peak * Math.exp(-(off * off) / 2)
}
