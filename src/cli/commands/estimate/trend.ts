import type { NextUpdate } from '../../../estimators/trend/predict-next.js'
import type { TrendVerdict } from '../../../estimators/trend/trend-curve.js'
import { type FittedWindow, type Trend, trendOf } from '../../../estimators/trend/trend-of.js'
import { shapeBounds } from '../../../estimators/trend/weibull.js'
import type { WindowState } from '../../../estimators/trend/window-rule.js'
import { pageSummary } from '../../../lab/report/page-summary.js'
import { humanDuration, humanTime } from '../../../model/duration.js'
import { percent, type UnixSeconds } from '../../../model/units.js'
import type { TextOutput } from '../../environment.js'
import { pageEstimate } from '../../text/estimate.js'
import { columns, tableText } from '../../text/table.js'
import { terminalChart } from '../../text/terminal-chart.js'
import type { EstimateSettings } from './options.js'
import { lastChange, type PageWriter, pageBlock, wrappedLines } from './page-writer.js'
import { comparedTrends, type NamedTrend } from './trend-records.js'

/** A window's state as far as its updates tell. */
type ShownState = WindowState | 'unknown'

const stateWords: Readonly<Record<ShownState, string>> = {
  constant: 'steady',
  increasing: 'changing faster',
  decreasing: 'changing slower',
  unknown: 'too little to tell',
}

/**
 * What to call a window: faster or slower only where its fitted shape surely
 * differs from a steady page's, and unknown where it was fitted to fewer points
 * than the method's least, or to visits rather than updates. A window's own
 * state says how it was cut, and cuts of a steady page are seldom called steady.
 */
export function surelyState(
  { window, until, curve }: FittedWindow,
  { counted }: Pick<Trend, 'counted'>,
): ShownState {
  const bounds = shapeBounds(window.times, { until: until - window.origin })
  if (bounds === null || curve.verdict !== 'ok' || !counted) return 'unknown'
  if (bounds.low > 1) return 'increasing'
  return bounds.high < 1 ? 'decreasing' : 'constant'
}

/** Whether the change rate surely rises or falls over the whole history. */
export function isMoving({ test }: Trend): boolean {
  return test.direction === 'rising' || test.direction === 'falling'
}

/** The trend over the whole history, in a sentence. */
export function trendWords({ test }: Trend): string {
  if (test.direction === null || test.pValue === null)
    return 'Too few updates to tell whether it changes faster or slower than it did.'
  const chance = test.pValue < 0.001 ? 'under 0.001' : String(Number(test.pValue.toPrecision(2)))
  const words = {
    rising: 'It changes faster than it did',
    falling: 'It changes slower than it did',
    steady: 'No trend over the whole time is shown',
  }
  return `${words[test.direction]} (p = ${chance} if it were steady).`
}

const undatedWords: Partial<Record<TrendVerdict, string>> = {
  'too-few-points': 'Too few updates to predict the next one: it takes four.',
  'under-four-points': 'Too few updates to predict the next one: it takes four.',
  'visits-too-rare':
    'Visits are too far apart to predict the next update: each visit that found a change counts as one update, and there were very likely more.',
}

/** When the next update is due by the last window, in a sentence, or why it cannot be known; null where there is nothing to say. */
export function nextWords(next: NextUpdate | null): string | null {
  if (next === null) return null
  if (next.at === null) return undatedWords[next.verdict] ?? null
  const bounds =
    next.bounds === null
      ? ''
      : ` (between ${minute(next.bounds.low)} and ${minute(next.bounds.high)} with a chance of ${percent(next.bounds.level)}, if the last window goes on)`
  return `The next update is due about ${minute(next.at)}${bounds}.`
}

function minute(at: UnixSeconds): string {
  return humanTime(at)
    .replace('T', ' ')
    .replace(/:\d\dZ$/, ' UTC')
}

/** `--trend`: the windows in which a page's changes stay, speed up or slow down, and what is next. */
export function trendWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  const { level, trend, compare } = settings
  return {
    page({ url, history }) {
      const estimate = pageEstimate(history, { estimator: settings.estimators[0]!, level })
      pageBlock(out, { url, summary: pageSummary({ estimate, lastChange: lastChange(history) }) })
      if (history === null || history.observations.length === 0) return
      writeBlock(out, trendOf(history, trend))
      if (compare) comparison(out, comparedTrends(history, trend))
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
  const titles = columns('window', 'from', 'to', '>updates', 'it is', 'at its end')
  const rows = trend.windows.map((fitted, i) => {
    const { window, until, mtbuAtEnd } = fitted
    return [
      String(i + 1),
      day(window.origin),
      day(until),
      String(window.points.length),
      stateWords[surelyState(fitted, trend)],
      mtbuAtEnd === null ? '-' : `every ${humanDuration(mtbuAtEnd)}`,
    ]
  })
  out.write(tableText({ columns: titles, rows }, out.columns))
}

/** Every estimator's fit of the last window and its next update, side by side. */
function comparison(out: TextOutput, all: readonly NamedTrend[]): void {
  const last = all[0]?.trend.windows.at(-1)
  if (last === undefined) return
  const titles = columns('estimator', '>exponent', '>at its end', 'next update', 'bounds')
  out.write(`\nthe last window by every estimator\n`)
  out.write(tableText({ columns: titles, rows: all.map(comparedRow) }, out.columns))
}

/** Exponent, mean time between updates, next update and its bounds by one estimator. */
export function comparedRow({ estimator, trend }: NamedTrend): string[] {
  const fitted = trend.windows.at(-1)
  const { next } = trend
  const { curve, mtbuAtEnd = null } = fitted ?? {}
  const exponent = curve?.law?.exponent
  return [
    estimator,
    exponent === undefined ? '-' : exponent.toFixed(2),
    mtbuAtEnd === null ? '-' : `every ${humanDuration(mtbuAtEnd)}`,
    next === null || next.at === null ? (next?.verdict ?? '-') : minute(next.at),
    next?.bounds ? `${minute(next.bounds.low)} to ${minute(next.bounds.high)}` : '-',
  ]
}

function day(at: UnixSeconds): string {
  return humanTime(at).replace(/T.*/, '')
}
