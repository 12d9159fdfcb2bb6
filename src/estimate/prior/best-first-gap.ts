import { DAY, HOUR, OptionError, type Seconds } from '../../model/index.js'
import { median, type Random } from '../../numeric/index.js'
import { GrowingMle } from './growing-mle.js'
import { newPageErrors } from './new-page-deviation.js'

export interface FirstGapOptions {
  /** True change periods of likely pages, such as 1000 drawn from the collection's law. */
  readonly changePeriods: ArrayLike<Seconds>
  /** First gaps to try; every six hours up to 25 days unless said. */
  readonly firstGaps?: ArrayLike<Seconds>
  /** How many first visits count; 5 unless said. */
  readonly visits?: number
  /** The next gap as a share of the estimated change period; 0.8 unless said. */
  readonly gapShare?: number
  readonly random: Random
}

export interface FirstGapPoint {
  readonly firstGap: Seconds
  /** Median absolute deviation over all pages and all of the first visits. */
  readonly deviation: Seconds
}

export interface FirstGapCurve {
  readonly curve: readonly FirstGapPoint[]
  readonly best: FirstGapPoint
}

/**
 * The first gap after which the irregular MLE of a new page comes nearest to
 * the truth over its first five visits, and the whole curve of Figure 4.
 *
 * A gap of 0 shows nothing and is left out. Read as the median over pages and
 * visits together; the paper does not say how it joins the five. Every first
 * gap meets the same random numbers, so the curve is smooth enough to compare.
 *
 * Grimes & Ford 4.2. O(first gaps x pages x visits) fits.
 */
export function bestFirstGap(options: FirstGapOptions): FirstGapCurve {
  const { changePeriods, visits = 5, gapShare = 0.8 } = options
  const replay = drawn(options.random, { count: changePeriods.length * visits })
  const curve = Array.from(options.firstGaps ?? sixHourly(), (firstGap) => {
    if (!(firstGap > 0 && firstGap < Infinity)) {
      throw new OptionError('bad-gap', `first gaps are positive durations; got ${firstGap}`)
    }
    const newPage = () => new GrowingMle({ firstPeriod: firstGap })
    const random = replay()
    const errors = newPageErrors({ changePeriods, newPage, visits, gapShare, firstGap, random })
    return { firstGap, deviation: median(pooled(errors.slice(1))) }
  })
  if (curve.length === 0 || !(visits >= 1)) {
    throw new OptionError('bad-gap', 'needs at least one first gap and one visit')
  }
  const best = curve.reduce((least, each) => (each.deviation < least.deviation ? each : least))
  return { curve, best }
}

/** Random numbers drawn once, to be met again from the start on every call. */
function drawn(random: Random, { count }: { count: number }): () => { uniform: () => number } {
  const numbers = Float64Array.from({ length: count }, () => random.uniform())
  return () => {
    let next = 0
    return { uniform: () => numbers[next++]! }
  }
}

function sixHourly(): Seconds[] {
  return Array.from({ length: (25 * DAY) / (6 * HOUR) }, (_, i) => (i + 1) * 6 * HOUR)
}

function pooled(parts: readonly Float64Array[]): Float64Array {
  const size = parts[0]?.length ?? 0
  const all = new Float64Array(size * parts.length)
  parts.forEach((part, i) => {
    all.set(part, i * size)
  })
  return all
}
