import type { UnixSeconds } from '../../model/index.js'
import { weekGap } from '../../numeric/index.js'
import type { GroupLaw } from './group-law.js'
import { chanceOfChange } from './outlook.js'

/** The chance that a page has changed between being last seen and now, on its group's clock. */
export function changedBy(
  belief: Float64Array,
  about: {
    readonly clock: GroupLaw['clock']
    readonly lastSeen: UnixSeconds
    readonly now: UnixSeconds
  },
): number {
  const { clock, lastSeen, now } = about
  return chanceOfChange(belief, weekGap(clock, { at: now, gap: Math.max(0, now - lastSeen) }))
}
