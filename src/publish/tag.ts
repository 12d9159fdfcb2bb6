import { OptionError } from '../model/errors.js'
import type { Declared } from '../model/hint.js'
import { DAY, type UnixSeconds, WEEK } from '../model/units.js'

/** A page's past as its publisher knows it: when it changed, and since when that is known. */
export interface ChangeRecord {
  readonly since: UnixSeconds
  /** In order of time. */
  readonly changes: readonly UnixSeconds[]
}

/** Weeks begin on Monday, 0:00 UTC; 1970 began on a Thursday. */
const firstMonday: UnixSeconds = 4 * DAY

/** The start of the week a time is in. */
export function weekStart(at: UnixSeconds): UnixSeconds {
  return firstMonday + Math.floor((at - firstMonday) / WEEK) * WEEK
}

/**
 * Days with a change in each of the last whole weeks before `now`, the oldest
 * first; null where the record does not reach back so far. A day counts once,
 * as for Hattab, who looks once a day. Weeks are those of the calendar, so that
 * the counts, and the tag made of them, stay the same until the week is over.
 *
 * Hattab, section 4, step 1.
 */
export function weeklyCounts(
  { since, changes }: ChangeRecord,
  { now, weeks }: { readonly now: UnixSeconds; readonly weeks: number },
): number[] | null {
  const end = weekStart(now)
  const from = end - weeks * WEEK
  if (since > from) return null
  const days = new Set<number>()
  for (const at of changes) if (at >= from && at < end) days.add(Math.floor((at - from) / DAY))
  const counts = new Array<number>(weeks).fill(0)
  for (const day of days) counts[Math.floor(day / 7)]!++
  return counts
}

/** How a weekly count is posted: as the days between two changes, or as it is. */
export type CountReading = 'days' | 'literal'

/** Weeks that are compared. Hattab, section 4: "in four weeks we have". */
export const weeksCompared = 4

/**
 * What a page can say of its changes, by the paper's rule: nonuniform if its
 * weekly counts vary (read as: are not all equal), else static if it never
 * changed, else periodic.
 *
 * The number behind the word is days in Example 1 and a weekly count in the
 * rule, so that a daily page would be declared weekly. We post days,
 * max(1, round(7 / last count)); `literal` posts the count itself. A page whose
 * last week was quiet is to be looked at after a week.
 *
 * Hattab, section 4, steps 2 to 4; section 3, Example 1.
 */
export function declaredChange(
  counts: readonly number[],
  { reading = 'days' }: { readonly reading?: CountReading } = {},
): Declared {
  const last = counts.at(-1)
  if (last === undefined || counts.some((each) => !Number.isInteger(each) || each < 0))
    throw new OptionError('bad-counts', 'give the number of changes in each of one or more weeks')
  const period = last === 0 ? WEEK : daysOf(last, reading) * DAY
  if (counts.some((each) => each !== last)) return { kind: 'nonuniform', period }
  return last === 0 ? { kind: 'static' } : { kind: 'periodic', period }
}

function daysOf(count: number, reading: CountReading): number {
  return reading === 'literal' ? count : Math.max(1, Math.round(7 / count))
}

/** The name of the tag. Hattab, section 3. */
export const tagName = 'Change-Frequency'

/**
 * The content of the tag in one of its three forms: `STATIC`, `PERIODIC=7`,
 * `nonuniform=3`. Periods are in whole days, one at least; a nonuniform page
 * of which no next change is known says `nonuniform`.
 *
 * Hattab, Example 1.
 */
export function tagContent(declared: Declared): string {
  if (declared.kind === 'static') return 'STATIC'
  if (declared.period === null) return 'nonuniform'
  const days = Math.max(1, Math.round(declared.period / DAY))
  return declared.kind === 'periodic' ? `PERIODIC=${days}` : `nonuniform=${days}`
}

/** Contents that can stand between quotes of either kind, and mean themselves. */
const plain = /^[\w=.%()+;: -]{1,100}$/

/** Whether a content can be written into a page as it is. */
export function isTagContent(content: string): boolean {
  return plain.test(content)
}

/** The whole tag. XHTML wants it closed; to HTML the slash means nothing. */
export function metaTag(
  content: string,
  { closed = false }: { readonly closed?: boolean } = {},
): string {
  return `<meta name="${tagName}" content="${content}"${closed ? ' /' : ''}>`
}
