import {
  HOUR,
  type Json,
  type RandomSource,
  type Seconds,
  type UnixSeconds,
} from '../../model/units.js'

/**
 * What changes of one page tell of the others of its site. Some sites publish
 * all pages by one push: when one is found changed, the others probably are.
 * Whether a site is of that kind is decided by its own record, never by a
 * setting: visits made soon after such a change signal are compared with what was
 * predicted of them, one comparison for each push, however many pages it
 * touched.
 */
export interface SiteSignal {
  /** When a page of the site was found changed: the signal that siblings are visited on now; null before any. */
  readonly at: UnixSeconds | null
  /** Visits since then to pages not seen since, those found changed, and those expected to be. */
  readonly visits: number
  readonly changed: number
  readonly expected: number
  readonly record: SignalRecord
  /** Siblings that were due later than this have been asked already; null before any was. */
  readonly reached: UnixSeconds | null
  /** When the last visit that was called for is due; null where none was. */
  readonly last: UnixSeconds | null
}

/** What came of all signals of a site so far. */
export interface SignalRecord {
  /** Whether siblings are visited on signals: proved, and not disproved since. */
  readonly on: boolean
  /** What bets on "signals tell nothing" would have won, by stake. */
  readonly wealth: readonly number[]
  /** Signals that visits followed; old ones fade. */
  readonly events: number
  /** Sum and squares of the shares found changed beyond those expected, and sum of the shares not expected to be. */
  readonly sum: number
  readonly squares: number
  readonly room: number
}

/** Shares of the wealth that are staked; one is about right whatever the truth is. */
const stakes = [0.25, 0.5, 0.9]
/**
 * Calling is switched on once the wealth has grown a twentyfold. Where signals
 * tell nothing (no more changes are found than predicted), that ever happens
 * with chance 5% at most, however long one waits (Ville's inequality: the
 * wealth is a supermartingale). Off again once the wealth is back at 1.
 */
export const proof = 20
/** Wealth beyond this counts no more: a site that changes its ways is noticed within some signals. */
const mostWealth = 2 * proof
/** Each new event takes this share of what older ones count. */
const fading = 0.03
/** Standard errors between what was seen and the lift that is counted on. */
const caution = 1

const noSignalRecord: SignalRecord = {
  on: false,
  wealth: stakes.map(() => 1),
  events: 0,
  sum: 0,
  squares: 0,
  room: 0,
}

export const noSiteSignal: SiteSignal = {
  at: null,
  visits: 0,
  changed: 0,
  expected: 0,
  record: noSignalRecord,
  reached: null,
  last: null,
}

/** The change of a neighbour is a signal for so long. */
export const signalTime = 6 * HOUR
/** Siblings visited at first: they show whether the change is the whole site's. */
const firstCalls = 10
/** Siblings visited for each that was found changed: changes that go further spread, others die out. */
const callsEach = 2
/** Visits called for follow one another so far apart, whatever delay the host asks. */
export const callsApart: Seconds = 10
/** Visits called for and not yet made: no more of a site at a time. */
export const mostCalled = 50

/** A visit that compared a page of the site. */
export interface ComparedVisit {
  readonly at: UnixSeconds
  /** The visit before. */
  readonly lastSeen: UnixSeconds
  readonly changed: boolean
  /** The chance of a change predicted before the visit; null where another policy follows the page. */
  readonly chance: number | null
}

/**
 * What a visit adds: evidence, where it came soon after a signal and the page had
 * not been seen since, called for or not; and how many siblings it calls for.
 * A change is a signal where the page had been seen since the last: otherwise it
 * may be the same one, seen late, and siblings that have seen it would be
 * visited in vain. Pure.
 */
export function signalAfter(
  before: SiteSignal,
  { at, lastSeen, changed, chance }: ComparedVisit,
): { readonly changeSignal: SiteSignal; readonly calls: number } {
  const since = before.at === null ? Infinity : at - before.at
  const seenSince = before.at === null || lastSeen >= before.at
  // A clock that was set back by hours is not waited for.
  if (since >= signalTime || since <= -signalTime) {
    const isChangeSignal = changed && (seenSince || since < 0)
    if (!isChangeSignal) return { changeSignal: before, calls: 0 }
    const record = closed(before)
    return { changeSignal: { ...noSiteSignal, at, record }, calls: record.on ? firstCalls : 0 }
  }
  if (chance === null || since <= 0 || seenSince) return { changeSignal: before, calls: 0 }
  const changeSignal = {
    ...before,
    visits: before.visits + 1,
    changed: before.changed + (changed ? 1 : 0),
    expected: before.expected + chance,
  }
  return { changeSignal, calls: changed && before.record.on ? callsEach : 0 }
}

