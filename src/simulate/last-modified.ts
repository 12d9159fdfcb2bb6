import {
  believableAge,
  OptionError,
  type RandomSource,
  type Seconds,
  type Timeline,
  type UnixSeconds,
  type Visit,
} from '../model/index.js'

/** How servers tell Last-Modified, and what a person should know who chooses one. */
export const lastModifiedKinds = {
  honest: 'tells when the page last changed',
  missing: 'tells nothing',
  stuck: 'tells the change before the first visit, for ever',
  now: 'tells the time of the visit, whatever happened',
  random: 'tells a random time in the past, another at each visit',
} as const
export type LastModifiedKind = keyof typeof lastModifiedKinds

/** The visit just made; `gap` is 0 at the first. */
export interface SimulatedVisit {
  readonly at: UnixSeconds
  readonly gap: Seconds
  readonly changed: boolean
}

/** One page's Last-Modified, asked at each visit in order of time. */
export interface LastModified {
  readonly kind: LastModifiedKind
  /** The content age that a crawler would compute and believe; NaN if none. Allocates nothing. */
  contentAge(timeline: Timeline, visit: SimulatedVisit): Seconds
}

/**
 * A page whose server tells Last-Modified in a given way. What is told passes
 * the same test of belief as a real answer does (`believableAge`), so a lie is
 * believed exactly where the crawler would believe it: a stuck date on content
 * that did not change, a date of now on content that did.
 */
export function lastModifiedOf({
  kind,
  random,
  spread = 30 * 86_400,
}: {
  readonly kind: LastModifiedKind
  readonly random: RandomSource
  /** Mean distance in the past of a random date; 30 days unless said. */
  readonly spread?: Seconds
}): LastModified {
  if (!Object.hasOwn(tellers, kind)) {
    const known = Object.keys(lastModifiedKinds).join(', ')
    throw new OptionError(
      'unknown-last-modified',
      `there is no Last-Modified of kind "${kind}"; there are: ${known}`,
    )
  }
  if (!(spread > 0 && spread < Infinity))
    throw new OptionError('bad-parameter', `spread is ${spread}, but it must be a time above 0`)
  return { kind, contentAge: tellers[kind]({ random, spread }) }
}

type Told = LastModified['contentAge']
interface Chance {
  readonly random: RandomSource
  readonly spread: Seconds
}

/** The truth passes every test of belief, so honest needs none. */
const tellers: Readonly<Record<LastModifiedKind, (chance: Chance) => Told>> = {
  honest: () => (timeline, visit) => visit.at - timeline.lastChange,
  missing: () => () => Number.NaN,
  stuck: () => {
    let date = Number.NaN
    return believed((timeline) => {
      if (Number.isNaN(date)) date = timeline.lastChange
      return date
    })
  },
  now: () => believed((_, { at }) => at),
  random: ({ random, spread }) => believed((_, { at }) => at - spread * random.exponential()),
}

/** One record is written again and again, so that a visit allocates nothing. */
function believed(date: (timeline: Timeline, visit: SimulatedVisit) => UnixSeconds): Told {
  const answer: { -readonly [K in keyof Visit]: Visit[K] } = { at: 0, outcome: 'first' }
  return (timeline, visit) => {
    answer.at = visit.at
    answer.lastModified = date(timeline, visit)
    return believableAge(answer, visit.gap > 0 ? visit : undefined) ?? Number.NaN
  }
}
