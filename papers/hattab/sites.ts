import {
  type ChangeProcess,
  constantGaps,
  hourOfWeek,
  poisson,
  weibullGaps,
  workingWeek,
} from 'revisit/lab'
import { DAY, MINUTE, type Seconds } from 'revisit/model'
import type { Random } from 'revisit/numeric'

/** Length of the experiment: six months, which Table 4 counts as 180 days. */
export const experiment: Seconds = 180 * DAY
/** Changes are counted for four weeks before it, so that tags stand on the pages at its start. */
export const leadIn: Seconds = 28 * DAY

/** One row of Tables 3 and 4. */
export interface PrintedSite {
  readonly site: string
  readonly changes: number
  readonly typical: { readonly freshness: number; readonly needless: number }
  readonly tags: { readonly freshness: number; readonly crawls: number; readonly needless: number }
}

export interface Site {
  readonly name: string
  /** How it changes, in words. */
  readonly law: string
  readonly process: ChangeProcess
}

const laws = {
  'in working hours': (period: Seconds) => hourOfWeek({ period, weights: workingWeek() }),
  'at random': (period: Seconds) => poisson({ period }),
  'in bursts': (period: Seconds) => weibullGaps({ period, shape: 0.66 }),
  'like a clock': (period: Seconds) => constantGaps({ period }),
} as const

/** Which law each of the ten sites follows; the paper tells only how often they changed. */
const lawOfSite: ReadonlyArray<keyof typeof laws> = [
  'in working hours',
  'in working hours',
  'at random',
  'in working hours',
  'in bursts',
  'in working hours',
  'at random',
  'in bursts',
  'at random',
  'like a clock',
]

/**
 * Ten sites that change as often as the paper's, each by a stated law: of
 * different laws, or all at random, so that a verdict which hangs on our choice
 * shows itself.
 */
export function sitesLike(
  printed: readonly PrintedSite[],
  { all }: { readonly all?: keyof typeof laws } = {},
): Site[] {
  return printed.map(({ site, changes }, i) => {
    const law = all ?? lawOfSite[i % lawOfSite.length]!
    return { name: site, law, process: laws[law](experiment / changes) }
  })
}

/**
 * When a site changed, from 0 on, so that every crawler meets the same
 * changes. Walked minute by minute: of three changes in a minute one is lost.
 */
export function changeTimes(
  { process }: Site,
  { until, random }: { readonly until: Seconds; readonly random: Random },
): Float64Array {
  const timeline = process.timeline({ from: 0, random })
  const times: number[] = []
  for (let at = MINUTE; at <= until; at += MINUTE) {
    if (!timeline.advance(at)) continue
    times.push(timeline.firstChange)
    if (timeline.lastChange > timeline.firstChange) times.push(timeline.lastChange)
  }
  return Float64Array.from(times)
}
