import { ageingMeaning } from '../../../estimators/law/ageing.js'
import { type Bands, boundsAt } from '../../../estimators/law/bands.js'
import { cdfAt, type DistributionEstimate } from '../../../estimators/law/distribution.js'
import type { FlatRegion } from '../../../estimators/law/five-point-law.js'
import type { LawBounds } from '../../../estimators/law/law-bounds.js'
import type { PhaseLock } from '../../../estimators/law/phase-lock.js'
import { updateGapCdf } from '../../../estimators/law/update-law.js'
import { trendOf } from '../../../estimators/trend/trend-of.js'
import { pageSummary } from '../../../lab/report/page-summary.js'
import { humanDuration } from '../../../model/duration.js'
import type { Estimate } from '../../../model/estimate.js'
import {
  DAY,
  HOUR,
  MINUTE,
  MONTH,
  percent,
  type Seconds,
  WEEK,
  YEAR,
} from '../../../model/units.js'
import type { TextOutput } from '../../environment.js'
import { pageEstimate } from '../../text/estimate.js'
import { columns, tableText } from '../../text/table.js'
import { terminalChart } from '../../text/terminal-chart.js'
import type { EstimateSettings } from './options.js'
import { hasLaw, type PageDistribution, pageDistribution } from './page-distribution.js'
import { lastChange, type PageWriter, pageBlock, wrappedLines } from './page-writer.js'
import { isMoving } from './trend.js'

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

/** Where to read the curves: at the multiples of the gap where they are known at these only. */
function timesFor({ target, curve }: Curve, upTo: Seconds): Seconds[] {
  if (target.law !== 'Delta-consistent age distribution') return roundTimes(upTo)
  const known = Array.from(curve.x).filter((x) => x <= upTo * (1 + 1e-9))
  if (known.length <= most) return known
  const places = Array.from({ length: most }, (_, i) =>
    Math.round((known.length - 1) ** (i / (most - 1))),
  )
  return [...new Set([0, ...places])].map((i) => known[i]!)
}

const movingWords =
  'Quiet spells grow or shrink with the trend, which looks like bursts: the distributions mix what the page was with what it is.'

/**
 * What the law of a page's changes means, in sentences; nothing where too
 * little was seen. A change rate that moves (`moving`) makes any page look bursty.
 */
export function distributionWords(
  page: PageDistribution,
  { moving }: { readonly moving: boolean },
): string[] {
  return [...identifiableWords(page), ...sharedWords(page, { moving }), ...cautionOf(page)]
}

/** What the visits tell whichever method reads them. */
function sharedWords(
  { ageing, lock }: PageDistribution,
  { moving }: { readonly moving: boolean },
): string[] {
  const kind =
    ageing.kind !== 'test'
      ? []
      : moving && ageing.ageing === 'NWU'
        ? [movingWords]
        : [`${ageingMeaning[ageing.ageing]} (${testWords(ageing)})`]
  return [...kind, ...lockWords(lock)]
}

/** That the visits cannot tell how long the page stays unchanged, and what they tell all the same. */
function identifiableWords(page: PageDistribution): string[] {
  const { identifiable, updateGaps, updateGapBounds } = page
  if (updateGaps.kind === 'law' || updateGaps.why !== 'not-identifiable') return []
  if (identifiable.kind === 'identifiable') return []
  const atMost =
    updateGapBounds.kind === 'none'
      ? ''
      : ` It changes every ${humanDuration(updateGapBounds.changePeriod.high)} on average, or more often.`
  return [`How long it stays unchanged is ${identifiable.words}.${atMost}`]
}

/** What to do where visits and changes may keep step. */
export function lockWords({ advice }: PhaseLock): string[] {
  return advice === '' ? [] : [`Visits and changes may keep step: ${advice}.`]
}

function testWords({ chance, samples }: { chance: number; samples: number }): string {
  const shown = chance < 0.001 ? 'under 0.001' : String(Number(chance.toPrecision(2)))
  return `from ${samples} changes; p = ${shown} if changes came at random`
}

