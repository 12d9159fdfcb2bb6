import { humanDuration } from '../model/duration.js'
import type { Declared } from '../model/hint.js'
import type { Policy } from '../model/policy.js'
import { DAY, type Seconds, WEEK } from '../model/units.js'

/** The barrels a page can be in, each visited by a crawler of its own. */
export const barrels = { daily: DAY, weekly: WEEK, monthly: 30 * DAY, static: 90 * DAY } as const
export type Barrel = keyof typeof barrels

/**
 * The barrel for what a page declares: STATIC every 90 days, others the
 * slowest barrel that is at least as fast as the period declared, nonuniform
 * without a period daily. A page that declares nothing is treated as the
 * typical crawler does: weekly.
 *
 * Hattab, section 3 and Figure 4.
 */
export function barrelOf(declared: Declared | null): Barrel {
  if (declared === null) return 'weekly'
  if (declared.kind === 'static') return 'static'
  const period = declared.period ?? barrels.daily
  if (period >= barrels.static) return 'static'
  if (period >= barrels.monthly) return 'monthly'
  return period >= barrels.weekly ? 'weekly' : 'daily'
}

/**
 * Visits by declared change: Hattab's crawler that reads Change-Frequency
 * tags. `exact` visits at the declared period itself instead of its barrel's.
 */
export function barrelPolicy({ exact = false }: { exact?: boolean } = {}): Policy {
  return {
    name: exact ? 'declared' : 'barrels',
    summary: exact
      ? 'Hattab: at the period the page declares'
      : 'Hattab: daily, weekly, monthly or every 90 days, by what the page declares',
    learner: null,
    nextGap({ declared }): Seconds {
      const declaredPeriod =
        exact && declared !== null && declared.kind !== 'static' ? declared.period : null
      return declaredPeriod === null
        ? barrels[barrelOf(declared)]
        : Math.max(DAY / 24, declaredPeriod)
    },
    reason({ declared }, gap) {
      const declaredText = declared === null ? 'declares nothing' : `declares ${describe(declared)}`
      return `${declaredText}: every ${humanDuration(gap)}`
    },
  }
}

function describe(declared: Declared): string {
  if (declared.kind === 'static') return 'that it does not change'
  if (declared.period === null) return 'no steady rate'
  return declared.kind === 'periodic'
    ? `a change every ${humanDuration(declared.period)}`
    : `its next change in ${humanDuration(declared.period)}`
}
