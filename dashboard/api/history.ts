import type { History } from '../../src/model/history.js'
import type { HistoryAnswer } from '../../src/server/pages/visits.js'

/** A page's past as the estimators take it; null where the page was never seen. */
export function historyIn({ start, observations }: HistoryAnswer): History | null {
  return start === null ? null : { start, observations }
}
