import {
  historyOf,
  type LearnerState,
  type PageRecord,
  type Store,
  type UnixSeconds,
} from '../../model/index.js'
import { isElsewhere, runningGap, shortestOwnGap } from '../../planner/index.js'
import { isPutOff } from '../due-within.js'
import { packState, unpackState } from '../packed-state.js'
import { stateFrom } from '../state-from.js'
import { firstStep } from '../step.js'
import { NextDue, type NextDueParts } from './next-due.js'
import { isKeptOnly, isWaiting } from './waiting-page.js'

export interface KeeperParts extends NextDueParts {
  readonly store: Store
  readonly collection: string
  readonly worker: string
  readonly pause: () => Promise<void>
}

/** When visits are planned anew, and how far a new time must lie from the old one, as a share of the gap. */
interface Replan {
  readonly now: UnixSeconds
  readonly apart?: number | undefined
}

const slice = 250
/** Visits that a state is rebuilt from. */
const rebuiltFrom = 1_000
/** Held no longer by one slice of work. */
const leaseTime = 600

/**
 * Reads a collection's pages slice by slice, and changes what is planned for
 * them while nobody else may: pages that are being visited are left to the
 * visit, unless a person has changed what was chosen for them.
 */
export class PageKeeper {
  readonly #parts: KeeperParts
  readonly #due: NextDue

  constructor(parts: KeeperParts) {
    this.#parts = parts
    this.#due = new NextDue(parts)
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

  /** The next visit by what is believed and by the page's settings as they are now. */
  async planAnew(met: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    return (await this.#anew(met, now)) ?? this.#plannedMeanwhile(met, now)
  }

  /** The same where nobody is visiting it: a page whose numbers are another learner's is left to its visit. */
  async takeOver(met: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    return (await this.#anew(met, now)) ?? met
  }

  /** The state of another learner is rebuilt from the recorded visits. Undefined while somebody visits it. */
  async #anew(met: PageRecord, now: UnixSeconds): Promise<PageRecord | undefined> {
    const { store } = this.#parts
    const [changed] = await this.#held([met], now, async (page) => {
      if (isNew(page)) return this.#reopened(page, now)
      const state = this.isForeign(page) ? await this.#rebuilt(page) : page.state
      if (page.lastSeen === null || state === null) return page
      const due = isWaiting(page) ? this.#due.planned({ ...page, state }, now) : page.due
      return (await store.changePage(page, { state, due })) ?? page
    })
    return changed
  }

  /** The visit that is under way would plan it by what was chosen before: the due time is set now, and outlives it. */
  async #plannedMeanwhile(page: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    if (page.lastSeen === null || !isWaiting(page)) return page
    const state = this.isForeign(page) ? await this.#rebuilt(page) : page.state
    if (state === null) return page
    const due = this.#due.wanted({ ...page, state, lastSeen: now }, now)
    return (await this.#parts.store.changePage(page, { due })) ?? page
  }

  /** A page that was never visited, and put off to hours that may be others now. */
  async #reopened(page: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    if (!isPutOff(page.due)) return page
    const due = this.#due.reopened(page, now)
    return (await this.#parts.store.changePage(page, { due })) ?? page
  }

  /** What has been learned forgotten, as if the last visit had been the first; the recorded visits stay. */
  async forget(page: PageRecord): Promise<PageRecord> {
    const { store, random, mindFor } = this.#parts
    if (page.lastSeen === null) return page
    const mind = mindFor(page)
    const { state } = firstStep(mind, { at: page.lastSeen }, random)
    return (await store.changePage(page, { state: packState(mind, state) })) ?? page
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
    { now, apart }: Replan,
  ): Promise<void> {
    let some: PageRecord[] = []
    for await (const page of pages) {
      if (this.isForeign(page) || (isNew(page) && isPutOff(page.due)))
        await this.takeOver(page, now)
      else if (this.#isElsewhere(page, { now, apart })) some.push(page)
      if (some.length < slice) continue
      await this.#write(some, { now, apart })
      some = []
    }
    await this.#write(some, { now, apart })
  }

  async #write(pages: readonly PageRecord[], { now, apart }: Replan): Promise<void> {
    await this.#held(pages, now, async (page) => {
      if (this.isForeign(page) || !this.#isElsewhere(page, { now, apart })) return page
      const due = this.#due.planned(page, now)
      return (await this.#parts.store.changePage(page, { due })) ?? page
    })
  }

  #isElsewhere(page: PageRecord, { now, apart }: Replan): boolean {
    const gap = runningGap(page, { shortest: shortestOwnGap })
    if (gap === null || !isWaiting(page)) return false
    const { at } = this.#due.wanted(page, now)
    if (at === 'never') return true
    // One that is due stays due: its turn has come already.
    if (at <= now && page.due.at !== 'never' && page.due.at <= now) return false
    return isElsewhere(at, {
      lastSeen: page.lastSeen!,
      gap,
      now,
      ...(apart === undefined ? {} : { apart }),
    })
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

function isNew({ lastVisit }: PageRecord): boolean {
  return lastVisit === null
}
