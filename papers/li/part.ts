import type { Random } from 'revisit/numeric'
import type { ClaimVerdict, PaperResult } from 'revisit/report'
import type { Sizes } from './sizes.js'

/** A part of the paper that is run on its own. */
export interface Part {
  readonly doing: string
  /** Its share of the work, in about seconds of a full run. */
  readonly cost: number
  run(options: PartRun): PaperResult
}

export interface PartRun {
  readonly sizes: Sizes
  readonly random: Random
  /** The share of this part that is done. */
  readonly tell: (share: number) => void
}

/** `holds` if it does; else in part if that is so; else not. */
export function verdictOf(holds: boolean, inPart = false): ClaimVerdict {
  if (holds) return 'holds'
  return inPart ? 'holds in part' : 'does not hold'
}
