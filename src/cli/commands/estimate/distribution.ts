import { type AgeingTest, ageingMeaning, ageingOfHistory } from '../../../estimators/law/ageing.js'
import { type Bands, bands, boundsAt, lawBands } from '../../../estimators/law/bands.js'
import { concaveLaw } from '../../../estimators/law/concave-law.js'
import {
  cdfAt,
  type DistributionEstimate,
  type DistributionMethod,
} from '../../../estimators/law/distribution.js'
import { m2 } from '../../../estimators/law/m1-m2.js'
import { m6 } from '../../../estimators/law/m6.js'
import { type PhaseLock, phaseLock } from '../../../estimators/law/phase-lock.js'
import { type UpdateLaw, updateGapCdf } from '../../../estimators/law/update-law.js'
import { trendOf } from '../../../estimators/trend/trend-of.js'
import { pageSummary } from '../../../lab/report/page-summary.js'
import { humanDuration } from '../../../model/duration.js'
import type { Estimate } from '../../../model/estimate.js'
import type { History } from '../../../model/history.js'
import { DAY, HOUR, MINUTE, MONTH, type Seconds, WEEK, YEAR } from '../../../model/units.js'
import { Random } from '../../../numeric/random.js'
import type { TextOutput } from '../../environment.js'
import { pageEstimate } from '../../text/estimate.js'
import { percent } from '../../text/numbers.js'
import { columns, tableText } from '../../text/table.js'
import { terminalChart } from '../../text/terminal-chart.js'
import type { EstimateSettings } from './options.js'
import { lastChange, type PageWriter, pageBlock, wrappedLines } from './page-writer.js'
import { isMoving } from './trend.js'

/** What a history tells about the whole law of a page's changes. */
export interface PageDistribution {
  /** The age distribution: the share of time for which the content is at most so old. */
  readonly contentAges: DistributionEstimate
  readonly contentAgeBands: Bands
  /** The law of update gaps fitted to it. */
  readonly updateGaps: UpdateLaw
  readonly updateGapBands: Bands
  readonly ageing: AgeingTest
  readonly lock: PhaseLock
}

/**
 * Whether there is a curve that tells something: one fitted to visits that
 * always, or never, found a change is a straight line or a flat one.
 */
export function hasLaw(
  contentAges: DistributionEstimate,
): contentAges is Extract<DistributionEstimate, { kind: 'curve' }> {
  const { kind, verdict } = contentAges
  return kind === 'curve' && verdict !== 'always-changed' && verdict !== 'no-change-seen'
}

/** The bands are sampled with the same numbers every time, so that a report can be made again. */
const seed = 1
/** Values that all bootstrap copies together may look at: about a second's work. */
const budget = 2e7
const fewestCopies = 20

/** All of it for one page. */
export function pageDistribution(
  history: History,
  { level }: { readonly level: number },
): PageDistribution {
  const method = methodFor(history)
  const contentAges = method.estimate(history)
  const updateGaps = concaveLaw(contentAges)
  const copies = Math.min(200, Math.floor(budget / (1 + contentAges.samples)))
  const options = () => ({ random: new Random(seed), level, copies })
  const none: Bands = { kind: 'none', why: 'no-curve' }
  const affordable = copies >= fewestCopies
  return {
    contentAges,
    contentAgeBands: affordable ? bands(history, method, options()) : none,
    updateGaps,
    updateGapBands:
      affordable && updateGaps.kind === 'law' ? lawBands(history, method, options()) : none,
    ageing: ageingOfHistory(history, { level }),
    lock: phaseLock(history),
  }
}

/** M2 where the server tells content ages at half the visits and more, else M6: right at any gaps. */
function methodFor({ start, observations }: History): DistributionMethod {
  const dated = observations.filter(({ contentAge }) => contentAge !== undefined).length
  const all = dated + (start.contentAge === undefined ? 0 : 1)
  return all >= 10 && 2 * all >= observations.length ? m2 : m6
}

const round: readonly Seconds[] = [
  1,
  10,
  ...[1, 10, 30].map((count) => count * MINUTE),
  ...[1, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 4].map((count) => count * DAY),
  ...[1, 2].map((count) => count * WEEK),
  ...[1, 2, 3, 6].map((count) => count * MONTH),
  ...[1, 2, 5, 10].map((count) => count * YEAR),
]
const most = 7

/** Times that a person knows, the longest up to the end, closest to it; the end itself if none. */
function roundTimes(upTo: Seconds): Seconds[] {
  const found = round.filter((time) => time <= upTo).slice(-most)
  return found.length >= 2 ? found : [upTo / 4, upTo / 2, upTo]
}

const movingWords =
  'Quiet spells grow or shrink with the trend, which looks like bursts: the distributions mix what the page was with what it is.'

/**
 * What the law of a page's changes means, in sentences; nothing where too
 * little was seen. A change rate that moves (`moving`) makes any page look bursty.
 */
