import { type Mind, unpackState } from '../../../engine/index.js'
import { auto } from '../../../estimate/index.js'
import { historyOf, type PageRecord, type Seconds, type Store } from '../../../model/index.js'
import { Random } from '../../../numeric/index.js'

/** A state needs one; nothing is drawn here. */
const noChance = new Random(0)

/**
 * The change period that the page's learner believes in, from the numbers in
 * its row: costs nothing beside an estimate from the whole history. Null
 * before there is any.
 */
export function believedPeriod(mind: Mind, page: PageRecord): Seconds | null {
  const state = unpackState(mind, page, noChance)
  if (state === null || mind.learner === null || state.visits < 2) return null
  const period = mind.learner.changePeriod(state.memory)
  return period > 0 && Number.isFinite(period) ? period : null
}

/** The same, or an estimate from the recorded visits where this learner knows nothing of the page. */
export async function toldPeriod(
  store: Store,
  { mind, page }: { readonly mind: Mind; readonly page: PageRecord },
): Promise<Seconds | null> {
  const believed = believedPeriod(mind, page)
  if (believed !== null || page.visits < 2) return believed
  const history = historyOf(await store.visitsOf(page))
  return history === null ? null : auto.estimate(history).changePeriod
}
