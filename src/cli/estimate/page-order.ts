import type { PageHistories } from '../../formats/index.js'
import { periodRange, type Seconds, type ShownEstimate } from '../../model/index.js'
import { pageEstimate } from './page-estimate.js'
import type { EstimateSettings, Order } from './settings.js'

/**
 * The pages in the order to show them: as in the log, or by URL, by change
 * period (the fastest first, those without one last) or by changes (the most
 * first). Holds one number a page; periods are estimated here and once more
 * when they are shown, which costs time rather than memory.
 */
export function pageOrder(
  histories: PageHistories,
  settings: EstimateSettings,
): Iterable<number> & { readonly length: number } {
  const pages = Uint32Array.from({ length: histories.pages }, (_, page) => page)
  if (settings.order === undefined) return pages
  if (settings.order === 'url') return byUrl(histories, pages)
  const keys = sortKeys(histories, { order: settings.order, settings })
  return pages.sort((a, b) => keys[a]! - keys[b]! || a - b)
}

function byUrl(histories: PageHistories, pages: Uint32Array): Uint32Array {
  const urls = Array.from(pages, (page) => histories.url(page))
  return pages.sort((a, b) => (urls[a]! < urls[b]! ? -1 : urls[a]! > urls[b]! ? 1 : 0))
}

function sortKeys(
  histories: PageHistories,
  { order, settings }: { order: Order; settings: EstimateSettings },
): Float64Array {
  const keys = new Float64Array(histories.pages)
  const estimator = settings.estimators[0]!
  for (let page = 0; page < keys.length; page++) {
    const history = histories.history(page)
    const estimate = pageEstimate(history, { estimator, level: settings.level })
    // Finite, since a difference of infinities would be no order.
    const last = Number.MAX_VALUE
    keys[page] = order === 'period' ? (periodOf(estimate) ?? last) : -estimate.evidence.changes
  }
  return keys
}

/** The period to put a page in order by: of one that changed at every visit the longest that may be. */
function periodOf({ changePeriod, verdict, bounds }: ShownEstimate): Seconds | null {
  return verdict === 'always-changed' ? periodRange(bounds).longest : changePeriod
}
