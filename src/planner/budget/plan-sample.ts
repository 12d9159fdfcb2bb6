import type { PageRecord } from '../../model/page.js'
import type { Store } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import { usualLimits } from '../../policies/limits.js'
import type { AutoPlanners } from '../collection/planners.js'
import { isKeptOnly } from '../collection/replan.js'
import { isOutOfReach, runningGap, shortestOwnGap } from '../collection/statistics.js'
import { noChance } from '../learned-step.js'
import { firstStep, type Planner } from '../step.js'
import type { PlanPage } from '../value/planned-page.js'
import { GuaranteeCount, type Guarantees, scaledGuarantees } from './guarantees.js'

/** Pages for a plan of the budget. */
export interface PlanSample {
  readonly pages: readonly PlanPage[]
  /** Pages that are followed, those of them that were never visited, those whose visits never brought content, and those with policies of their own. */
  readonly of: number
  readonly unseen: number
  readonly withoutContent: number
  readonly ownPolicies: number
  /** What was guaranteed to pages that can be reached. */
  readonly promises: Guarantees
  /** Pages that were read; where these are fewer than `of`, the counts are estimates from them. */
  readonly counted: number
}

export interface SampleParts {
  readonly store: Store
  readonly collection: string
  readonly planners: AutoPlanners
  readonly ownPlanner: (page: PageRecord) => Planner | null
  readonly now: UnixSeconds
  readonly size: number
  /** Awaited between slices. */
  readonly pause?: () => Promise<void>
}

const slice = 250
/** Pages that are read for a plan: a million would take minutes. */
const mostRead = 20_000

/**
 * An even sample of a collection's pages, with what is known of each. Reads
 * all pages, or an even part of them where they are many, and keeps `size`.
 */
export async function planSample(parts: SampleParts): Promise<PlanSample> {
  const { store, collection, planners, ownPlanner, now, size, pause } = parts
  const all = await store.countPages({ collection })
  const share = Math.min(1, Math.max(mostRead, size) / all)
  const stride = Math.max(1, Math.ceil((all * share) / size))
  const pages: PlanPage[] = []
  const counted = new GuaranteeCount()
  let [read, of, unseen, withoutContent, ownPolicies] = [0, 0, 0, 0, 0]
  let after: string | undefined
  do {
    const next = after === undefined ? {} : { after }
    const part = share < 1 ? { share } : {}
    const list = await store.listPages({ collection, limit: slice, ...part, ...next })
    read += list.pages.length
    for (const page of list.pages) {
      if (isKeptOnly(page)) continue
      const planner = ownPlanner(page)
      const ownGap = planner === null ? null : gapOfOwn(page, { planner, now })
      if (page.lastVisit === null) unseen++
      else if (page.lastSeen === null) withoutContent++
      if (planner !== null) ownPolicies++
      if (!isOutOfReach(page)) {
        if (planner === null) counted.addFollower(page.url, planners.guaranteedGap(page))
        else counted.addOwn(page.url, ownGap)
      }
      if (of++ % stride !== 0) continue
      const planned = planners.planPage(page, now)
      pages.push(planner === null ? planned : { ...planned, ownGap: ownGap ?? usualLimits.maxGap })
    }
    after = list.next ?? undefined
    await pause?.()
  } while (after !== undefined)
  const scale = share < 1 && read > 0 ? all / read : 1
  const scaled = (count: number) => Math.round(count * scale)
  return {
    pages,
    of: scaled(of),
    unseen: scaled(unseen),
    withoutContent: scaled(withoutContent),
    ownPolicies: scaled(ownPolicies),
    promises: scaledGuarantees(counted.promises, scale),
    counted: of,
  }
}

/** The gap that a page with a policy of its own is in, or would be in after its first visit; null where none is planned. */
function gapOfOwn(
  page: PageRecord,
  { planner, now }: { readonly planner: Planner; readonly now: UnixSeconds },
): number | null {
  if (page.lastSeen !== null) return runningGap(page, { shortest: shortestOwnGap })
  const { at } = firstStep(planner, { at: now }, noChance).due
  return at === 'never' ? null : Math.max(shortestOwnGap, at - now)
}
