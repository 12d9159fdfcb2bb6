import {
  callsApart,
  type HeardVisit,
  type HostNews,
  mostCalled,
  newsAfter,
  spreadGap,
} from '../../engine/index.js'
import type { RandomSource, Seconds, UnixSeconds } from '../../model/index.js'
import { usualLimits as limits, newsLift, worthNewsVisit } from '../../schedule/index.js'
import type { AutoGroup } from './auto-group.js'

export interface ReplayNewsParts {
  /** When each page is due; written. */
  readonly due: Float64Array
  readonly price: () => number
  /** How long a copy taken at `at` should stay fresh within a gap. */
  readonly freshTime: (page: number, stretch: { at: UnixSeconds; gap: Seconds }) => Seconds
  /** When a page was last seen; null for one that is not followed. */
  readonly lastSeen: (page: number) => UnixSeconds | null
}

interface NewsVisit extends HeardVisit {
  readonly page: number
  readonly random: RandomSource
}

/**
 * Pages of a source told of each other's changes, by the engine's own rules
 * (`engine/neighbours`) with the source for the site: ten siblings at first,
 * two for each that was found changed, plans kept and spread.
 */
export class ReplayNews {
  readonly #parts: ReplayNewsParts
  /** When a page was due before it was called for; NaN where it was not. */
  readonly #planned: Float64Array

  constructor(parts: ReplayNewsParts) {
    this.#parts = parts
    this.#planned = new Float64Array(parts.due.length).fill(Number.NaN)
  }

  /** Forgets that a page was called for: its plan was made anew. */
  forget(page: number): void {
    this.#planned[page] = Number.NaN
  }

  /** After a visit whose next one has been planned. */
  after(group: AutoGroup, visit: NewsVisit): void {
    const { news, calls } = newsAfter(group.news, visit)
    this.#plan(visit, news)
    const tells = calls > 0 && newsLift(news.tally) > 0
    group.news = !tells ? news : this.#call(group, { news, calls, visit })
  }

  #plan({ page, at, random }: NewsVisit, { tally }: HostNews): void {
    const { due, price, freshTime } = this.#parts
    const planned = this.#planned[page]!
    this.#planned[page] = Number.NaN
    if (planned > at) due[page] = planned
    else {
      const fresh = (gap: Seconds) => freshTime(page, { at, gap })
      const terms = { tally, price: price(), limits, random, freshTime: fresh }
      due[page] = at + spreadGap(due[page]! - at, terms)
    }
  }

  #call(
    group: AutoGroup,
    { news, calls, visit }: { news: HostNews; calls: number; visit: NewsVisit },
  ): HostNews {
    const { due } = this.#parts
    const { at: now, page } = visit
    let { reached, last } = news
    let left = calls
    const siblings = group.pages.filter(
      (each) => each !== page && due[each]! <= (reached ?? Infinity),
    )
    for (const sibling of siblings.sort((a, b) => due[b]! - due[a]!)) {
      const at = Math.max(now, last ?? now) + callsApart
      if (left === 0 || due[sibling]! <= at || at > now + mostCalled * callsApart) break
      reached = due[sibling]!
      if (!this.#isWorth(sibling, { news, at })) continue
      this.#planned[sibling] = reached
      due[sibling] = at
      last = at
      left--
    }
    return { ...news, reached, last }
  }

  #isWorth(sibling: number, { news, at }: { news: HostNews; at: UnixSeconds }): boolean {
    const { due, price, lastSeen, freshTime } = this.#parts
    const seen = lastSeen(sibling)
    if (seen === null || seen >= news.at! || at - seen < limits.minGap) return false
    if (!Number.isNaN(this.#planned[sibling]!)) return false
    const untilDue = due[sibling]! - at
    const fresh = () => freshTime(sibling, { at, gap: untilDue })
    return worthNewsVisit(news.tally, { untilDue, freshTime: fresh, price: price() })
  }
}
