import {
  DAY,
  type Due,
  MINUTE,
  type PageRecord,
  type RandomSource,
  type VisitReport,
} from '../../model/index.js'
import { worthNewsVisit } from '../../schedule/auto/neighbour-news.js'
import { type GapLimits, importanceStep } from '../../schedule/index.js'
import { pageHintsFrom } from '../hints/kept-hints.js'
import type { HostNews } from './host-news.js'
import { isCalled } from './siblings.js'

export interface PlanParts {
  readonly follows: (page: PageRecord) => boolean
  readonly price: () => number
  readonly limitsFor?: (page: PageRecord) => GapLimits
  readonly random: RandomSource
}

/** Plans are moved by up to this share of their gap: no further than a plan made anew would leave them. */
const spread = 0.25

/**
 * When a page of a site with news is due after a visit that saw it. A visit
 * that a neighbour called for is one more: the plan that was there stays, for
 * if all siblings planned anew from there, all would come at one time for ever
 * and none would see the next change early. For the same reason, where news
 * are worth following, plans of the site are spread. Otherwise as it was.
 */
export function planAfter(
  { visit, due }: VisitReport,
  {
    page,
    news,
    parts,
  }: { readonly page: PageRecord; readonly news: HostNews; readonly parts: PlanParts },
): Due {
  const { planned } = pageHintsFrom(page.hints)
  if (isCalled(page) && planned !== undefined && planned > visit.at)
    return { at: planned, reason: `${found(visit)} on news of its site; its own plan stays` }
  if (due.at === 'never' || !parts.follows(page)) return due
  const gap = due.at - visit.at
  const price = parts.price() / importanceStep(page.importance)
  if (!worthNewsVisit(news.tally, { untilDue: gap / 2, price })) return due
  const { minGap = 10 * MINUTE, maxGap = 90 * DAY } = parts.limitsFor?.(page) ?? {}
  const moved = gap * (1 + spread * (2 * parts.random.uniform() - 1))
  const at = visit.at + Math.min(maxGap, Math.max(minGap, moved))
  return { at, reason: `${due.reason}; moved a little, so that pages of its site take turns` }
}

function found({ outcome }: VisitReport['visit']): string {
  return outcome === 'changed' ? 'changed when looked at' : 'unchanged when looked at'
}
