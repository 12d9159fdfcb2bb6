import type { Seconds, UnixSeconds } from '../../model/index.js'
import { calmerClock, type WeekClock, weekGap } from '../../numeric/index.js'
import { flatLeadAt } from './counts.js'
import { chanceOfChange } from './outlook.js'

/** No lead is larger: a page that begins to keep hours is believed soon. */
const mostLead = 6
/** No visit tells more: the laws are not known for sure. */
const mostNews = 1

/** Log odds that a page keeps no hours of its group, before it was looked at: one page in four. */
const firstOdds = -1

/** The chance that a page keeps to the flat clock and not to its group's. */
export function flatChance(memory: Float64Array): number {
  return 1 / (1 + Math.exp(-firstOdds - memory[flatLeadAt]!))
}

/** Seconds in a gap by the page's own clock: between its group's and the flat one, as it is believed. */
export function pageGap(
  memory: Float64Array,
  { clock, at, gap }: { clock: WeekClock; at: UnixSeconds; gap: Seconds },
): Seconds {
  return weekGap(calmerClock(clock, flatChance(memory)), { at, gap })
}

/**
 * Takes in which of the two clocks made a visit's find likelier, under what was
 * believed of the page's law before it: one number instead of a belief for
 * each clock. O(laws), and nothing where both show the same.
 */
export function weighClocks(
  memory: Float64Array,
  seen: { belief: () => Float64Array; gap: Seconds; groupGap: Seconds; changed: boolean },
): void {
  if (Math.abs(seen.groupGap / seen.gap - 1) < 1e-3) return
  const belief = seen.belief()
  const flat = chanceOfChange(belief, seen.gap)
  const group = chanceOfChange(belief, seen.groupGap)
  const news = seen.changed ? Math.log(flat / group) : Math.log((1 - flat) / (1 - group))
  if (!Number.isFinite(news)) return
  const lead = memory[flatLeadAt]! + Math.min(mostNews, Math.max(-mostNews, news))
  memory[flatLeadAt] = Math.min(mostLead, Math.max(-mostLead, lead))
}
