import type { PageRecord, RandomSource, Seconds } from '../../model/index.js'
import type { AllowedHours } from '../../schedule/allowed-hours.js'
import type { GapLimits, Objective } from '../../schedule/index.js'
import type { Mind } from '../step.js'
import type { BudgetParts } from './collection-budget.js'

/** What a steward works with, and what of a collection is for others to say. */
export interface StewardParts extends BudgetParts {
  /** Names this process to the store. */
  readonly worker: string
  readonly random: RandomSource
  /** What a page is visited for; freshness by default. */
  readonly objectiveFor?: (page: PageRecord) => Objective
  readonly limitsFor?: (page: PageRecord) => GapLimits
  /** The longest gap that a person promised a page of its own; null where nobody did. */
  readonly promisedTo?: (page: PageRecord) => Seconds | null
  /** The hours in which a page may be visited. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
  /** The mind of a page with a policy of its own; null for those that follow the default. */
  readonly ownMind?: (page: PageRecord) => Mind | null
  /** Whether publishers' hints move the visits of a page that follows the default; of none unless said. */
  readonly hears?: (page: PageRecord) => boolean
  /** What is said for all pages, policy, objectives, limits and hours, as text: where it changes, visits are planned anew. */
  readonly terms?: string
  /** Awaited between slices of work, so that visits go on. */
  readonly pause: () => Promise<void>
}
