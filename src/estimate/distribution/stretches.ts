import { type History, type Observation, splitCalm } from '../../model/index.js'

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
 * An unchanged visit that told no content age has that of the visit before,
 * plus the gap; without this, servers that send Last-Modified only with new
 * content would make every known content age a young one. O(n).
 */
export function stretchesOf(known: History | Stretches): readonly Stretch[] {
  if ('stretches' in known) return known.stretches
  const history = splitCalm(known)
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
