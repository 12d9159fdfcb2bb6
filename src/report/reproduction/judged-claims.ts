import { InputError } from '../../model/index.js'
import type { ClaimVerdict, Finding, Published, PublishedClaim } from './paper.js'

/** A claim beside what a run found about it. */
export interface JudgedClaim {
  readonly claim: PublishedClaim
  readonly finding: Finding
  /** Whether the verdict is the recorded one. */
  readonly asRecorded: boolean
}

/** All claims of a paper after a run: those judged, and those left out for want of real histories. */
export interface JudgedClaims {
  readonly judged: readonly JudgedClaim[]
  readonly leftOut: readonly PublishedClaim[]
}

/**
 * Lays the findings of a run beside the claims, in the order of the claims. A
 * claim without a finding is only right where it needs histories that are
 * absent, and a finding without a claim never is: both are faults of the
 * paper's own files.
 */
export function judgedClaims(
  { claims }: Published,
  { findings, histories }: { readonly findings: readonly Finding[]; readonly histories: boolean },
): JudgedClaims {
  const found = new Map(findings.map((finding) => [finding.claim, finding]))
  const leftOut = claims.filter(
    (claim) => !found.has(claim.id) && claim.needsHistories === true && !histories,
  )
  const unknown = [...found.keys()].find((id) => !claims.some((claim) => claim.id === id))
  const forgotten = claims.find((claim) => !found.has(claim.id) && !leftOut.includes(claim))
  if (unknown !== undefined)
    throw new InputError('unknown-claim', `there is no claim "${unknown}" in published.json`)
  if (forgotten !== undefined)
    throw new InputError('claim-without-finding', `the run found nothing on "${forgotten.id}"`)
  const judged = claims
    .filter((claim) => found.has(claim.id))
    .map((claim) => {
      const finding = found.get(claim.id)!
      return { claim, finding, asRecorded: finding.verdict === claim.recorded }
    })
  return { judged, leftOut }
}

export const claimVerdicts: readonly ClaimVerdict[] = ['holds', 'holds in part', 'does not hold']

/** How many of the claims came to each verdict. */
export function verdictCounts(judged: readonly JudgedClaim[]): Record<ClaimVerdict, number> {
  const counts = { holds: 0, 'holds in part': 0, 'does not hold': 0 }
  for (const { finding } of judged) counts[finding.verdict]++
  return counts
}
