import { type History, type Observation, splitUnchanged } from '../../model/history.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'

/** Reported by the server in Last-Modified, or put in the middle of the gap that saw the change. */
export type UpdateKind = 'last-modified' | 'mid-gap'

/** One update, as far as visits can tell when it happened. */
export interface UpdatePoint {
  readonly at: UnixSeconds
  readonly kind: UpdateKind
  /** The last visit before the update was seen, and the visit that saw it. */
  readonly after: UnixSeconds
  readonly seenAt: UnixSeconds
}

/** The updates of one page in order, and the time in which they were looked for. */
export interface UpdateSeries {
  /** Where t = 0 lies. */
  readonly origin: UnixSeconds
  /** The last visit. */
  readonly until: UnixSeconds
  /** Strictly increasing in time, all after the origin. */
  readonly points: readonly UpdatePoint[]
}

export interface UpdatePointOptions {
  /**
   * Where t = 0 lies: at the first visit (the default), or at the update its
   * content age tells, where it tells one. The second is a true update point,
   * but the gap it opens was caught because it was long, so it is too long on
   * average.
   */
  readonly origin?: 'first-visit' | 'first-content-age'
}

/**
 * Update points of a page: the reported time where there is one, else the middle
 * of the gap, each tagged with its kind, so that both ways of seeing a change
 * make one series. A visit that found nothing new may still tell when the
 * change before it happened; that counts too. Several changes in one gap count
 * as one. O(n).
 *
 * Singh 2007, sections 1.1 and 1.2.
 */
export function updatePoints(history: History, options: UpdatePointOptions = {}): UpdateSeries {
  const { start, observations } = splitUnchanged(history)
  const points: UpdatePoint[] = []
  let changedAt: UnixSeconds | undefined
  for (let i = observations.length - 1; i >= 0; i--) {
    const observation = observations[i]!
    changedAt = changedAtBy(observation) ?? changedAt
    if (!observation.changed) continue
    points.push(pointOf(observation, changedAt))
    changedAt = undefined
  }
  const known = options.origin === 'first-content-age' ? (start.contentAge ?? 0) : 0
  const until = observations.at(-1)?.at ?? start.at
  return { origin: start.at - known, until, points: points.reverse() }
}

function changedAtBy({ at, contentAge }: Observation): UnixSeconds | undefined {
  return contentAge === undefined ? undefined : at - contentAge
}

/** A reported time outside its own gap (clocks differ) is not used: points would run backwards. */
function pointOf({ at, gap }: Observation, changedAt: UnixSeconds | undefined): UpdatePoint {
  const after = at - gap
  if (changedAt !== undefined && changedAt > after && changedAt <= at)
    return { at: changedAt, kind: 'last-modified', after, seenAt: at }
  return { at: middleOf({ after, at, gap }), kind: 'mid-gap', after, seenAt: at }
}

/** The end of the gap where it is too short for a number to lie inside it. */
function middleOf(gap: { after: UnixSeconds; at: UnixSeconds; gap: Seconds }): UnixSeconds {
  const middle = gap.at - gap.gap / 2
  return middle > gap.after ? middle : gap.at
}

/** Time since `origin` of each point: the t of every fit. */
export function elapsedSince(origin: UnixSeconds, points: readonly UpdatePoint[]): Seconds[] {
  return points.map((point) => point.at - origin)
}
