import {
  type Bands,
  boundsAt,
  cdfAt,
  type DistributionEstimate,
  trendOf,
  updateGapCdf,
} from '../../../estimate/index.js'
import { type Estimate, humanDuration, type Seconds } from '../../../model/index.js'
import { pageSummary } from '../../../report/page/page-summary.js'
import { AlignedTable } from '../../text/aligned-table.js'
import { terminalChart } from '../../text/terminal-chart.js'
import type { TextOutput } from '../../world.js'
import { lastChange } from '../last-change.js'
import { pageBlock, wrappedLines } from '../page-block.js'
import { pageEstimate } from '../page-estimate.js'
import type { PageWriter } from '../page-writer.js'
import type { EstimateSettings } from '../settings.js'
import { isMoving } from '../trend/trend-words.js'
import { distributionWords, lockWords, noCurveWords } from './distribution-words.js'
import { hasLaw, type PageDistribution, pageDistribution } from './page-distribution.js'
import { roundTimes } from './round-times.js'

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
      label: (share) => `${Math.round(100 * share)}%`,
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
  const rows = new AlignedTable(
    [
      { title: 'time', align: 'left' },
      { title: 'content at\nmost so old', align: 'right' },
      { title: '\nbounds', align: 'left' },
      { title: 'update gaps\nup to it', align: 'right' },
      { title: '\nbounds', align: 'left' },
      { title: '\nPoisson', align: 'right' },
    ],
    { write: (text) => out.write(text), room: out.columns },
  )
  for (const time of roundTimes(upTo))
    rows.row([
      humanDuration(time),
      percent(cdfAt(contentAges.curve, time)),
      between(page.contentAgeBands, time),
      updateGaps.kind === 'law' ? percent(updateGapCdf(updateGaps, time)) : '-',
      between(page.updateGapBands, time),
      estimate.changeRate === null ? '-' : percent(-Math.expm1(-estimate.changeRate * time)),
    ])
  rows.end()
}

function between(bands: Bands, time: Seconds): string {
  if (bands.kind === 'none') return '-'
  const { low, high } = boundsAt(bands, time)
  return `${percent(low)} to ${percent(high)}`
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`
}
