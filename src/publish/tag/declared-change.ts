import { DAY, type Declared, OptionError, WEEK } from '../../model/index.js'

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
