import { type History, historyOf, type PageRecord, type Store } from '../model/index.js'
import { holdsState } from './packed-state.js'
import type { Mind } from './step.js'

/** Visits that the state of another learner is rebuilt from. */
const rebuiltFrom = 1_000

/**
 * The recorded visits of a page whose row holds another learner's numbers, to
 * learn it anew; null where there is no need, so that nobody waits for nothing.
 */
export function pastOf(page: PageRecord, mind: Mind, store: Store): Promise<History | null> | null {
  if (page.lastSeen === null || holdsState(mind, page)) return null
  return store.visitsOf(page, { newest: rebuiltFrom }).then(historyOf)
}
