import { historyOf } from '../../model/history.js'
import type { ChangedPage, LearnerState, PageRecord } from '../../model/page.js'
import type { Due } from '../../model/policy.js'
import type { Store } from '../../model/store.js'
import { pageHintsFrom } from '../../model/stored-hints.js'
import type { RandomSource, Seconds, UnixSeconds } from '../../model/units.js'
import { type AllowedHours, dueWithin, isDeferred, reopened } from '../../policies/allowed-hours.js'
import { dueBySignal } from '../evidence/due-by-signal.js'
import { keptView } from '../evidence/hint-forecast.js'
import { packState, stateFrom, unpackState } from '../learned-step.js'
import { firstStep, type Planner, reconsider } from '../step.js'
import { isCalled } from './siblings.js'
import { isElsewhere, notAllAtOnce, runningGap, shortestOwnGap } from './statistics.js'

/** What unwatching writes where a page's past is kept: such a page is left alone. */
export const noLongerWatched = 'no longer watched; its past is kept'

/** How the reason of a due time begins that somebody set. */
const setByHand = 'set by hand'

/** The reason of a due time that somebody sets: it stays until its visit, whatever else is changed. */
export function reasonByHand(why?: string): string {
  return why === undefined ? setByHand : `${setByHand}: ${why}`
}

/** Whether a change of what was chosen for a page moves its next visit. */
export function movesPlan(change: {
  readonly settings?: object | undefined
  readonly importance?: number | undefined
}): boolean {
  const { settings = {}, importance } = change
  return importance !== undefined || planned.some((setting) => setting in settings)
}

const planned = ['policy', 'objective', 'shortest', 'longest', 'hours']

export function isKeptOnly({ due }: PageRecord): boolean {
  return due.at === 'never' && due.reason === noLongerWatched
}

/** A page whose next visit its policy chose, not a failure, a neighbour or a person. */
function isWaiting(page: PageRecord): boolean {
  const left = isKeptOnly(page) || isCalled(page) || page.due.reason.startsWith(setByHand)
  return page.failing === 0 && page.gone === 0 && !left
}

export interface PagePlansParts {
  readonly random: RandomSource
  readonly plannerFor: (page: PageRecord) => Planner
  /** The hours in which a page may be visited; left out where there are none. */
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
  readonly store: Store
  readonly collection: string
  readonly worker: string
  readonly pause: () => Promise<void>
  /** How long pages are held while their visits are planned anew; ten minutes by default. */
  readonly planTime?: Seconds
}

/** When visits are planned anew, and how far a new time must lie from the old one, as a share of the gap. */
interface Replan {
  readonly now: UnixSeconds
  readonly apart?: number | undefined
}

const slice = 250
/** Visits that a state is rebuilt from. */
const rebuiltFrom = 1_000
/** Held no longer by one slice of work, by default. */
const leaseTime = 600

/**
 * Reads a collection's pages slice by slice, and changes what is planned for
 * them while nobody else may: pages that are being visited are left to the
 * visit, unless a person has changed what was chosen for them.
 */
export class PagePlans {
  readonly #parts: PagePlansParts

  constructor(parts: PagePlansParts) {
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
    const { plannerFor, random } = this.#parts
    return page.lastSeen !== null && unpackState(plannerFor(page), page, random) === null
  }

