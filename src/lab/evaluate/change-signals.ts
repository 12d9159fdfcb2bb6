import type { RandomSource, UnixSeconds } from '../../model/units.js'
import {
  type ComparedVisit,
  callsApart,
  mostCalled,
  newsAfter,
  newsWeight,
  noSiteNews,
  type SiteNews,
  scoutingGap,
} from '../../planner/collection/site-signals.js'
import { ownClock } from '../../planner/posterior/posterior.js'
import { isWorthOnNews } from '../../planner/value/best-gap.js'
import { usualLimits as limits } from '../../policies/limits.js'
import { type ReplayedPages, stages } from './replayed-pages.js'

interface NewsVisit extends ComparedVisit {
  readonly page: number
  readonly random: RandomSource
}

/**
 * Pages of a source visited on each other's changes, by the planner's own
 * rules with the source for the site: ten siblings at first, two for each that
 * was found changed, and scouts that look out for the next news.
 */
export class ReplayNews {
  readonly #replay: ReplayedPages
  readonly #bySource: SiteNews[]
  readonly #pages: number[][]
  readonly #called: Uint8Array

  constructor(replay: ReplayedPages) {
    const { sourceNames, sources } = replay.collection
    this.#replay = replay
    this.#bySource = sourceNames.map(() => noSiteNews)
    this.#pages = sourceNames.map(() => [])
    sources.forEach((source, page) => {
      this.#pages[source]!.push(page)
    })
    this.#called = new Uint8Array(sources.length)
  }

  /** Whether a page is due because a neighbour changed. */
  isCalled(page: number): boolean {
    return this.#called[page] === 1
  }

  /** What came of a source's news so far. */
  of(source: number): SiteNews {
    return this.#bySource[source]!
  }

  /** After a visit whose next one has been planned. */
  after(visit: NewsVisit): void {
    const { page, at, random } = visit
    const { due, collection } = this.#replay
    const source = collection.sources[page]!
    const { news, calls } = newsAfter(this.#bySource[source]!, visit)
    const weight = newsWeight(news)
    this.#called[page] = 0
    if (weight > 0) due.set(page, at + scoutingGap(due.at(page) - at, { weight, limits, random }))
    const called = calls > 0 && weight > 0
    this.#bySource[source] = called ? this.#call(source, { news, calls, visit }) : news
  }

  #call(
    source: number,
    { news, calls, visit }: { news: SiteNews; calls: number; visit: NewsVisit },
  ): SiteNews {
    const { due } = this.#replay
    const { at: now, page } = visit
    let { reached, last } = news
    let left = calls
    const siblings = this.#pages[source]!.filter(
      (each) => each !== page && due.at(each) <= (reached ?? Infinity),
    )
    for (const sibling of siblings.sort((a, b) => due.at(b) - due.at(a))) {
      const at = Math.max(now, last ?? now) + callsApart
      const planned = due.at(sibling)
      if (left === 0 || planned <= at || at > now + mostCalled * callsApart) break
      reached = planned
      if (!this.#isWorth(sibling, { news, at })) continue
      this.#called[sibling] = 1
      due.set(sibling, at)
      last = at
      left--
    }
    return { ...news, reached, last }
  }

  #isWorth(sibling: number, { news, at: now }: { news: SiteNews; at: UnixSeconds }): boolean {
    const { price, states, stage } = this.#replay
    if (stage[sibling] !== stages.followed || this.isCalled(sibling)) return false
    const { at, memory } = states[sibling]!
    const elapsed = now - at
    if (at >= news.at! || elapsed < limits.minGap) return false
    const learner = this.#replay.learnerOf(sibling)
    const belief = learner.belief(memory)
    const problem = {
      clock: ownClock(learner.law.clock, belief),
      price,
      objective: this.#replay.objective,
    }
    return isWorthOnNews(belief, { at, elapsed, weight: newsWeight(news), problem })
  }
}
