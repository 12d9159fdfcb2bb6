import { humanDuration, humanMoment } from '../../src/model/duration.js'
import { isOneSided } from '../../src/model/page.js'
import {
  DAY,
  HOUR,
  MINUTE,
  MONTH,
  monthNames,
  type Seconds,
  type UnixSeconds,
  YEAR,
} from '../../src/model/units.js'
import type { PageAnswer } from '../../src/server/pages/page-schema.js'

/** How numbers, shares, durations, moments and addresses are written, everywhere in the dashboard. */

const whole = new Intl.NumberFormat('en-US')
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3, notation: 'compact' })

export function count(value: number): string {
  return whole.format(value)
}

/** A number where the exact one does not matter: 0.25, 3.4, 240, 12.3K. */
export function about(value: number): string {
  if (value < 10) return String(Number(value.toPrecision(2)))
  return value < 10_000 ? whole.format(Math.round(value)) : short.format(value)
}

/** How many percentage points a share is above another, as both are written with one digit. */
export function pointsAbove(share: number, other: number): number {
  return (Math.round(1000 * share) - Math.round(1000 * other)) / 10
}

export function bytes(amount: number): string {
  if (amount < 1000) return `${amount} B`
  const scale = [
    { size: 1e9, name: 'GB' },
    { size: 1e6, name: 'MB' },
    { size: 1e3, name: 'KB' },
  ].find(({ size }) => amount >= size)!
  return `${(amount / scale.size).toFixed(1)} ${scale.name}`
}

/**
 * How often a page changes, in a table: its period, in brackets where no change
 * was seen yet, or every visit found one.
 */
export function changesEvery(
  page: CountedPage,
  words: (period: Seconds) => string = humanDuration,
): string {
  if (page.changePeriod === null) return '–'
  const period = words(page.changePeriod)
  return isOneSided(page.learnedFrom ?? page) ? `(${period})` : period
}

/** What the brackets mean; undefined for a plain period. */
export function changesEveryTitle(page: CountedPage): string | undefined {
  const { changes } = page.learnedFrom ?? page
  if (page.changePeriod === null || !isOneSided(page.learnedFrom ?? page)) return undefined
  return changes === 0
    ? 'an estimate: no change seen yet'
    : 'an estimate: every visit found a change, it may change faster'
}

type CountedPage = Pick<PageAnswer, 'visits' | 'changes' | 'changePeriod'> &
  Partial<Pick<PageAnswer, 'learnedFrom'>>

/** When a page is due. */
export function dueWords(at: UnixSeconds | 'never' | null, now: UnixSeconds): string {
  if (at === 'never' || at === null) return 'never'
  return at <= now ? 'now' : humanMoment(at, now)
}

/** Seconds by which the clock on this person's wall is ahead of UTC at a moment. */
export function zoneOffset(at: UnixSeconds): Seconds {
  const minutes = new Date(at * 1000).getTimezoneOffset()
  return Number.isNaN(minutes) ? 0 : -minutes * MINUTE
}

/** A moment by the clock on this person's wall: `2026-03-01 13:00:05`. */
export function moment(at: UnixSeconds): string {
  return written(at + zoneOffset(at))
}

/** The same in UTC: `2026-03-01 12:00:05 UTC`. */
export function utcMoment(at: UnixSeconds): string {
  return `${written(at)} UTC`
}

function written(at: UnixSeconds): string {
  const date = new Date(at * 1000)
  return Number.isNaN(date.getTime()) ? '–' : date.toISOString().slice(0, 19).replace('T', ' ')
}

/** As a list of changes has it: `13:05` today, `yesterday 13:05`, `Sun 1 Mar 13:05`, `1 Mar 2025`. */
export function changeTime(at: UnixSeconds, now: UnixSeconds): string {
  const day = (each: UnixSeconds) => Math.floor((each + zoneOffset(each)) / DAY)
  const date = new Date(at * 1000)
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`
  const ago = day(now) - day(at)
  if (ago === 0) return clock
  if (ago === 1) return `yesterday ${clock}`
  const dated = `${date.getDate()} ${monthNames[date.getMonth()]}`
  if (date.getFullYear() !== new Date(now * 1000).getFullYear())
    return `${dated} ${date.getFullYear()}`
  return `${weekDays[date.getDay()]} ${dated} ${clock}`
}

const weekDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** A note as a sentence: a capital first and a full stop. */
export function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Of an hour or a minute: `07`. */
export function two(value: number): string {
  return String(value).padStart(2, '0')
}

const units = [
  { size: YEAR, name: 'y' },
  { size: MONTH, name: 'mo' },
  { size: DAY, name: 'd' },
  { size: HOUR, name: 'h' },
  { size: MINUTE, name: 'min' },
  { size: 1, name: 's' },
]

/** A duration short enough for an axis: 3d, 12h, 5min. */
export function shortDuration(value: Seconds): string {
  if (!(value > 0)) return '0'
  const unit = units.find(({ size }) => value >= size) ?? units[units.length - 1]!
  return `${Number((value / unit.size).toPrecision(2))}${unit.name}`
}

/** A moment short enough for an axis that spans so long: the time of day, the day, or the month. */
export function shortTime(at: UnixSeconds, { span }: { readonly span: Seconds }): string {
  const date = new Date(at * 1000)
  const day = `${date.getDate()} ${monthNames[date.getMonth()]}`
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`
  if (span < 2 * DAY) return span < 600 ? `${clock}:${two(date.getSeconds())}` : clock
  if (span < 8 * DAY) return clock === '00:00' ? day : `${day} ${clock}`
  return span < 300 * DAY ? day : `${monthNames[date.getMonth()]} ${date.getFullYear()}`
}
