import {
  type CountTrend,
  changeRateByMonth,
  countTrend,
  type MonthChangeRate,
} from '../../../estimate/index.js'
import { type History, YEAR } from '../../../model/index.js'

/** One month of the year, over the years. */
export interface MonthOverYears {
  readonly month: number
  readonly years: readonly MonthChangeRate[]
  readonly trend: CountTrend
}

export interface PageMonths {
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
 * over the years (see `sameMonthOverYears`). Nothing where its times lie outside
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
