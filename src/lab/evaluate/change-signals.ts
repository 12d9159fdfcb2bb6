import type { RandomSource, UnixSeconds } from '../../model/units.js'
import {
  type ComparedVisit,
  callsApart,
  mostCalled,
  noSiteSignal,
  type SiteSignal,
  scoutingGap,
  signalAfter,
  signalWeight,
} from '../../planner/collection/site-signals.js'
import { ownClock } from '../../planner/posterior/posterior.js'
import { paysOnSignal } from '../../planner/value/best-gap.js'
import { usualLimits as limits } from '../../policies/limits.js'
import { type ReplayedPages, stages } from './replayed-pages.js'

interface SignalVisit extends ComparedVisit {
  readonly page: number
  readonly random: RandomSource
}

/**
 * Pages of a source visited on each other's changes, by the planner's own
 * rules with the source for the site: ten siblings at first, two for each that
 * was found changed, and scouts that come early to see the next change.
 */
export class ReplaySignals {
  readonly #replay: ReplayedPages
  readonly #bySource: SiteSignal[]
  readonly #pages: number[][]
  readonly #called: Uint8Array

  constructor(replay: ReplayedPages) {
    const { sourceNames, sources } = replay.collection
    this.#replay = replay
    this.#bySource = sourceNames.map(() => noSiteSignal)
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

  /** What came of a source's signals so far. */
  of(source: number): SiteSignal {
    return this.#bySource[source]!
  }

  /** After a visit whose next one has been planned. */
  after(visit: SignalVisit): void {
    const { page, at, random } = visit
    const { due, collection } = this.#replay
    const source = collection.sources[page]!
    const { changeSignal, calls } = signalAfter(this.#bySource[source]!, visit)
    const weight = signalWeight(changeSignal)
    this.#called[page] = 0
    if (weight > 0) due.set(page, at + scoutingGap(due.at(page) - at, { weight, limits, random }))
    const called = calls > 0 && weight > 0
    this.#bySource[source] = called
      ? this.#call(source, { changeSignal, calls, visit })
      : changeSignal
  }

  #call(
    source: number,
    { changeSignal, calls, visit }: { changeSignal: SiteSignal; calls: number; visit: SignalVisit },
  ): SiteSignal {
    const { due } = this.#replay
    const { at: now, page } = visit
    let { reached, last } = changeSignal
    let left = calls
    const siblings = this.#pages[source]!.filter(
      (each) => each !== page && due.at(each) <= (reached ?? Infinity),
    )
    for (const sibling of siblings.sort((a, b) => due.at(b) - due.at(a))) {
      const at = Math.max(now, last ?? now) + callsApart
      const planned = due.at(sibling)
      if (left === 0 || planned <= at || at > now + mostCalled * callsApart) break
      reached = planned
      if (!this.#pays(sibling, { changeSignal, at })) continue
      this.#called[sibling] = 1
      due.set(sibling, at)
      last = at
      left--
    }
    return { ...changeSignal, reached, last }
  }

  #pays(
    sibling: number,
    { changeSignal, at: now }: { changeSignal: SiteSignal; at: UnixSeconds },
  ): boolean {
    const { price, states, stage } = this.#replay
    if (stage[sibling] !== stages.followed || this.isCalled(sibling)) return false
    const { at, memory } = states[sibling]!
    const elapsed = now - at
    if (at >= changeSignal.at! || elapsed < limits.minGap) return false
    const learner = this.#replay.learnerOf(sibling)
    const posterior = learner.posterior(memory)
    const problem = {
      clock: ownClock(learner.law.clock, posterior),
      price,
      objective: this.#replay.objective,
    }
    return paysOnSignal(posterior, { at, elapsed, weight: signalWeight(changeSignal), problem })
  }
}
