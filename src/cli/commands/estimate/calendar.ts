import {
  type ChangeRateBetween,
  changeRateBetween,
  changeRateByMonth,
  type MonthChangeRate,
} from '../../../estimators/trend/change-rate-between.js'
import { type CountTrend, countTrend } from '../../../estimators/trend/trend-test.js'
import { shown } from '../../../formats/printable-text.js'
import { pageSummary } from '../../../lab/report/page-summary.js'
import { humanDuration, humanPeriod } from '../../../model/duration.js'
import type { History } from '../../../model/history.js'
import { monthNames, YEAR } from '../../../model/units.js'
import type { TextOutput } from '../../environment.js'
import { pageEstimate, periodWords } from '../../text/estimate.js'
import { levelPercent } from '../../text/numbers.js'
import { AlignedTable, columns, tableText } from '../../text/table.js'
import type { EstimateSettings, Span } from './options.js'
import { lastChange, type PageWriter, pageBlock } from './page-writer.js'

/** How often a page changed between the two dates; null where it was never seen. */
export function pageBetween(
  history: History | null,
  { span, level }: { readonly span: Span; readonly level: number },
): ChangeRateBetween | null {
  return history === null ? null : changeRateBetween(history, { ...span, level })
}

const verdictWords: Readonly<Record<ChangeRateBetween['verdict'], string>> = {
  ok: 'ok',
  'no-update': 'no update seen',
  'always-changed': 'changed at every visit',
  'not-watched': 'not watched then',
}

/** `--between A B`: how often each page changed between two dates, one page a line. */
export function betweenWriter(
  { level }: EstimateSettings,
  { span, out }: { readonly span: Span; readonly out: TextOutput },
): PageWriter {
  const bounds = `bounds (${levelPercent(level)})`
  const titles = ['page', '>updates', 'watched', 'it changed', bounds, 'verdict']
  const table = new AlignedTable(columns(...titles), out)
  return {
    page({ url, history }) {
      const found = pageBetween(history, { span, level })
      table.row([
        shown(url),
        ...(found === null ? ['0', '-', '-', '-', 'never seen'] : cells(found)),
      ])
    },
    end: () => table.end(),
  }
}

/** Updates, time watched, period, bounds, verdict. */
function cells(found: ChangeRateBetween): string[] {
  const period = found.changeRate ? humanPeriod(1 / found.changeRate) : '-'
  return [
    String(found.updates),
    found.watched > 0 ? humanDuration(found.watched) : '-',
    period,
    periodWords(found.bounds),
    verdictWords[found.verdict],
  ]
}

/** One month of the year, over the years. */
interface MonthOverYears {
  readonly month: number
  readonly years: readonly MonthChangeRate[]
  readonly trend: CountTrend
}

interface PageMonths {
  readonly months: readonly MonthChangeRate[]
  /** Months that were watched in several years. */
  readonly overYears: readonly MonthOverYears[]
}

/** A page watched for longer was not: its times are wrong, and its months too many to write. */
const longest = 500 * YEAR
/** The years 1 to 9999. */
const calendar = { from: -62_135_596_800, to: 253_402_300_800 }

/**
 * How often a page changed in each calendar month, UTC, and in the same month
 * over the years. Nothing where its times lie outside
 * the calendar. O(months x n).
 */
export function pageMonths(
  history: History | null,
  { level }: { readonly level: number },
): PageMonths {
  if (history === null || !inCalendar(history)) return { months: [], overYears: [] }
  const months = changeRateByMonth(history, { level })
  const overYears = Array.from({ length: 12 }, (_, i) => overYearsOf(months, i + 1))
  return { months, overYears: overYears.filter(({ years }) => years.length > 1) }
}

function overYearsOf(months: readonly MonthChangeRate[], month: number): MonthOverYears {
  const years = months.filter((each) => each.month === month)
  const trend = countTrend(
    years.map(({ year, updates, watched }) => ({ at: year, count: updates, exposure: watched })),
  )
  return { month, years, trend }
}

function inCalendar({ start, observations }: History): boolean {
  const until = observations.at(-1)?.at ?? start.at
  return start.at >= calendar.from && until < calendar.to && until - start.at <= longest
}

/** `--months`: each calendar month, and the same month over the years, page by page. */
export function monthsWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  const { level } = settings
  return {
    page({ url, history }) {
      const estimate = pageEstimate(history, { estimator: settings.estimators[0]!, level })
      pageBlock(out, { url, summary: pageSummary({ estimate, lastChange: lastChange(history) }) })
      const found = pageMonths(history, { level })
      if (found.months.length > 0) monthTable(out, found)
      if (found.overYears.length > 0) yearTable(out, found.overYears)
    },
    end() {},
  }
}

function monthTable(out: TextOutput, { months }: PageMonths): void {
  const titles = columns('month', '>updates', 'watched', 'it changed', 'bounds', 'verdict')
  const rows = months.map((month) => [
    `${month.year}-${String(month.month).padStart(2, '0')}`,
    ...cells(month),
  ])
  out.write(tableText({ columns: titles, rows }, out.columns))
}

function yearTable(out: TextOutput, overYears: readonly MonthOverYears[]): void {
  const all = overYears.flatMap(({ years }) => years.map(({ year }) => year))
  const years = [...new Set(all)].sort((a, b) => a - b)
  const rows = overYears.map(({ month, years: found, trend }) => {
    const inYear = (year: number) => {
      const changeRate = found.find((each) => each.year === year)?.changeRate
      return changeRate ? humanPeriod(1 / changeRate) : '-'
    }
    return [monthNames[month - 1]!, ...years.map(inYear), trend.direction ?? 'too little to tell']
  })
  const titles = columns('over the years', ...years.map(String), 'it is')
  out.write(`\n${tableText({ columns: titles, rows }, out.columns)}`)
}
