import {
  DAY,
  type Due,
  historyOf,
  type LearnerState,
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
import { runningGap, shortestOwnGap } from './census.js'

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

/** Whether a change of what was chosen for a page moves its next visit. */
export function movesPlan(change: {
  readonly settings?: object | undefined
  readonly importance?: number | undefined
}): boolean {
  const { settings = {}, importance } = change
  return importance !== undefined || ['policy', 'shortest', 'longest'].some((it) => it in settings)
}

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

  /**
   * The next visit by what is believed and by the page's settings as they are
   * now. The state of another learner is rebuilt from the recorded visits.
   */
  async planAnew(met: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    const { store } = this.#parts
    const [changed] = await this.#held([met], now, async (page) => {
      const state = this.isForeign(page) ? await this.#rebuilt(page) : page.state
      if (page.lastSeen === null || state === null) return page
      const due = isWaiting(page) ? this.#planned({ ...page, state }, now) : page.due
      return (await store.changePage(page, { state, due })) ?? page
    })
    return changed ?? met
  }

  async #rebuilt(page: PageRecord): Promise<LearnerState | null> {
    const { store, random, mindFor } = this.#parts
    const mind = mindFor(page)
    const history = historyOf(await store.visitsOf(page, { newest: rebuiltFrom }))
    return history && packState(mind, stateFrom(mind, history, random))
  }

  /** Next visits by what is believed now, where they fall another quarter of the gap away, or as much as is said. */
  async replan(
    pages: AsyncIterable<PageRecord> | Iterable<PageRecord>,
    { now, apart = 0.25 }: { readonly now: UnixSeconds; readonly apart?: number },
  ): Promise<void> {
    let some: PageRecord[] = []
    for await (const page of pages) {
      if (this.isForeign(page)) await this.planAnew(page, now)
      else if (this.#isElsewhere(page, { now, apart })) some.push(page)
      if (some.length < slice) continue
      await this.#write(some, { now, apart })
      some = []
    }
    await this.#write(some, { now, apart })
  }

  async #write(
    pages: readonly PageRecord[],
    { now, apart }: { readonly now: UnixSeconds; readonly apart: number },
  ): Promise<void> {
    await this.#held(pages, now, async (page) => {
      if (this.isForeign(page) || !this.#isElsewhere(page, { now, apart })) return page
      const due = this.#planned(page, now)
      return (await this.#parts.store.changePage(page, { due })) ?? page
    })
  }

  /** The due time by what is believed; one overdue by it waits for a moment of its own, of the day or of its gap. */
  #planned(page: PageRecord, now: UnixSeconds): Due {
    const { random } = this.#parts
    const due = this.#wanted(page, now)
    if (due.at === 'never' || due.at > now) return due
    const within = Math.min(DAY, due.at - page.lastSeen!)
    return { at: now + random.uniform() * within, reason: due.reason }
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

  #isElsewhere(
    page: PageRecord,
    { now, apart }: { readonly now: UnixSeconds; readonly apart: number },
  ): boolean {
    const gap = runningGap(page, { shortest: shortestOwnGap })
    if (gap === null || !isWaiting(page)) return false
    const { at } = this.#wanted(page, now)
    if (at === 'never') return true
    return Math.abs(Math.max(now, at) - page.lastSeen! - gap) > apart * gap
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
