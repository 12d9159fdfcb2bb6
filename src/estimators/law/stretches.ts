import { OptionError } from '../../model/errors.js'
import { type History, type Observation, splitUnchanged } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'

/** Visits compared one with the next without a break, as columns. */
export interface Stretch {
  readonly times: Float64Array
  /** 1 where a change was seen between times[j] and times[j + 1]. */
  readonly changed: Uint8Array
  /** Content age at each visit; NaN where it is not known. */
  readonly contentAges: Float64Array
}

/**
 * A history as columns. A million visits as a History are a million objects;
 * every method of this room takes either, and makes columns of a History first.
 */
export interface Stretches {
  readonly stretches: readonly Stretch[]
}

/**
 * Splits a history where a gap does not begin at the visit before it (the page
 * was compared in a new way): no pair of visits may straddle such a break.
 *
 * An unchanged visit that reported no content age has that of the visit before,
 * plus the gap; without this, servers that send Last-Modified only with new
 * content would make every known content age a young one. O(n).
 */
export function stretchesOf(known: History | Stretches): readonly Stretch[] {
  if ('stretches' in known) return known.stretches
  const history = splitUnchanged(known)
  const out: Stretch[] = []
  const all = history.observations
  for (let from = 0; from < all.length; ) {
    let to = from + 1
    while (to < all.length && !breaksBefore(all[to - 1]!.at, all[to]!)) to++
    out.push(stretch(history, { from, to }))
    from = to
  }
  return out
}

/** How many gaps the stretches hold. */
export function gapsIn(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { changed }) => sum + changed.length, 0)
}

/** What the gaps saw: no change in any, a change in each, or both. O(n). */
export function seenIn(stretches: readonly Stretch[]): 'none' | 'all' | 'some' {
  const saw = (change: number) => stretches.some(({ changed }) => changed.includes(change))
  return saw(1) ? (saw(0) ? 'some' : 'all') : 'none'
}

/** Whether an observation's gap begins elsewhere than at the visit before it. */
export function breaksBefore(previous: number, observation: Observation): boolean {
  const begin = observation.at - observation.gap
  const rounding = 8 * Number.EPSILON * Math.max(Math.abs(observation.at), Math.abs(previous))
  return Math.abs(begin - previous) > rounding + 1e-9 * observation.gap
}

function stretch(history: History, { from, to }: { from: number; to: number }): Stretch {
  const times = new Float64Array(to - from + 1)
  const changed = new Uint8Array(to - from)
  const contentAges = new Float64Array(to - from + 1).fill(Number.NaN)
  const first = history.observations[from]!
  const atStart = from === 0 && !breaksBefore(history.start.at, first)
  times[0] = atStart ? history.start.at : first.at - first.gap
  if (atStart) contentAges[0] = history.start.contentAge ?? Number.NaN
  for (let i = from; i < to; i++) {
    const seen = history.observations[i]!
    const j = i - from + 1
    times[j] = seen.at
    changed[j - 1] = seen.changed ? 1 : 0
    const carried = seen.changed ? Number.NaN : contentAges[j - 1]! + seen.gap
    contentAges[j] = seen.contentAge ?? carried
  }
  return { times, changed, contentAges }
}

/** The mean gap, and whether all gaps lie within 5% of each other. O(n). */
export function equalGaps(stretches: readonly Stretch[]): { delta: Seconds; equal: boolean } {
  const gaps = gapsIn(stretches)
  if (gaps === 0)
    throw new OptionError('no-gap', 'a history of one visit has no gap; ask for its verdict first')
  let total = 0
  let shortest = Infinity
  let longest = 0
  for (const { times } of stretches)
    for (let j = 1; j < times.length; j++) {
      const gap = times[j]! - times[j - 1]!
      total += gap
      shortest = Math.min(shortest, gap)
      longest = Math.max(longest, gap)
    }
  const delta = total / gaps
  return { delta, equal: longest - shortest <= 0.05 * delta }
}

/** Runs counted in gaps: a gap that saw a change, and the unchanged gaps after it. */
export interface Runs {
  /** Runs that ended in another seen change. */
  readonly complete: readonly number[]
  /** The last run of each stretch, cut off by the end of watching. */
  readonly open: readonly number[]
}

/**
 * Cuts stretches into runs; what came before the first seen change of each
 * stretch belongs to none, for its begin is unknown. O(n).
 */
export function runsOf(stretches: readonly Stretch[]): Runs {
  const complete: number[] = []
  const open: number[] = []
  for (const { changed } of stretches) {
    let length = 0
    for (const change of changed) {
      if (change === 1) {
        if (length > 0) complete.push(length)
        length = 1
      } else if (length > 0) length++
    }
    if (length > 0) open.push(length)
  }
  return { complete, open }
}

/** How many runs are at least 1, 2, 3, ... gaps long. O(runs + longest). */
export function countLasting(lengths: Iterable<number>): Float64Array {
  const counts = countOf(lengths)
  for (let n = counts.length - 2; n >= 0; n--) counts[n]! += counts[n + 1]!
  return counts
}

/** How many runs are exactly 1, 2, 3, ... gaps long. */
export function countOf(lengths: Iterable<number>): Float64Array {
  const list = [...lengths]
  const counts = new Float64Array(list.reduce((a, b) => Math.max(a, b), 0))
  for (const length of list) counts[length - 1]! += 1
  return counts
}
