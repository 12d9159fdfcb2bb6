import {
  type CountTrend,
  changeRateByMonth,
  type MonthChangeRate,
  sameMonthOverYears,
} from '../../../estimate/index.js'
import type { History } from '../../../model/index.js'

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

/** How often a page changed in each calendar month, UTC, and in the same month over the years. */
export function pageMonths(
  history: History | null,
  { level }: { readonly level: number },
): PageMonths {
  if (history === null) return { months: [], overYears: [] }
  const months = changeRateByMonth(history, { level })
  const overYears = Array.from({ length: 12 }, (_, i) => ({
    month: i + 1,
    ...sameMonthOverYears(history, { month: i + 1, level }),
  })).filter(({ years }) => years.length > 1)
  return { months, overYears }
}
