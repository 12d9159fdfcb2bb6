import type { PageRecord, VisitRecord } from '../model/index.js'
import { succeeded } from '../model/index.js'

/** What a store counts for itself, so that no caller can get it wrong. */
export type Counted = Pick<
  PageRecord,
  'lastVisit' | 'lastSeen' | 'lastChange' | 'visits' | 'changes' | 'failing' | 'gone'
>

/** What is needed of it to count one more. */
export type CountedBefore = Omit<Counted, 'lastVisit'>

/** A page's counts after one more visit. */
export function afterVisit(
  before: CountedBefore,
  visit: Pick<VisitRecord, 'at' | 'outcome' | 'status'>,
): Counted {
  const { at, outcome, status } = visit
  const seen = succeeded(outcome)
  const changed = outcome === 'changed'
  return {
    lastVisit: { at, outcome, status },
    lastSeen: seen ? at : before.lastSeen,
    lastChange: changed ? at : before.lastChange,
    visits: before.visits + 1,
    changes: before.changes + (changed ? 1 : 0),
    failing: seen || outcome === 'gone' ? 0 : before.failing + 1,
    gone: seen ? 0 : before.gone + (outcome === 'gone' ? 1 : 0),
  }
}

/** A page that was never visited. */
export const neverVisited: Counted = {
  lastVisit: null,
  lastSeen: null,
  lastChange: null,
  visits: 0,
  changes: 0,
  failing: 0,
  gone: 0,
}
