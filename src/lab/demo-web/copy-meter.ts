import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { Clock, UnixSeconds } from '../../model/units.js'
import { Scores } from '../scores.js'
import type { LivePage } from './live-site.js'

/** Refuses what is not yet: a walk into the future would forget the present. */
export function checkPast(clock: Clock, at: UnixSeconds): void {
  const now = clock.now()
  if (at <= now) return
  throw new OptionError(
    'time-in-future',
    `${humanTime(at)} is not yet: the demo's clock shows ${humanTime(now)}; ask for times up to now`,
  )
}

/** One visit to a page, as far as it matters for the copy. */
export interface CopyVisit {
  readonly at: UnixSeconds
  /** The server said "not modified" (304): the copy stays what it was, whether that is true or not. */
  readonly notModified?: boolean
}

/**
 * How fresh a copy of one page really was, added up visit by visit. Only
 * visits that succeeded count: a failed one leaves the copy as it is. What
 * follows the page's end (410) does not count.
 *
 * Keeps a few numbers, and asks the page only about the time since it was
 * asked before, so a long run needs no long memory.
 */
export class CopyMeter {
  readonly #page: LivePage
  readonly #clock: Clock
  readonly #closed = new Scores()
  #visitedAt = -Infinity
  #copiedAt = Number.NaN
  #copiedVersion = 0
  #measuredTo = Number.NaN
  /** The first change after the copy, as far as looked. */
  #staleFrom = Infinity

  constructor({ page, clock }: { readonly page: LivePage; readonly clock: Clock }) {
    this.#page = page
    this.#clock = clock
  }

  /** When the page goes away; Infinity if it stays. */
  get goneAt(): UnixSeconds {
    return this.#page.goneAt
  }

  visit({ at, notModified = false }: CopyVisit): void {
    checkPast(this.#clock, at)
    if (!(at > this.#visitedAt))
      throw new OptionError(
        'time-not-forward',
        'the visits of a copy must go forward in time; sort them',
      )
    this.#visitedAt = at
    if (at > this.#page.goneAt) return
    if (Number.isNaN(this.#copiedAt)) this.#closed.begin()
    else if (notModified) this.#closed.visit(false)
    else this.#closed.visit(this.#addStretch(this.#closed, at) > 0)
    if (Number.isNaN(this.#copiedAt) || !notModified) this.#copy(at)
  }

  /** The scores up to a moment; nothing is counted before the first visit. */
  scores({ until = this.#clock.now() }: { readonly until?: UnixSeconds } = {}): Scores {
    checkPast(this.#clock, until)
    const scores = new Scores()
    scores.add(this.#closed)
    const to = this.#page.living(until)
    if (to > this.#copiedAt) this.#addStretch(scores, to)
    return scores
  }

  /** Whether the copy equals the page now; null where there is no copy, or no page any more. */
  freshNow(): boolean | null {
    const now = this.#clock.now()
    if (Number.isNaN(this.#copiedAt) || now > this.#page.goneAt) return null
    this.#addStretch(new Scores(), Math.max(now, this.#copiedAt))
    return this.#staleFrom > now
  }

  #copy(at: UnixSeconds): void {
    this.#copiedAt = this.#measuredTo = at
    this.#copiedVersion = this.#page.versionAt(at)
    this.#staleFrom = Infinity
  }

  /** Adds the time since the copy was taken; gives the page's changes in it. */
  #addStretch(scores: Scores, to: UnixSeconds): number {
    if (this.#staleFrom === Infinity && to > this.#measuredTo) {
      this.#staleFrom = this.#page.log.firstBetween({ from: this.#measuredTo, to })
      this.#measuredTo = to
    }
    const changes = this.#page.versionAt(to) - this.#copiedVersion
    const span = { from: this.#copiedAt, to, firstChange: this.#staleFrom, changes }
    scores.stretch({ ...span, lateFrom: Infinity })
    return changes
  }
}

/**
 * A fixed schedule that keeps step with a visitor: for each request that the
 * visitor makes, it makes one too, virtually, on its next page in turn. So it
 * has used as many requests at every moment, however long the run; pages that
 * are gone cost it nothing.
 */
export class RoundRobin {
  readonly #meters: readonly CopyMeter[]
  #next = 0

  constructor(meters: readonly CopyMeter[]) {
    if (meters.length === 0)
      throw new OptionError('no-pages', 'a round needs at least one page; give its address')
    this.#meters = meters
  }

  /** One request at a moment, not before the one that precedes it. */
  request({ at }: { readonly at: UnixSeconds }): void {
    for (let tried = 0; tried < this.#meters.length; tried++) {
      const meter = this.#meters[this.#next]!
      this.#next = (this.#next + 1) % this.#meters.length
      if (meter.goneAt < at) continue
      meter.visit({ at })
      return
    }
  }

  scores(options: { readonly until?: UnixSeconds } = {}): Scores {
    const scores = new Scores()
    for (const meter of this.#meters) scores.add(meter.scores(options))
    return scores
  }
}
