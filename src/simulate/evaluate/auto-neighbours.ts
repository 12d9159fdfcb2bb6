import type { Seconds } from '../../model/index.js'
import { worthNewsVisit } from '../../schedule/index.js'
import type { AutoGroup } from './auto-group.js'
import { type AutoPages, newsTime, stages } from './auto-pages.js'

/** Siblings follow one after another, not all at once. */
const newsStep = 60

interface Day {
  readonly group: AutoGroup
  readonly evening: Seconds
  readonly price: number
}

/** The day's visits of a group in order of time, so that one page's change may call for another. */
export function visitTogether(pages: AutoPages, day: Day): void {
  const { group, evening } = day
  for (const page of group.pages) pages.beginBy(page, evening)
  for (let page = nextOf(pages, day); page >= 0; page = nextOf(pages, day)) {
    const at = pages.due[page]!
    if (pages.visit(page)) spread(pages, { ...day, page, at })
  }
  for (const page of group.pages) pages.endBy(page, evening)
}

/** The page that is due first before the evening, or -1. */
function nextOf({ due, stage, collection }: AutoPages, { group, evening }: Day): number {
  let [next, first] = [-1, evening]
  for (const page of group.pages) {
    const at = due[page]!
    if (stage[page] !== stages.followed || !(at < first) || at >= collection.until[page]!) continue
    ;[next, first] = [page, at]
  }
  return next
}

/** Tells a change to the siblings; those for which it is worth it are visited, once for each news. */
function spread(
  { due, stage }: AutoPages,
  { group, price, page, at }: Day & { page: number; at: Seconds },
): void {
  if (at - group.newsAt < newsTime) return
  group.newsAt = at
  let moment = at
  for (const sibling of group.pages) {
    const untilDue = due[sibling]! - at
    if (sibling === page || stage[sibling] !== stages.followed) continue
    if (!worthNewsVisit(group.news, { untilDue, price })) continue
    moment += newsStep
    due[sibling] = Math.min(due[sibling]!, moment)
  }
}
