import { type Ageing, weibullGaps } from '../../estimate/index.js'
import type { RecordedChanges } from '../../model/index.js'
import { quantile } from '../../numeric/index.js'
import { spreadBack } from '../../simulate/index.js'

/** Of one source, or of all: how many pages follow which kind of law. */
export interface AgeingShares {
  readonly source: string
  /** Pages with changes enough for a fit, and those without. */
  readonly pages: number
  readonly unfitted: number
  readonly NWU: number
  readonly NBU: number
  readonly memoryless: number
  /** Null where no page could be fitted. */
  readonly medianShape: number | null
}

/** Shares over all pages first, then by source in the order they come. */
export function ageingShares(
  recorded: readonly RecordedChanges[],
  options: { readonly seed: number },
): AgeingShares[] {
  const bySource = new Map<string, RecordedChanges[]>()
  for (const each of recorded)
    bySource.set(each.source, [...(bySource.get(each.source) ?? []), each])
  const all = sharesOf('all', recorded, options)
  return bySource.size < 2
    ? [all]
    : [all, ...[...bySource].map(([source, pages]) => sharesOf(source, pages, options))]
}

function sharesOf(
  source: string,
  pages: readonly RecordedChanges[],
  options: { readonly seed: number },
): AgeingShares {
  const shapes: number[] = []
  const count: Record<Ageing, number> = { NWU: 0, NBU: 0, memoryless: 0 }
  for (const page of pages) {
    const fit = fitOf(page, options)
    if (fit.kind === 'none') continue
    shapes.push(fit.shape)
    count[fit.ageing]++
  }
  const fitted = shapes.length
  const share = (number: number) => (fitted > 0 ? number / fitted : 0)
  return {
    source,
    pages: fitted,
    unfitted: pages.length - fitted,
    NWU: share(count.NWU),
    NBU: share(count.NBU),
    memoryless: share(count.memoryless),
    medianShape: fitted > 0 ? quantile(shapes, 0.5) : null,
  }
}

/** The record starts at an update of its own, so the first gap counts; the last is open. */
function fitOf(
  page: RecordedChanges,
  options: { readonly seed: number },
): ReturnType<typeof weibullGaps> {
  const times = [page.from, ...spreadBack(page, options)]
  const gaps = times.slice(1).map((at, i) => at - times[i]!)
  return weibullGaps(gaps, { open: Math.max(0, page.until - times.at(-1)!) })
}
