import { type History, OptionError, type Seconds } from '../../model/index.js'
import { type ChangeRateBetween, changeRateBetween, type TimeSpan } from './change-rate-between.js'
import { type CountTrend, countTrend } from './count-trend.js'

/** One calendar month: January is 1. */
export interface CalendarMonth extends TimeSpan {
  readonly year: number
  readonly month: number
}

export type MonthChangeRate = CalendarMonth & ChangeRateBetween

export interface MonthOptions {
  readonly level?: number
  /** Where midnight lies: seconds by which local time is ahead of UTC. Default 0. */
  readonly utcOffset?: Seconds
}

/** The calendar months that a span of time touches, in order. */
export function calendarMonths(
  { from, to }: TimeSpan,
  { utcOffset = 0 }: Pick<MonthOptions, 'utcOffset'> = {},
): CalendarMonth[] {
  const first = new Date((from + utcOffset) * 1000)
  const last = new Date((to + utcOffset) * 1000)
  if (Number.isNaN(first.getTime()) || Number.isNaN(last.getTime()))
    throw new OptionError('bad-span', 'these times lie outside the calendar (Unix seconds?)')
  const count = 12 * (last.getUTCFullYear() - first.getUTCFullYear()) + last.getUTCMonth() + 1
  const months: CalendarMonth[] = []
  for (let i = first.getUTCMonth(); i < count; i++) {
    const year = first.getUTCFullYear() + Math.floor(i / 12)
    const month = (i % 12) + 1
    const start = (m: number) => monthStart({ year, month: m }) - utcOffset
    months.push({ year, month, from: start(month), to: start(month + 1) })
  }
  return months.filter((month) => month.from < to || month.from === from)
}

/** The change rate of every calendar month that was watched at all. O(months x n). */
export function changeRateByMonth(history: History, options: MonthOptions = {}): MonthChangeRate[] {
  const { start, observations } = history
  const until = observations.at(-1)?.at ?? start.at
  return calendarMonths({ from: start.at, to: until }, options)
    .map((month) => ({
      ...month,
      ...changeRateBetween(history, { ...month, level: options.level ?? 0.95 }),
    }))
    .filter((month) => month.verdict !== 'not-watched')
}

/**
 * One month over the years, and whether its change rate moves from year to
 * year. Years in which the page was not watched in that month are left out.
 *
 * Singh 2007, section 1: "How does the rate of updates change during the month
 * of January for the last five years?"
 */
export function sameMonthOverYears(
  history: History,
  { month, ...options }: MonthOptions & { readonly month: number },
): { readonly years: readonly MonthChangeRate[]; readonly trend: CountTrend } {
  if (!Number.isInteger(month) || month < 1 || month > 12)
    throw new OptionError('bad-month', `month ${month}: give a whole number from 1 to 12`)
  const years = changeRateByMonth(history, options).filter((each) => each.month === month)
  const trend = countTrend(
    years.map((each) => ({ at: each.year, count: each.updates, exposure: each.watched })),
  )
  return { years, trend }
}

/** Years below 100 are years, not 19xx; a month of 13 is the next January. */
function monthStart({ year, month }: { year: number; month: number }): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, 1)
  return date.getTime() / 1000
}
