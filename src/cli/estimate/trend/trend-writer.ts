import { type Trend, trendOf } from '../../../estimate/index.js'
import { humanDuration, humanTime, type UnixSeconds } from '../../../model/index.js'
import { pageSummary } from '../../../report/page/page-summary.js'
import { AlignedTable } from '../../text/aligned-table.js'
import { terminalChart } from '../../text/terminal-chart.js'
import type { TextOutput } from '../../world.js'
import { lastChange } from '../last-change.js'
import { pageBlock, wrappedLines } from '../page-block.js'
import { pageEstimate } from '../page-estimate.js'
import type { PageWriter } from '../page-writer.js'
import type { EstimateSettings } from '../settings.js'
import { nextWords, stateWords, surelyState, trendWords } from './trend-words.js'

/** `--trend`: the windows in which a page's changes stay, speed up or slow down, and what is next. */
export function trendWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  const { level } = settings
  return {
    page({ url, history }) {
      const estimate = pageEstimate(history, { estimator: settings.estimators[0]!, level })
      pageBlock(out, { url, summary: pageSummary({ estimate, lastChange: lastChange(history) }) })
      if (history !== null && history.observations.length > 0)
        writeBlock(out, trendOf(history, { predict: { level } }))
    },
    end() {},
  }
}

function writeBlock(out: TextOutput, trend: Trend): void {
  if (trend.series.points.length === 0) {
    out.write('no update seen: no trend to show\n')
    return
  }
  out.write(`\n${chart(trend, out)}\n\n`)
  table(out, trend)
  out.write(wrappedLines(trendWords(trend), out))
  const next = nextWords(trend.next)
  if (next !== null) out.write(wrappedLines(next, out))
}

/** Updates in each of some equal stretches of time, so that a crowd stands out. */
function chart({ series }: Trend, out: TextOutput): string {
  const { origin, until, points } = series
  const stretches = Math.min(36, Math.max(6, Math.round(points.length / 3)))
  const counts = new Array<number>(stretches).fill(0)
  for (const { at } of points) {
    const place = Math.floor(((at - origin) / (until - origin)) * stretches)
    counts[Math.min(stretches - 1, Math.max(0, place))]! += 1
  }
  const most = Math.max(1, ...counts)
  // Whole numbers on the axis.
  const high = most <= 8 ? most : 8 * Math.ceil(most / 8)
  return terminalChart(
    {
      title: `updates in each ${humanDuration((until - origin) / stretches)}`,
      value: (share) => counts[Math.min(stretches - 1, Math.floor(share * stretches))]!,
      low: 0,
      high,
      height: Math.min(8, high),
      label: (count) => String(Math.round(count)),
      from: day(origin),
      to: day(until),
    },
    out,
  )
}

function table(out: TextOutput, trend: Trend): void {
  const rows = new AlignedTable(
    [
      { title: 'window', align: 'left' },
      { title: 'from', align: 'left' },
      { title: 'to', align: 'left' },
      { title: 'updates', align: 'right' },
      { title: 'it is', align: 'left' },
      { title: 'at its end', align: 'left' },
    ],
    { write: (text) => out.write(text), room: out.columns },
  )
  trend.windows.forEach((fitted, i) => {
    const { window, until, mtbuAtEnd } = fitted
    rows.row([
      String(i + 1),
      day(window.origin),
      day(until),
      String(window.points.length),
      stateWords[surelyState(fitted, trend)],
      mtbuAtEnd === null ? '-' : `every ${humanDuration(mtbuAtEnd)}`,
    ])
  })
  rows.end()
}

function day(at: UnixSeconds): string {
  return humanTime(at).replace(/T.*/, '')
}
