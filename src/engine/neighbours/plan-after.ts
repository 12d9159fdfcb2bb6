import type { Due, PageRecord, RandomSource, VisitReport } from '../../model/index.js'
import { newsWeight, type SiteNews, scoutingGap } from '../../planner/index.js'
import { type GapLimits, heldLimits } from '../../schedule/index.js'

export interface PlanParts {
  readonly follows: (page: PageRecord) => boolean
  readonly limitsFor?: (page: PageRecord) => GapLimits
  readonly random: RandomSource
}

/**
 * When a page of a site is due after a visit that saw it: where the site's
 * news are followed, plans are spread and some pages look out for the next
 * news (`scoutingGap`). Otherwise as it was.
 */
export function planAfter(
  { visit, due }: VisitReport,
  {
    page,
    news,
    parts,
  }: { readonly page: PageRecord; readonly news: SiteNews; readonly parts: PlanParts },
): Due {
  const weight = newsWeight(news)
  if (due.at === 'never' || weight === 0 || !parts.follows(page)) return due
  const gap = due.at - visit.at
  const limits = heldLimits(parts.limitsFor?.(page) ?? {})
  const moved = scoutingGap(gap, { weight, limits, random: parts.random })
  if (moved === gap) return due
  const reason = `${due.reason}; moved, so that pages of its site take turns`
  return { at: visit.at + moved, reason }
}
