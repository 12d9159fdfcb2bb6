import { changedBy, lawInWords, memoryOf } from '../../estimate/index.js'
import type { History, PageRecord, UnixSeconds } from '../../model/index.js'
import type { AutoMinds } from './auto-minds.js'

/** What the default believes of a page that was compared at least once. */
export interface PageBelief {
  /** The law, in words. */
  readonly law: string
  /** Chance that the page has changed since it was last seen. */
  readonly changedByNow: number
}

/**
 * From the numbers in the page's row, or from its visits where another policy
 * follows it; null where it was not compared yet.
 */
export async function pageBelief(
  page: PageRecord,
  about: {
    readonly minds: AutoMinds
    /** Asked for where the row does not tell. */
    readonly history: () => Promise<History | null>
    readonly now: UnixSeconds
  },
): Promise<PageBelief | null> {
  const { minds, history, now } = about
  const { lastSeen, visits } = page
  if (lastSeen === null || visits < 2) return null
  const learner = minds.learnerFor(page)
  const memory = minds.memoryOf(page) ?? memoryIn(await history(), learner)
  if (memory === null) return null
  const belief = learner.belief(memory)
  const { clock } = learner.law
  return { law: lawInWords(belief), changedByNow: changedBy(belief, { clock, lastSeen, now }) }
}

function memoryIn(
  history: History | null,
  learner: ReturnType<AutoMinds['learnerFor']>,
): Float64Array | null {
  if (history === null || history.observations.length === 0) return null
  return memoryOf(history, learner)
}
