import type { History, Observation, Start } from '../../src/model/history.js'

/** A page's past as the API tells it. */
export interface HistoryAnswer {
  readonly start: Start | null
  readonly observations: readonly Observation[]
}

/** The same as the estimators take it; null where the page was never seen. */
export function historyIn({ start, observations }: HistoryAnswer): History | null {
  return start === null ? null : { start, observations }
}