export function distributionWords(
  { contentAges, ageing, lock }: PageDistribution,
  { moving }: { readonly moving: boolean },
): string[] {
  const kind =
    ageing.kind !== 'test'
      ? []
      : moving && ageing.ageing === 'NWU'
        ? [movingWords]
        : [`${ageingMeaning[ageing.ageing]} (${testWords(ageing)})`]
  return [...kind, ...lockWords(lock), ...cautionOf(contentAges)]
}

/** What to do where visits and changes may keep step. */
export function lockWords({ advice }: PhaseLock): string[] {
  return advice === '' ? [] : [`Visits and changes may keep step: ${advice}.`]
}

function testWords({ chance, samples }: { chance: number; samples: number }): string {
  const shown = chance < 0.001 ? 'under 0.001' : String(Number(chance.toPrecision(2)))
  return `from ${samples} changes; p = ${shown} if changes came at random`
}

function cautionOf({ method, target }: PageDistribution['contentAges']): string[] {
  if (target.law === 'neither') return [`${method}: ${target.biased}.`]
  return [`The age distribution is by ${method}: ${target.caution}.`]
}

/** Why there is no curve, in words. */
function noCurveWords(verdict: string): string {
  const words: Record<string, string> = {
    'no-observation': 'seen less than twice: no distribution to show',
    'no-content-age': 'no Last-Modified: no distribution to show',
    'no-change-seen': 'no change seen: no distribution to show',
    'always-changed': 'a change at every visit: no distribution to show',
    'no-complete-run': 'fewer than two changes seen: no distribution to show',
  }
  return words[verdict] ?? 'no distribution to show'
}

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

/** `--distribution`: the laws of content age and of update gaps, page by page, with a small chart. */
export function distributionWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  const { level } = settings
  return {
    page({ url, history }) {
      const estimate = pageEstimate(history, { estimator: settings.estimators[0]!, level })
      pageBlock(out, { url, summary: pageSummary({ estimate, lastChange: lastChange(history) }) })
      if (history !== null && history.observations.length > 0)
        writeBlock(out, {
          estimate,
          page: pageDistribution(history, { level }),
          moving: isMoving(trendOf(history)),
        })
    },
    end() {},
  }
}

type Curve = Extract<DistributionEstimate, { kind: 'curve' }>

function writeBlock(
  out: TextOutput,
  { estimate, page, moving }: { estimate: Estimate; page: PageDistribution; moving: boolean },
): void {
  const { contentAges } = page
  if (!hasLaw(contentAges)) {
    out.write(`${noCurveWords(contentAges.verdict)}\n`)
    for (const line of lockWords(page.lock)) out.write(wrappedLines(line, out))
    return
  }
  const upTo = endOf(contentAges)
  out.write(`\n${chart(contentAges, { upTo, estimate, out })}\n\n`)
  table(out, { page, contentAges, estimate, upTo })
  for (const line of distributionWords(page, { moving })) out.write(wrappedLines(line, out))
}

/** Where the age distribution has all but a hundredth. */
function endOf({ curve }: Curve): Seconds {
  const last = curve.cdf[curve.cdf.length - 1] ?? 0
  const i = curve.cdf.findIndex((share) => share >= 0.99 * last)
  return curve.x[i < 0 ? curve.x.length - 1 : i] || 1
}

function chart(
  { curve }: Curve,
  { upTo, estimate, out }: { upTo: Seconds; estimate: Estimate; out: TextOutput },
): string {
  const { changeRate } = estimate
  return terminalChart(
    {
      title: 'share of time for which the content is at most so old',
      value: (share) => cdfAt(curve, share * upTo),
      ...(changeRate === null
        ? {}
        : { beside: (share: number) => -Math.expm1(-changeRate * share * upTo) }),
      besideName: 'a Poisson page',
      low: 0,
      high: 1,
      label: (share) => percent(share),
      from: '0',
      to: humanDuration(upTo),
    },
    out,
  )
}

function table(
  out: TextOutput,
  about: { page: PageDistribution; contentAges: Curve; estimate: Estimate; upTo: Seconds },
): void {
  const { page, contentAges, estimate, upTo } = about
  const { updateGaps } = page
  const titles = ['time', '>content at\nmost so old', '\nbounds']
  const rows = roundTimes(upTo).map((time) => [
    humanDuration(time),
    percent(cdfAt(contentAges.curve, time)),
    between(page.contentAgeBands, time),
    updateGaps.kind === 'law' ? percent(updateGapCdf(updateGaps, time)) : '-',
    between(page.updateGapBands, time),
    estimate.changeRate === null ? '-' : percent(-Math.expm1(-estimate.changeRate * time)),
  ])
  const more = ['>update gaps\nup to it', '\nbounds', '>\nPoisson']
  out.write(tableText({ columns: columns(...titles, ...more), rows }, out.columns))
}

function between(bands: Bands, time: Seconds): string {
  if (bands.kind === 'none') return '-'
  const { low, high } = boundsAt(bands, time)
  return `${percent(low)} to ${percent(high)}`
}
