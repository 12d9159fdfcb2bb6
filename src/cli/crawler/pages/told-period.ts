import { believedPeriod, type Mind } from '../../../engine/index.js'
import { rateEstimator } from '../../../estimate/index.js'
import { historyOf, type PageRecord, type Seconds, type Store } from '../../../model/index.js'

/** What the page's learner believes, or an estimate from the recorded visits where this learner knows nothing of the page. */
export async function toldPeriod(
  store: Store,
  { mind, page }: { readonly mind: Mind; readonly page: PageRecord },
): Promise<Seconds | null> {
  const believed = believedPeriod(mind, page)
  if (believed !== null || page.visits < 2) return believed
  const history = historyOf(await store.visitsOf(page))
  return history === null ? null : rateEstimator('irregular-mle').estimate(history).changePeriod
}