function cautionOf({ contentAges, choice }: PageDistribution): string[] {
  const { method, target } = contentAges
  if (target.law === 'neither')
    return [
      `${method} is biased, so it has no bounds: ${target.biased}. Right where ${target.unbiasedWhen}.`,
    ]
  const law = choice.fivePoint ? ', that of update gaps by five-point derivatives' : ''
  return [`The age distribution is by ${method}${law}: ${target.caution}.`]
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

/** `--distribution`: the laws of content age and of update gaps, page by page, with a small chart. */
export function distributionWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  const { level, distributions } = settings
  return {
    page({ url, history }) {
      const estimate = pageEstimate(history, { estimator: settings.estimators[0]!, level })
      pageBlock(out, { url, summary: pageSummary({ estimate, lastChange: lastChange(history) }) })
      if (history === null || history.observations.length === 0) return
      const pages = distributions.map((choice) => pageDistribution(history, { level, choice }))
      const about = { estimate, moving: isMoving(trendOf(history)) }
      if (pages.length === 1) writeBlock(out, { page: pages[0]!, ...about })
      else writeSideBySide(out, { pages, ...about })
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
  out.write(`\n${chart([page], { upTo, estimate, out })}\n\n`)
  table(out, { page, contentAges, estimate, upTo })
  if (page.flat !== null) flatTable(out, page.flat)
  for (const line of distributionWords(page, { moving })) out.write(wrappedLines(line, out))
}

/** Where the age distribution has all but a hundredth. */
function endOf({ curve }: Curve): Seconds {
  const last = curve.cdf[curve.cdf.length - 1] ?? 0
  const i = curve.cdf.findIndex((share) => share >= 0.99 * last)
  return curve.x[i < 0 ? curve.x.length - 1 : i] || 1
}

function chart(
  pages: readonly PageDistribution[],
  { upTo, estimate, out }: { upTo: Seconds; estimate: Estimate; out: TextOutput },
): string {
  const { changeRate } = estimate
  const curves = pages.flatMap(({ choice, contentAges }) =>
    hasLaw(contentAges)
      ? [{ name: choice.name, value: (at: number) => cdfAt(contentAges.curve, at * upTo) }]
      : [],
  )
  const poisson = {
    name: 'a Poisson page',
    value: (at: number) => -Math.expm1(-(changeRate ?? 0) * at * upTo),
  }
  const [first, ...others] = curves
  return terminalChart(
    {
      title: 'share of time for which the content is at most so old',
      ...(pages.length > 1 ? { name: first!.name } : {}),
      value: first!.value,
      beside: [...others, ...(changeRate === null ? [] : [poisson])],
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
  const titles = ['time', '>content at\nmost so old', '\nbounds']
  const rows = timesFor(contentAges, upTo).map((time) => [
    humanDuration(time),
    percent(cdfAt(contentAges.curve, time)),
    between(page.contentAgeBands, time),
    ...updateGapCells(page, time),
    estimate.changeRate === null ? '-' : percent(-Math.expm1(-estimate.changeRate * time)),
  ])
  const more = ['>update gaps\nup to it', '\nbounds', '>\nPoisson']
  out.write(tableText({ columns: columns(...titles, ...more), rows }, out.columns))
}

function updateGapCells({ updateGaps, updateGapBounds }: PageDistribution, time: Seconds) {
  if (updateGaps.kind === 'law')
    return [percent(updateGapCdf(updateGaps, time)), between(updateGapBounds, time)]
  if (updateGaps.why !== 'not-identifiable' || updateGapBounds.kind === 'none') return ['-', '-']
  return ['-', `at least ${percent(boundsAt(updateGapBounds, time).low)}`]
}

function between(known: Bands | LawBounds, time: Seconds): string {
  if (known.kind === 'none') return '-'
  const { low, high } = boundsAt(known, time)
  return `${percent(low)} to ${percent(high)}`
}

/** The search for the bin width of the five-point law: each width tried and the E[U] that it gave. */
function flatTable(out: TextOutput, { trail, binWidth }: FlatRegion): void {
  const rows = trail.map((each) => [
    humanDuration(each.binWidth),
    humanDuration(each.changePeriod),
    percent(each.noise),
    each.binWidth === binWidth ? 'flattest: taken' : '',
  ])
  const titles = columns('bin width', 'E[U]', '>error', '')
  out.write(`\n${tableText({ columns: titles, rows }, out.columns)}`)
}

/** Several methods: one chart, and a table with a column for each curve. */
function writeSideBySide(
  out: TextOutput,
  {
    pages,
    estimate,
    moving,
  }: { pages: readonly PageDistribution[]; estimate: Estimate; moving: boolean },
): void {
  const shown = pages.flatMap(({ contentAges }) => (hasLaw(contentAges) ? [contentAges] : []))
  if (shown.length > 0) {
    const upTo = Math.max(...shown.map(endOf))
    out.write(`\n${chart(pages, { upTo, estimate, out })}\n\n`)
    const latticed = shown.find(({ target }) => target.law === 'Delta-consistent age distribution')
    const times = timesFor(latticed ?? shown[0]!, upTo)
    const titles = pages.flatMap(({ choice }) => [`>${choice.name}\nages`, '>update\ngaps'])
    const rows = times.map((time) => [
      humanDuration(time),
      ...pages.flatMap((page) => [
        hasLaw(page.contentAges) ? percent(cdfAt(page.contentAges.curve, time)) : '-',
        page.updateGaps.kind === 'law' ? percent(updateGapCdf(page.updateGaps, time)) : '-',
      ]),
    ])
    out.write(tableText({ columns: columns('time', ...titles), rows }, out.columns))
  }
  for (const page of pages)
    if (!hasLaw(page.contentAges))
      out.write(`${page.choice.name}: ${noCurveWords(page.contentAges.verdict)}\n`)
    else
      for (const line of [...cautionOf(page), ...identifiableWords(page)])
        out.write(wrappedLines(`${page.choice.name}: ${line}`, out))
  for (const line of sharedWords(pages[0]!, { moving })) out.write(wrappedLines(line, out))
}
