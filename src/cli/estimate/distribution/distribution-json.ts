import type { Bands } from '../../../estimate/index.js'
import type { PageDistribution } from './page-distribution.js'

const mostPoints = 200

/** The same for a program: points of each curve, at most 200; x in seconds. */
export function distributionJson(page: PageDistribution): object {
  const { contentAges, updateGaps, ageing, lock } = page
  const { method, verdict, target, samples } = contentAges
  return {
    method,
    verdict,
    target,
    samples,
    contentAges:
      contentAges.kind === 'none'
        ? null
        : {
            shape: contentAges.curve.shape,
            ...points(contentAges.curve),
            bounds: bounds(page.contentAgeBands),
          },
    updateGaps:
      updateGaps.kind === 'none'
        ? { why: updateGaps.why }
        : {
            by: updateGaps.by,
            changePeriod: updateGaps.changePeriod,
            changeRate: updateGaps.changeRate,
            ...points(updateGaps),
            bounds: bounds(page.updateGapBands),
            caution: updateGaps.caution,
          },
    ageing,
    phaseLock: lock,
  }
}

function points({ x, cdf }: { x: Float64Array; cdf: Float64Array }) {
  const every = Math.max(1, Math.ceil(x.length / mostPoints))
  const kept = Array.from(x.keys()).filter((i) => i % every === 0 || i === x.length - 1)
  return { x: kept.map((i) => x[i]!), cdf: kept.map((i) => cdf[i]!) }
}

function bounds(bands: Bands): object | null {
  if (bands.kind === 'none') return null
  const { x, low, high, level } = bands
  return { level, x: Array.from(x), low: Array.from(low), high: Array.from(high) }
}
