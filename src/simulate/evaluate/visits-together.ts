import type { Seconds } from '../../model/index.js'
import type { AutoGroup } from './auto-group.js'
import { type AutoPages, stages } from './auto-pages.js'

interface Day {
  readonly group: AutoGroup
  readonly evening: Seconds
}

/** The day's visits of a group in order of time, so that one page's change may call for another. */
export function visitTogether(pages: AutoPages, day: Day): void {
  const { group, evening } = day
  for (const page of group.pages) pages.beginBy(page, evening)
  for (let page = nextOf(pages, day); page >= 0; page = nextOf(pages, day)) pages.visit(page)
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
