import type { Seconds, UnixSeconds } from '../model/units.js'

/**
 * What a page's visits achieved, added up stretch by stretch. Counts and
 * integrals only, so the scores of many pages add up too.
 *
 * The copy is fresh from a visit until the page's first change after it; copy
 * age is the time since then. `late` counts again from `warmUp` after the
 * start, when a policy has had time to learn.
 *
 * The delay of a change runs until the visit that notices it, or until the end
 * where none does. The mean needs a sum only; whoever asks for `notices` gets,
 * for quantiles, each moment at which changes were noticed, at 16 bytes each.
 */
export class Scores {
  time = 0
  freshTime = 0
  /** Integral of the copy age over time. */
  copyAgeTime = 0
  lateTime = 0
  lateFreshTime = 0
  lateCopyAgeTime = 0
  /** Successful visits, the first of each page among them. */
  visits = 0
  firstVisits = 0
  /** Changes of the page itself. */
  changes = 0
  /** Visits that found a change. */
  caught = 0
  /** Visits that found none: needless in Hattab's words, premature in Singh's. */
  needless = 0
  /** Sum over the changes of the moment at which each was noticed: less the sum of their times, it is the delay in all. */
  noticedAt = 0
  /** Moment and number of changes noticed then, one after the other, in order of time; null where they are not kept. */
  notices: number[] | null

  constructor({ notices = false }: { readonly notices?: boolean } = {}) {
    this.notices = notices ? [] : null
  }

  begin(): void {
    this.visits++
    this.firstVisits++
  }

  /** A stretch between two visits, or from the last one to the end; `lateFrom` is when lateness begins. */
  stretch(s: {
    from: UnixSeconds
    to: UnixSeconds
    firstChange: UnixSeconds
    changes: number
    lateFrom: UnixSeconds
  }): void {
    const fresh = Math.min(s.firstChange, s.to)
    const stale = s.to - fresh
    this.time += s.to - s.from
    this.freshTime += fresh - s.from
    this.copyAgeTime += (stale * stale) / 2
    if (s.changes > 0) {
      this.changes += s.changes
      this.noticedAt += s.changes * s.to
      this.notices?.push(s.to, s.changes)
    }
    if (s.to > s.lateFrom) this.#late(s.from, fresh, s)
  }

  visit(changed: boolean): void {
    this.visits++
    if (changed) this.caught++
    else this.needless++
  }

  /** Adds all but the notices, which are one page's. */
  add(other: Scores): void {
    this.time += other.time
    this.freshTime += other.freshTime
    this.copyAgeTime += other.copyAgeTime
    this.lateTime += other.lateTime
    this.lateFreshTime += other.lateFreshTime
    this.lateCopyAgeTime += other.lateCopyAgeTime
    this.visits += other.visits
    this.firstVisits += other.firstVisits
    this.changes += other.changes
    this.caught += other.caught
    this.needless += other.needless
    this.noticedAt += other.noticedAt
  }

  /** Share of the time in which the copy equalled the page. */
  get freshness(): number {
    return this.time > 0 ? this.freshTime / this.time : 1
  }

  get lateFreshness(): number {
    return this.lateTime > 0 ? this.lateFreshTime / this.lateTime : this.freshness
  }

  /** Mean copy age over time. */
  get copyAge(): Seconds {
    return this.time > 0 ? this.copyAgeTime / this.time : 0
  }

  /** Share of the page's changes that a visit noticed (several in one gap count once). */
  get caughtShare(): number {
    return this.changes > 0 ? this.caught / this.changes : 1
  }

  #late(
    from: UnixSeconds,
    fresh: UnixSeconds,
    { to, lateFrom }: { to: UnixSeconds; lateFrom: UnixSeconds },
  ): void {
    const start = Math.max(from, lateFrom)
    const end = to - fresh
    const already = Math.max(0, start - fresh)
    this.lateTime += to - start
    this.lateFreshTime += Math.max(0, fresh - start)
    this.lateCopyAgeTime += (end * end - already * already) / 2
  }
}
