import type { ReproducedPaper } from '../../report/index.js'
import type { RealHistories } from './real-histories.js'
import type { ReproduceSettings } from './settings.js'

/** What a run of the command came to. */
export interface Reproduction {
  readonly settings: ReproduceSettings
  readonly papers: readonly ReproducedPaper[]
  /** Null where the real histories are absent. */
  readonly histories: RealHistories | null
}
