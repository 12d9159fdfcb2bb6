import type { Mind } from '../../engine/index.js'
import type { ChangeProcess, Seconds } from '../../model/index.js'
import type { LastModifiedKind } from '../last-modified.js'

/** Many pages of one process, visited by one mind: what is simulated. */
export interface Study {
  readonly process: ChangeProcess
  readonly mind: Mind
  readonly lastModified: LastModifiedKind
  /** How long each page is visited. */
  readonly length: Seconds
  readonly seed: number
}

/** Pages `from` up to, but not including, `to`. */
export interface StudyPages {
  readonly from: number
  readonly to: number
}
