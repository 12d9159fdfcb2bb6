import type {
  Clock,
  CloserLook,
  PageRecord,
  PublisherReader,
  RandomSource,
  Reader,
  Store,
  Validators,
  Visitor,
} from '../model/index.js'
import type { AllowedHours } from '../schedule/allowed-hours.js'
import type { Neighbours } from './neighbours/neighbours.js'
import type { Mind } from './step.js'

/** Until when a visit steps aside, and what it keeps in memory meanwhile. */
export interface Rest {
  /** Never rejects. */
  readonly until: Promise<unknown>
  readonly bytes: number
}

/** Everything visits are made with; nothing in it is opened here. */
export interface CycleParts {
  readonly store: Store
  readonly visitor: Visitor
  readonly reader: Reader
  /** Tells noise from change by looking again; no page is looked at again without it. */
  readonly closer?: CloserLook
  readonly clock: Clock
  readonly random: RandomSource
  /** The policy and learner of a page. */
  readonly mindFor: (page: PageRecord) => Mind
  /** Hours in which a page may be visited; at any time unless said. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
  /** What to ask a page's server with, instead of what it told; only where something is kept. */
  readonly validatorsFor?: (page: PageRecord) => Validators
  /** Listens to publishers' hints and finds pages; nobody does unless said. */
  readonly publisher?: PublisherReader
  /** Tells pages of each other's changes; nobody does unless said. */
  readonly neighbours?: Neighbours
}
