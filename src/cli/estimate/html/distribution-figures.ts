import type { Bands } from '../../../estimate/index.js'
import type { PerSecond } from '../../../model/index.js'
import type { DistributionChart } from '../../../report/index.js'
import { hasLaw, type PageDistribution } from '../distribution/page-distribution.js'

/** The age distribution and the law of update gaps, as far as they are known. */
export function distributionFigures(
  page: PageDistribution,
  { changeRate }: { readonly changeRate: PerSecond | null },
): DistributionChart[] {
  const { contentAges, updateGaps } = page
  const poisson = changeRate === null ? {} : { poisson: changeRate }
  const figures: DistributionChart[] = []
  if (hasLaw(contentAges))
    figures.push({
      title: 'How old the content is',
      subtitle: `The share of time for which it is at most so old, by ${contentAges.method}`,
      xTitle: 'time since the last change',
      name: 'this page',
      curve: contentAges.curve,
      ...bandOf(page.contentAgeBands),
      ...poisson,
    })
  if (updateGaps.kind === 'law' && hasLaw(contentAges))
    figures.push({
      title: 'How long it stays unchanged',
      subtitle: 'The share of times between two changes that are at most so long',
      xTitle: 'time from one change to the next',
      name: 'this page',
      curve: { ...updateGaps, shape: 'line' },
      ...bandOf(page.updateGapBands),
      ...poisson,
    })
  return figures
}

function bandOf(bands: Bands): Pick<DistributionChart, 'band'> {
  return bands.kind === 'none' ? {} : { band: bands }
}
