import type { Due, PageRecord, RandomSource, VisitReport } from '../../model/index.js'
import { type GapLimits, heldLimits, importanceStep } from '../../schedule/index.js'
import type { AutoMinds } from '../auto/auto-minds.js'
import { freshTime } from '../auto/page-belief.js'
import { pageHintsFrom } from '../hints/kept-hints.js'
import type { HostNews } from './host-news.js'
import { isCalled } from './siblings.js'
import { spreadGap } from './spread-gap.js'

export interface PlanParts {
  readonly follows: (page: PageRecord) => boolean
  readonly minds: AutoMinds
  readonly price: () => number
  readonly limitsFor?: (page: PageRecord) => GapLimits
  readonly random: RandomSource
}

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
  const price = parts.price() / importanceStep(page.importance)
  const gap = due.at - visit.at
  const { minds, random } = parts
  const moved = spreadGap(gap, {
    tally: news.tally,
    price,
    limits: heldLimits(parts.limitsFor?.(page) ?? {}),
    random,
    freshTime: (half) => freshTime(page, { minds, at: visit.at, gap: half }),
  })
  if (moved === gap) return due
  const reason = `${due.reason}; moved a little, so that pages of its site take turns`
  return { at: visit.at + moved, reason }
}

function found({ outcome }: VisitReport['visit']): string {
  return outcome === 'changed' ? 'changed when looked at' : 'unchanged when looked at'
}
