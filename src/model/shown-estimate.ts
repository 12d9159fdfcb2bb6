import type { Estimate } from './estimate.js'
import { humanPeriod } from './human.js'

/** The numbers of an estimate. */
type Numbers = Pick<Estimate, 'changeRate' | 'changePeriod' | 'bounds'>

/** An estimate as people and programs are given it: no number that its own bounds contradict. */
export interface ShownEstimate extends Estimate {
  /** Of a page that was not seen twice: what pages like it do. It says nothing of the page itself. */
  readonly group?: Numbers
}

/**
 * An estimate without numbers that the visits do not bear out. Where each of
 * them found a change there is none, since the page may be faster than any:
 * the papers' stand-ins (1 / shortest gap) lie outside the bounds as soon as
 * there are a few visits. What was not seen twice has only its group's.
 */
export function shownEstimate(estimate: Estimate): ShownEstimate {
  const { changeRate, changePeriod, bounds, verdict } = estimate
  const none = { ...estimate, changeRate: null, changePeriod: null }
  if (verdict === 'prior-only')
    return { ...none, bounds: null, group: { changeRate, changePeriod, bounds } }
  return verdict === 'always-changed' || !isWithin(estimate) ? none : estimate
}

/** Whether the rate lies within its own bounds, but for the rounding of both. */
function isWithin({ changeRate, bounds }: Numbers): boolean {
  if (changeRate === null || bounds === null) return true
  const { low, high } = bounds
  return (
    changeRate >= low * (1 - rounding) && (high === null || changeRate <= high * (1 + rounding))
  )
}

const rounding = 1e-9

/**
 * How often a page changes, in words: `every 3.2 days`, `at every visit`,
 * `its group every 3 months`; in brackets what stands in for a number.
 */
export function howOften(estimate: ShownEstimate): string {
  const { changePeriod, verdict, group } = estimate
  if (verdict === 'always-changed') return 'at every visit'
  if (group !== undefined)
    return group.changePeriod === null ? 'unknown' : `its group ${humanPeriod(group.changePeriod)}`
  const text = humanPeriod(changePeriod)
  return verdict === 'no-change-seen' && changePeriod !== null ? `(${text})` : text
}