  /** The next visit by what is known and by the page's settings as they are now. */
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
    return this.#held([met], now, async ([page]) => {
      if (page === undefined) return undefined
      if (isNew(page)) return this.#reopened(page, now)
      const state = this.isForeign(page) ? await this.#rebuilt(page) : page.state
      if (page.lastSeen === null || state === null) return page
      const due = isWaiting(page) ? this.#planned({ ...page, state }, now) : page.due
      return (await store.changePage(page, { state, due })) ?? page
    })
  }

  /** The visit that is under way would plan it by what was chosen before: the due time is set now, and outlives it. */
  async #plannedMeanwhile(page: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    if (page.lastSeen === null || !isWaiting(page)) return page
    const state = this.isForeign(page) ? await this.#rebuilt(page) : page.state
    if (state === null) return page
    const due = this.#wanted({ ...page, state, lastSeen: now }, now)
    return (await this.#parts.store.changePage(page, { due })) ?? page
  }

  /** A page that was never visited, and deferred to hours that may be others now. */
  async #reopened(page: PageRecord, now: UnixSeconds): Promise<PageRecord> {
    if (!isDeferred(page.due)) return page
    const due = this.#within(page, reopened(page.due, now))
    return (await this.#parts.store.changePage(page, { due })) ?? page
  }

  /** When a page that was seen before is due by what is known now; one overdue by it waits for a moment of its own, of the day or of its gap. */
  #planned(page: PageRecord, now: UnixSeconds): Due {
    const due = this.#byPosterior(page, now)
    if (due.at === 'never' || due.at > now) return this.#within(page, due)
    const { random } = this.#parts
    const at = notAllAtOnce(due.at, { lastSeen: page.lastSeen!, now, random })
    return this.#within(page, { at, reason: due.reason })
  }

  /** The same where overdue is overdue. */
  #wanted(page: PageRecord, now: UnixSeconds): Due {
    return this.#within(page, this.#byPosterior(page, now))
  }

  #within(page: PageRecord, due: Due): Due {
    return dueWithin(due, this.#parts.hoursFor?.(page) ?? null)
  }

  /** Its hints count by their reliability at the last visit, and so does what lists reported since. */
  #byPosterior(page: PageRecord, now: UnixSeconds): Due {
    const { plannerFor, random } = this.#parts
    const planner = plannerFor(page)
    const state = unpackState(planner, page, random)!
    state.changed = page.lastVisit?.outcome === 'changed'
    if (planner.policy.moved === undefined || page.hints === null)
      return reconsider(planner, state).due
    const hints = keptView(pageHintsFrom(page.hints), { visits: page.visits })
    state.hints = hints
    const { due, state: next } = reconsider(planner, state)
    const waiting = { lastSeen: page.lastSeen, plannedGap: next.plannedGap, now }
    return dueBySignal(planner, next, { hints, waiting, due }) ?? due
  }

  /** What has been learned forgotten, as if the last visit had been the first; the recorded visits stay. */
  async forget(page: PageRecord): Promise<PageRecord> {
    const { store, random, plannerFor } = this.#parts
    if (page.lastSeen === null) return page
    const planner = plannerFor(page)
    const { state } = firstStep(planner, { at: page.lastSeen }, random)
    return (await store.changePage(page, { state: packState(planner, state) })) ?? page
  }

  async #rebuilt(page: PageRecord): Promise<LearnerState | null> {
    const { store, random, plannerFor } = this.#parts
    const planner = plannerFor(page)
    const history = historyOf(await store.visitsOf(page, { newest: rebuiltFrom }))
    return history && packState(planner, stateFrom(planner, history, random))
  }

  /** Next visits by what is known now, where they fall so much of the gap away, a tenth by default. */
  async replan(
    pages: AsyncIterable<PageRecord> | Iterable<PageRecord>,
    { now, apart }: Replan,
  ): Promise<void> {
    let some: PageRecord[] = []
    for await (const page of pages) {
      if (this.isForeign(page) || (isNew(page) && isDeferred(page.due)))
        await this.takeOver(page, now)
      else if (this.#isElsewhere(page, { now, apart })) some.push(page)
      if (some.length < slice) continue
      await this.#write(some, { now, apart })
      some = []
    }
    await this.#write(some, { now, apart })
  }

  async #write(pages: readonly PageRecord[], { now, apart }: Replan): Promise<void> {
    if (pages.length === 0) return
    const { store, pause } = this.#parts
    await this.#held(pages, now, async (held) => {
      const changes: ChangedPage[] = []
      for (const [at, page] of held.entries()) {
        if (!this.isForeign(page) && this.#isElsewhere(page, { now, apart }))
          changes.push({ page, change: { due: this.#planned(page, now) } })
        if (at % 20 === 19) await pause()
      }
      // In one commit: each would wait for the disk, and a crawler for the page.
      await store.changePages(changes)
    })
  }

  #isElsewhere(page: PageRecord, { now, apart }: Replan): boolean {
    const gap = runningGap(page, { shortest: shortestOwnGap })
    if (gap === null || !isWaiting(page)) return false
    const { at } = this.#wanted(page, now)
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

  /** Those of the pages that nobody visits are held meanwhile. */
  async #held<T>(
    pages: readonly PageRecord[],
    now: UnixSeconds,
    work: (held: readonly PageRecord[]) => Promise<T>,
  ): Promise<T> {
    const { store, worker, planTime: ttl = leaseTime } = this.#parts
    const leases = await store.leasePages({ pages, worker: `${worker}:plan`, now, ttl })
    try {
      return await work(leases.map(({ page }) => page))
    } finally {
      await store.releaseLeases(leases)
    }
  }
}

function isNew({ lastVisit }: PageRecord): boolean {
  return lastVisit === null
}
