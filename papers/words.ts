import { percent as inPercent } from 'revisit/model'
import type { ClaimVerdict } from 'revisit/report'

/** A share as findings write it, with one digit: `11.7%`. */
export function percent(share: number, { digits = 1 }: { readonly digits?: number } = {}): string {
  return inPercent(share, { digits })
}

/** `holds` or `does not hold`. */
export function holdsIf(condition: boolean): ClaimVerdict {
  return condition ? 'holds' : 'does not hold'
}

/** As `holdsIf`, with a weaker condition for `holds in part`. */
export function graded(conditions: { readonly holds: boolean; readonly inPart: boolean }) {
  return conditions.holds ? 'holds' : conditions.inPart ? 'holds in part' : 'does not hold'
}