/** The record with the signal that is over: one piece of evidence, from -1 to 1, however many pages were visited. */
function closed({ visits, changed, expected, record }: SiteSignal): SignalRecord {
  if (visits === 0) return record
  const excess = Math.min(1, Math.max(-1, (changed - expected) / visits))
  const wealth = record.wealth.map((each, i) =>
    Math.min(mostWealth, Math.max(1e-3, each * (1 + stakes[i]! * excess))),
  )
  const mean = wealth.reduce((sum, each) => sum + each, 0) / wealth.length
  return {
    on: record.on ? mean > 1 : mean >= proof,
    wealth,
    events: (1 - fading) * record.events + 1,
    sum: (1 - fading) * record.sum + excess,
    squares: (1 - fading) * record.squares + excess * excess,
    room: (1 - fading) * record.room + Math.max(0, 1 - expected / visits),
  }
}

/**
 * The chance that a page changed where a neighbour did: of the pages that
 * were not expected to have changed, the share that had, less a standard
 * error; 0 while calling is off.
 */
export function signalWeight({ record: { on, events, sum, squares, room } }: SiteSignal): number {
  if (!on || !(events > 0) || !(room > 0)) return 0
  const mean = sum / events
  const variance = Math.max(0, squares / events - mean * mean) + 0.25 / events
  const least = sum - caution * Math.sqrt(variance * events)
  return Math.min(0.97, Math.max(0, least / room))
}

/** Of the pages of a site whose signals are followed, this share comes early to see the next change. */
const scouts = 0.15
/**
 * The gap of a page whose site's signals are followed. After a push all its pages
 * are visited and planned at one time; if they all came back at one time too,
 * none would see the next push early. So some come sooner. The same gap for the
 * others, and where signals are not followed. Pure.
 */
export function scoutingGap(
  gap: Seconds,
  about: {
    readonly weight: number
    readonly limits: { readonly minGap: Seconds; readonly maxGap: Seconds }
    readonly random: RandomSource
  },
): Seconds {
  const { weight, limits, random } = about
  if (weight === 0 || random.uniform() >= scouts) return gap
  return Math.min(limits.maxGap, Math.max(limits.minGap, gap * (0.1 + 0.9 * random.uniform())))
}

/** Reads what was stored; what is not ours counts as nothing known. */
export function siteSignalFrom(json: Json | undefined): SiteSignal {
  if (!Array.isArray(json) || json.length !== 13 || json[0] !== 2) return noSiteSignal
  const numbers = json as readonly Json[]
  const [, at, visits, changed, expected, reached, last, on, events, sum, squares, room] = numbers
  const counts = [visits, changed, expected, events, squares, room]
  const wealth = numbers[12]
  const sound =
    counts.every((each) => typeof each === 'number' && each >= 0 && each < 1e6) &&
    typeof sum === 'number' &&
    Array.isArray(wealth) &&
    wealth.length === stakes.length &&
    wealth.every((each) => typeof each === 'number' && each > 0 && each <= mostWealth)
  if (!sound) return noSiteSignal
  const [v, c, e, n, s, r] = counts as number[]
  return {
    at: time(at),
    visits: v!,
    changed: Math.min(v!, c!),
    expected: Math.min(v!, e!),
    record: { on: on === true, wealth: wealth as number[], events: n!, sum, squares: s!, room: r! },
    reached: time(reached),
    last: time(last),
  }
}

export function siteSignalJson(changeSignal: SiteSignal): Json {
  const { at, visits, changed, expected, record, reached, last } = changeSignal
  const { on, events, sum, squares, room, wealth } = record
  const short = (value: number) => Math.round(value * 1e6) / 1e6
  return [
    2,
    at,
    visits,
    changed,
    short(expected),
    reached,
    last,
    on,
    short(events),
    short(sum),
    short(squares),
    short(room),
    wealth.map((each) => Math.max(1e-3, short(each))),
  ]
}

function time(json: Json | undefined): UnixSeconds | null {
  return typeof json === 'number' && Number.isFinite(json) ? json : null
}
