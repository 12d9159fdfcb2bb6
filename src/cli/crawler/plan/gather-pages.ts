import { type AutoMinds, isKeptOnly, type Mind, runningGap } from '../../../engine/index.js'
import type { PageRecord, Store, UnixSeconds } from '../../../model/index.js'
import { type PlanPage, usualLimits } from '../../../schedule/index.js'
import { listed } from '../pages/list-command.js'

export interface PlanSample {
  readonly pages: readonly PlanPage[]
  /** Pages that are followed, and those of them that were never seen. */
  readonly of: number
  readonly unseen: number
}

/** An even sample of a collection's pages, with what is believed of each. Reads them all, keeps `size`. */
export async function gatherPages(
  store: Store,
  about: {
    readonly collection: string
    readonly minds: AutoMinds
    readonly ownMind: (page: PageRecord) => Mind | null
    readonly now: UnixSeconds
    readonly size: number
  },
): Promise<PlanSample> {
  const { collection, minds, ownMind, now, size } = about
  const all = await store.countPages({ collection })
  const stride = Math.max(1, Math.ceil(all / size))
  const pages: PlanPage[] = []
  let [of, unseen] = [0, 0]
  for await (const page of listed(store, { filter: { collection } })) {
    if (isKeptOnly(page)) continue
    if (page.lastSeen === null) unseen++
    if (of++ % stride !== 0) continue
    const plan = minds.planPage(page, now)
    const ownGap = ownMind(page) === null ? null : (runningGap(page) ?? usualLimits.maxGap)
    pages.push({ ...plan, ownGap })
  }
  return { pages, of, unseen }
}
