import type { ClaimVerdict } from 'revisit/report'

/** The verdict on a claim that says several things: all, some or none of them were found. */
export function verdictOf(...found: readonly boolean[]): ClaimVerdict {
  if (found.every((each) => each)) return 'holds'
  return found.some((each) => each) ? 'holds in part' : 'does not hold'
}
