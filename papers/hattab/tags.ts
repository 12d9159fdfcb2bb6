import { DAY, type Declared, type Seconds, WEEK } from 'revisit/model'

/** What stands on a page: the keyword and the count behind it. */
export interface Tag {
  readonly kind: 'static' | 'periodic' | 'nonuniform'
  readonly count: number
}

/** What the number of a tag means: days (Example 1), or days taken from the literal weekly count. */
export type Reading = 'days' | 'literal'

const weeksCompared = 4

/**
 * Changes counted in each week by daily checks of the last-modified date: a
 * day counts once, however often the page changed in it.
 */
export function weeklyCounts(changes: Float64Array, { weeks }: { weeks: number }): number[] {
  const daysChanged = new Set<number>()
  for (const at of changes) daysChanged.add(Math.floor(at / DAY))
  const counts = new Array<number>(weeks).fill(0)
  for (const day of daysChanged) {
    const week = Math.floor((day * DAY) / WEEK)
    if (week < weeks) counts[week]!++
  }
  return counts
}

/**
 * The tag that stands on a page in a week, from the counts of the four weeks
 * before: nonuniform with the last count if they vary (read as: are not all
 * equal), else periodic, or static if nothing changed.
 *
 * Hattab, section 4, steps 1 to 4.
 */
export function tagOfWeek(counts: readonly number[], week: number): Tag {
  const seen = counts.slice(Math.max(0, week - weeksCompared), week)
  const count = seen.at(-1) ?? 0
  if (seen.some((each) => each !== count)) return { kind: 'nonuniform', count }
  return { kind: count === 0 ? 'static' : 'periodic', count }
}

/**
 * What a crawler makes of a tag. Days: a weekly count of n is a change every
 * 7/n days, in whole days. Literal: the count itself as days, so that a page
 * that changes daily is declared weekly. A nonuniform page that did not change
 * last week is looked at after a week, in both.
 */
export function declaredBy({ kind, count }: Tag, reading: Reading): Declared {
  if (kind === 'static') return { kind }
  if (count === 0) return { kind: 'nonuniform', period: WEEK }
  const days = reading === 'literal' ? count : Math.max(1, Math.round(7 / count))
  const period: Seconds = days * DAY
  return kind === 'periodic' ? { kind, period } : { kind, period }
}
