import { type Mind, Steward } from '../../engine/index.js'
import type { Clock, PageRecord, RandomSource, Store } from '../../model/index.js'
import { tendedBy } from '../crawler/tending.js'

/** What a way of spending requests is opened with. */
export interface WayParts {
  readonly store: Store
  readonly collection: string
  readonly clock: Clock
  readonly random: RandomSource
  /** Requests a page and day. */
  readonly perPage: number
  /** Whether publishers' hints are heard by a way that can. */
  readonly hints: boolean
}

/** A way to spend requests on the demo's pages, at work. */
export interface OpenWay {
  /** What keeps the budget, where something does. */
  readonly steward?: Steward
  mindFor(page: PageRecord): Mind
  /** Before the first visit. */
  begin(): Promise<void>
  /** Beside the visits, until told to stop. */
  tend(signal: AbortSignal): Promise<void>
  /** Share of copies that it foretells to be fresh just now; null where it foretells nothing. */
  predicted(): number | null
}

export interface Way {
  readonly name: string
  /** Whether it can hear publishers' hints. */
  readonly hears?: boolean
  open(parts: WayParts): Promise<OpenWay>
}

/** As `revisit run` does it unless told otherwise. */
export const defaultWay: Way = {
  name: 'auto (the default)',
  hears: true,
  async open({ store, collection, clock, random, perPage, hints }) {
    const steward = await Steward.open({
      store,
      collection,
      worker: 'demo',
      random,
      budget: { perPage },
      hears: () => hints,
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    })
    return {
      steward,
      mindFor: (page) => steward.mindFor(page),
      ...tendedBy(steward, clock),
      predicted: () => steward.predicted,
    }
  },
}
