import { historyOf } from '../model/history.js'
import type { PageRecord } from '../model/page.js'
import type { Store } from '../model/store.js'
import type { Seconds } from '../model/units.js'
import { noChance, unpackState } from './learned-step.js'
import { auto } from './posterior/learner.js'
import { posteriorQuantile } from './posterior/posterior.js'
import type { Planner } from './step.js'

/**
 * The change period that the page's learner has learned, from the numbers in
 * its row: costs nothing beside an estimate from the whole history. Of the
 * default it is the median, as its estimates tell it. Null before there is any.
 */
export function learnedPeriod(planner: Planner, page: PageRecord): Seconds | null {
  const state = unpackState(planner, page, noChance)
  if (state === null || planner.learner === null || state.visits < 2) return null
  const posterior = planner.learner.posterior?.(state.memory)
  const period =
    posterior === undefined
      ? planner.learner.changePeriod(state.memory)
      : 1 / posteriorQuantile(posterior, 0.5)
  return period > 0 && Number.isFinite(period) ? period : null
}

/** Enough to tell a period by; reading more would make lists of pages slow. */
const newestVisits = 1000

/**
 * The change period of a page as people and programs are given it: what its
 * learner knows, or an estimate from the recorded visits where this learner
 * knows nothing of the page, or its policy has none. Null where nothing is known.
 */
export async function knownPeriod(
  store: Pick<Store, 'visitsOf'>,
  { planner, page }: { readonly planner: Planner; readonly page: PageRecord },
): Promise<Seconds | null> {
  const learned = learnedPeriod(planner, page)
  return learned ?? (await estimatedPeriod(store, page))
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
