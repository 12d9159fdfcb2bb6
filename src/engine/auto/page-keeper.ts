import {
  DAY,
  type Due,
  historyOf,
  type PageRecord,
  type RandomSource,
  type Store,
  type UnixSeconds,
} from '../../model/index.js'
import { keptView } from '../hints/heard-hints.js'
import { pageHintsFrom } from '../hints/kept-hints.js'
import { dueByNews } from '../hints/list-news.js'
import { isCalled } from '../neighbours/siblings.js'
import { packState, unpackState } from '../packed-state.js'
import { stateFrom } from '../state-from.js'
import { type Mind, reconsider } from '../step.js'
import { runningGap } from './census.js'

export interface KeeperParts {
  readonly store: Store
  readonly collection: string
  readonly worker: string
  readonly random: RandomSource
  readonly mindFor: (page: PageRecord) => Mind
  readonly pause: () => Promise<void>
}

const slice = 250
/** Visits that a state is rebuilt from. */
const rebuiltFrom = 1_000
/** Held no longer by one slice of work. */
const leaseTime = 600

/** What unwatching writes where a page's past is kept: such a page is left alone. */
export const noLongerWatched = 'no longer watched; its past is kept'

export function isKeptOnly({ due }: PageRecord): boolean {
  return due.at === 'never' && due.reason === noLongerWatched
}

/**
 * Reads a collection's pages slice by slice, and changes what is planned for
 * them while nobody else may: pages that are being visited are left to the
 * visit.
 */
export class PageKeeper {
  readonly #parts: KeeperParts

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** All pages that are followed. */
  async *pages(signal?: AbortSignal): AsyncGenerator<PageRecord> {
    const { store, collection, pause } = this.#parts
    let after: string | undefined
    while (!signal?.aborted) {
      const next = after === undefined ? {} : { after }
      const list = await store.listPages({ collection, limit: slice, ...next })
      yield* list.pages.filter((page) => !isKeptOnly(page))
      await pause()
      if (list.next === null) return
      after = list.next
    }
  }

  /** Whether this page's numbers are another learner's. */
  isForeign(page: PageRecord): boolean {
    const { mindFor, random } = this.#parts
    return page.lastSeen !== null && unpackState(mindFor(page), page, random) === null
  }

  /** The state of another learner is rebuilt from the recorded visits, and the next visit planned anew. */
  async takeOver(met: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    const { store, random, mindFor } = this.#parts
    const [changed] = await this.#held([met], now, async (page) => {
      const mind = mindFor(page)
      const history = historyOf(await store.visitsOf(page, { newest: rebuiltFrom }))
      if (history === null) return page
      const state = packState(mind, stateFrom(mind, history, random))
      const due = isWaiting(page) ? this.#planned({ ...page, state }, now) : page.due
      return (await store.changePage(page, { state, due })) ?? page
    })
    return changed ?? met
  }

  /** Next visits by what is believed now, where they fall another quarter of the gap away. */
  async replan(
    pages: AsyncIterable<PageRecord> | Iterable<PageRecord>,
    now: UnixSeconds,
  ): Promise<void> {
    let some: PageRecord[] = []
    for await (const page of pages) {
      if (this.#isElsewhere(page, now)) some.push(page)
      if (some.length < slice) continue
      await this.#write(some, now)
      some = []
    }
    await this.#write(some, now)
  }

  async #write(pages: readonly PageRecord[], now: UnixSeconds): Promise<void> {
    await this.#held(pages, now, async (page) => {
      if (!this.#isElsewhere(page, now)) return page
      const due = this.#planned(page, now)
      return (await this.#parts.store.changePage(page, { due })) ?? page
    })
  }

  /** The due time by what is believed; one overdue by it waits for a moment of the day of its own. */
  #planned(page: PageRecord, now: UnixSeconds): Due {
    const { random } = this.#parts
    const due = this.#wanted(page, now)
    if (due.at === 'never' || due.at > now) return due
    return { at: now + random.uniform() * DAY, reason: due.reason }
  }

  /** By what is believed, what its hints were worth at the last visit, and what lists told since. */
  #wanted(page: PageRecord, now: UnixSeconds): Due {
    const { mindFor, random } = this.#parts
    const mind = mindFor(page)
    const state = unpackState(mind, page, random)!
    state.changed = page.lastVisit?.outcome === 'changed'
    if (mind.policy.moved === undefined || page.hints === null) return reconsider(mind, state).due
    const hints = keptView(pageHintsFrom(page.hints), { visits: page.visits })
    state.hints = hints
    const { due, state: next } = reconsider(mind, state)
    const waiting = { lastSeen: page.lastSeen, plannedGap: next.plannedGap, now }
    return dueByNews(mind, next, { hints, waiting, due }) ?? due
  }

  #isElsewhere(page: PageRecord, now: UnixSeconds): boolean {
    const gap = runningGap(page)
    if (gap === null || !isWaiting(page) || this.isForeign(page)) return false
    const { at } = this.#wanted(page, now)
    if (at === 'never') return true
    return Math.abs(Math.max(now, at) - page.lastSeen! - gap) > 0.25 * gap
  }

  async #held(
    pages: readonly PageRecord[],
    now: UnixSeconds,
    work: (page: PageRecord) => Promise<PageRecord>,
  ): Promise<PageRecord[]> {
    if (pages.length === 0) return []
    const { store, worker, pause } = this.#parts
    const leases = await store.leasePages({ pages, worker: `${worker}:plan`, now, ttl: leaseTime })
    const changed: PageRecord[] = []
    try {
      for (const { page } of leases) {
        changed.push(await work(page))
        if (changed.length % 20 === 0) await pause()
      }
    } finally {
      await store.releaseLeases(leases)
    }
    return changed
  }
}

/** A page whose next visit its policy chose, not a failure or a neighbour. */
function isWaiting(page: PageRecord): boolean {
  return page.failing === 0 && page.gone === 0 && !isKeptOnly(page) && !isCalled(page)
}
