import { type History, historyOf, type PageRecord, type Store } from '../model/index.js'
import { holdsState } from './packed-state.js'
import type { Mind } from './step.js'

/** Visits that the state of another learner is rebuilt from. */
const rebuiltFrom = 1_000

/** The recorded visits of a page whose row holds another learner's numbers; null where there is no need. */
export async function pastOf(page: PageRecord, mind: Mind, store: Store): Promise<History | null> {
  if (page.lastSeen === null || holdsState(mind, page)) return null
  return historyOf(await store.visitsOf(page, { newest: rebuiltFrom }))
}
