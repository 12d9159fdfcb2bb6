import { auto } from '../estimate/index.js'
import { historyOf, type PageRecord, type Seconds, type Store } from '../model/index.js'
import { believedPeriod } from './believed-period.js'
import type { Mind } from './step.js'

/** Enough to tell a period by; reading more would make lists of pages slow. */
const newestVisits = 1000

/**
 * The change period of a page as people and programs are told it: what its
 * learner believes, or an estimate from the recorded visits where this learner
 * knows nothing of the page, or its policy has none. Null where nothing is known.
 */
export async function toldPeriod(
  store: Pick<Store, 'visitsOf'>,
  { mind, page }: { readonly mind: Mind; readonly page: PageRecord },
): Promise<Seconds | null> {
  const believed = believedPeriod(mind, page)
  return believed ?? (await estimatedPeriod(store, page))
}

/** By the recorded visits alone; some milliseconds of work. */
export async function estimatedPeriod(
  store: Pick<Store, 'visitsOf'>,
  page: PageRecord,
): Promise<Seconds | null> {
  if (page.visits < 2) return null
  const history = historyOf(await store.visitsOf(page, { newest: newestVisits }))
  return history === null ? null : auto.estimate(history).changePeriod
}
