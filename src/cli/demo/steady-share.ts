import { canBeSeen } from './freshness-meter.js'
import type { PageFinding } from './page-finding.js'

/** How many of the steady pages are known. */
export interface SteadyShare {
  /** Steady pages that can be seen and were due to change five times. */
  readonly due: number
  /** Those of them whose estimated change period is within a factor of 2 of the truth. */
  readonly within: number
  /** Null where none was due. */
  readonly share: number | null
}

const enoughChanges = 5
const factor = 2

/** All pages count that could have been known, those whose server lies among them. */
export function steadyShare(findings: readonly PageFinding[]): SteadyShare {
  const due = findings.filter(isDue)
  const within = due.filter(isKnown).length
  return { due: due.length, within, share: due.length === 0 ? null : within / due.length }
}

export function isDue({ truth, dueChanges }: PageFinding): boolean {
  return truth.law === 'steady' && canBeSeen(truth) && dueChanges >= enoughChanges
}

export function isKnown({ truth, estimate }: PageFinding): boolean {
  const ratio = (estimate?.changePeriod ?? 0) / truth.changePeriod
  return ratio >= 1 / factor && ratio <= factor
}
