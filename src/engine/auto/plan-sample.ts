import type { PageRecord, Store, UnixSeconds } from '../../model/index.js'
import { runningGap, shortestOwnGap } from '../../planner/index.js'
import { type PlanPage, usualLimits } from '../../schedule/index.js'
import type { Mind } from '../step.js'
import type { AutoMinds } from './auto-minds.js'
import { isKeptOnly } from './waiting-page.js'

/** Pages for a plan of the budget. */
export interface PlanSample {
  readonly pages: readonly PlanPage[]
  /** Pages that are followed, those of them that were never seen, and those with policies of their own. */
  readonly of: number
  readonly unseen: number
  readonly ownPolicies: number
}

export interface SampleParts {
  readonly store: Store
  readonly collection: string
  readonly minds: AutoMinds
  readonly ownMind: (page: PageRecord) => Mind | null
  readonly now: UnixSeconds
  readonly size: number
  /** Awaited between slices. */
  readonly pause?: () => Promise<void>
}

const slice = 250

/** An even sample of a collection's pages, with what is believed of each. Reads them all, keeps `size`. */
export async function planSample(parts: SampleParts): Promise<PlanSample> {
  const { store, collection, minds, ownMind, now, size, pause } = parts
  const all = await store.countPages({ collection })
  const stride = Math.max(1, Math.ceil(all / size))
  const pages: PlanPage[] = []
  let [of, unseen, ownPolicies] = [0, 0, 0]
  let after: string | undefined
  do {
    const next = after === undefined ? {} : { after }
    const list = await store.listPages({ collection, limit: slice, ...next })
    for (const page of list.pages) {
      if (isKeptOnly(page)) continue
      const own = ownMind(page) !== null
      if (page.lastSeen === null) unseen++
      if (own) ownPolicies++
      if (of++ % stride !== 0) continue
      const planned = minds.planPage(page, now)
      pages.push(
        own
          ? {
              ...planned,
              ownGap: runningGap(page, { shortest: shortestOwnGap }) ?? usualLimits.maxGap,
            }
          : planned,
      )
    }
    after = list.next ?? undefined
    await pause?.()
  } while (after !== undefined)
  return { pages, of, unseen, ownPolicies }
}
