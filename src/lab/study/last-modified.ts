import { OptionError } from '../../model/errors.js'
import { believableAge } from '../../model/history.js'
import { DAY, type RandomSource, type Seconds, type UnixSeconds } from '../../model/units.js'
import type { Timeline } from '../process/change-process.js'
import { type AgeReporter, reportsNothing, reportsTruth } from '../visit-loop.js'

/** How servers tell Last-Modified, and what a person should know who chooses one. */
export const lastModifiedKinds = {
  honest: 'tells when the page last changed',
  missing: 'tells nothing',
  stuck: 'tells the change before the first visit, for ever',
  now: 'tells the time of the visit, whatever happened',
  random: 'tells a random time in the past, another at each visit',
} as const
export type LastModifiedKind = keyof typeof lastModifiedKinds

/**
 * One page whose server tells Last-Modified in a given way, to be asked at
 * each visit in order of time, right after the timeline walked there. What is
 * sent passes the same test of plausibility as a real answer does (`believableAge`),
 * so a lie is trusted exactly where the crawler would trust it: a stuck
 * date on content that did not change, a date of now on content that did.
 * Nothing is allocated per visit.
 */
export function lastModifiedOf({
  kind,
  random,
  spread = 30 * DAY,
}: {
  readonly kind: LastModifiedKind
  readonly random: RandomSource
  /** Mean distance in the past of a random date; 30 days by default. */
  readonly spread?: Seconds
}): AgeReporter {
  if (!(spread > 0 && spread < Infinity))
    throw new OptionError('bad-parameter', `spread is ${spread}, but it must be a time above 0`)
  return tellers[lastModifiedNamed(kind)]({ random, spread })
}

/** The kind of that name, or an error that lists what there is. */
export function lastModifiedNamed(name: string): LastModifiedKind {
  if (Object.hasOwn(lastModifiedKinds, name)) return name as LastModifiedKind
  const known = Object.keys(lastModifiedKinds).join(', ')
  throw new OptionError(
    'unknown-last-modified',
    `there is no Last-Modified of kind "${name}"; there are: ${known}`,
  )
}

interface Chance {
  readonly random: RandomSource
  readonly spread: Seconds
}

/** The truth passes every test of plausibility, so honest needs none. */
const tellers: Readonly<Record<LastModifiedKind, (chance: Chance) => AgeReporter>> = {
  honest: () => reportsTruth,
  missing: () => reportsNothing,
  stuck: () => {
    let date = Number.NaN
    return plausible((timeline) => {
      if (Number.isNaN(date)) date = timeline.lastChange
      return date
    })
  },
  now: () => plausible((_, at) => at),
  random: ({ random, spread }) => plausible((_, at) => at - spread * random.exponential()),
}

/** The same two records are written at each visit. */
function plausible(date: (timeline: Timeline, at: UnixSeconds) => UnixSeconds): AgeReporter {
  const answer = { at: Number.NaN, outcome: 'first' as const, lastModified: Number.NaN }
  const seen = { gap: 0, changed: false }
  return (timeline, at) => {
    const first = Number.isNaN(answer.at)
    seen.gap = at - answer.at
    seen.changed = timeline.changes > 0
    answer.at = at
    answer.lastModified = date(timeline, at)
    return believableAge(answer, first ? undefined : seen) ?? Number.NaN
  }
}
