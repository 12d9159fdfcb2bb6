import { verdictCode } from './verdict-codes.js'

export const noObservation = verdictCode('no-observation')
export const ok = verdictCode('ok')
export const noChangeSeen = verdictCode('no-change-seen')
export const alwaysChanged = verdictCode('always-changed')

/** The verdict's code on the counts alone, as the methods for one page give it. */
export function verdictOnCounts({
  observations,
  changes,
}: {
  observations: number
  changes: number
}): number {
  if (observations === 0) return noObservation
  if (changes === 0) return noChangeSeen
  return changes === observations ? alwaysChanged : ok
}
