import { type Bands, boundsAt } from '../../../estimators/law/bands.js'
import type { LawBounds } from '../../../estimators/law/law-bounds.js'
import { csvField } from '../../../formats/csv-table.js'
import type { PageDistribution } from './page-distribution.js'

const mostPoints = 200

/** The laws of a page for a program: points of each curve, at most 200; x in seconds. */
export function distributionJson(page: PageDistribution): object {
  const { contentAges, ageing, lock, flat } = page
  const { method, verdict, target, samples } = contentAges
  return {
    method,
    ...(page.choice.fivePoint ? { law: 'five-point' } : {}),
    verdict,
    target,
    samples,
    contentAges:
      contentAges.kind === 'none'
        ? null
        : {
            shape: contentAges.curve.shape,
            ...points(contentAges.curve),
            bounds: bandsJson(page.contentAgeBands),
          },
    updateGaps: updateGapsJson(page),
    ...(flat === null ? {} : { flatRegion: flat }),
    ageing,
    phaseLock: lock,
  }
}

/** The law of update gaps, or why there is none and what is known all the same. */
function updateGapsJson({ updateGaps, updateGapBounds, identifiable }: PageDistribution): object {
  if (updateGaps.kind === 'law')
    return {
      by: updateGaps.by,
      changePeriod: updateGaps.changePeriod,
      changeRate: updateGaps.changeRate,
      changePeriodBounds: periodJson(updateGapBounds),
      ...points(updateGaps),
      bounds: lawBoundsJson(updateGapBounds),
      caution: updateGaps.caution,
    }
  if (updateGaps.why !== 'not-identifiable' || identifiable.kind === 'identifiable')
    return { why: updateGaps.why }
  const { words, why: because, gap } = identifiable
  return {
    why: updateGaps.why,
    because,
    gap,
    words,
    changePeriodAtMost: updateGapBounds.kind === 'none' ? null : updateGapBounds.changePeriod.high,
    atLeast: atLeastJson(updateGapBounds),
  }
}

function points({ x, cdf }: { x: Float64Array; cdf: Float64Array }) {
  const every = Math.max(1, Math.ceil(x.length / mostPoints))
  const kept = Array.from(x.keys()).filter((i) => i % every === 0 || i === x.length - 1)
  return { x: kept.map((i) => x[i]!), cdf: kept.map((i) => cdf[i]!) }
}

function bandsJson(bands: Bands): object | null {
  if (bands.kind === 'none') return null
  const { x, low, high, level } = bands
  return { level, x: Array.from(x), low: Array.from(low), high: Array.from(high) }
}

function lawBoundsJson(bounds: LawBounds): object | null {
  if (bounds.kind === 'none') return null
  const { x, low, high, level } = bounds
  return { level, x: Array.from(x), low: Array.from(low), high: Array.from(high) }
}

function atLeastJson(bounds: LawBounds): object | null {
  if (bounds.kind === 'none') return null
  const { x, low, level } = bounds
  return { level, x: Array.from(x), cdf: Array.from(low) }
}

/** `low: 0` where nothing limits how fast the page may change. */
function periodJson(bounds: LawBounds): object | null {
  if (bounds.kind === 'none') return null
  return { ...bounds.changePeriod, level: bounds.level }
}

export const distributionCsvHead = 'url,method,law,x,cdf,low,high,level'

/**
 * The same as lines of CSV, one a point: `law` is content-ages or update-gaps;
 * a law that is not identifiable has bounds from below and no cdf.
 */
export function distributionCsv(url: string, page: PageDistribution): string[] {
  const { contentAges, contentAgeBands, updateGaps, updateGapBounds, choice } = page
  const name = choice.method === undefined && !choice.fivePoint ? contentAges.method : choice.name
  const lead = (law: string) => `${csvField(url)},${name},${law}`
  const lines: string[] = []
  if (contentAges.kind === 'curve') {
    const { x, cdf } = points(contentAges.curve)
    x.forEach((at, i) => {
      lines.push(`${lead('content-ages')},${at},${cdf[i]},${edges(contentAgeBands, at)}`)
    })
  }
  if (updateGaps.kind === 'law') {
    const { x, cdf } = points(updateGaps)
    x.forEach((at, i) => {
      lines.push(`${lead('update-gaps')},${at},${cdf[i]},${edges(updateGapBounds, at)}`)
    })
  } else if (updateGaps.why === 'not-identifiable' && updateGapBounds.kind === 'bounds') {
    const { x, low, level } = updateGapBounds
    x.forEach((at, i) => {
      lines.push(`${lead('update-gaps')},${at},,${low[i]},,${level}`)
    })
  }
  return lines
}

function edges(known: Bands | LawBounds, at: number): string {
  if (known.kind === 'none') return ',,'
  const { low, high } = boundsAt(known, at)
  return `${low},${high},${known.level}`
}
