import type { VersionDiffs } from '../content/bounded/version-diffs.js'
import { EnvironmentError } from '../model/errors.js'
import type { ChannelRecord, NewDelivery } from '../model/outbox.js'
import type { Store } from '../model/store.js'
import type { Clock, Json } from '../model/units.js'
import type { LoggedVisit } from '../model/visit-record.js'
import type { ChannelSettings } from './channel.js'
import { noticeOf } from './visit-notice.js'

/** Visits read in one go. */
const stretch = 200
/** Milliseconds; pages made to be slow take seconds each, and what was found before them is to be sent. */
const longestRound = 5000
/** A channel with so much to send is given no more: the log keeps the rest. */
const mostPending = 1000
/** A cursor is moved past visits without a notice only now and then: each move syncs the disk. */
const seldom = 500

interface PlannerParts {
  readonly store: Store
  readonly clock: Clock
  /** What a change is described by. */
  readonly diffs: VersionDiffs
}

/**
 * Turns visits into deliveries of one channel. Deliveries and cursor move in
 * one transaction, so that a process killed anywhere neither skips a visit
 * nor tells of one twice.
 */
export class DeliveryPlanner {
  readonly #store: Store
  readonly #clock: Clock
  readonly #diffs: VersionDiffs
  /** Up to where nothing is left to tell, at or after the cursor in the store. */
  #position = 0

  constructor({ store, clock, diffs }: PlannerParts) {
    this.#store = store
    this.#clock = clock
    this.#diffs = diffs
  }

  /** Reads the next visits; whether there may be more. */
  async plan(channel: ChannelRecord): Promise<boolean> {
    const store = this.#store
    if ((await store.outbox.countPending(channel.id)) >= mostPending) return false
    const from = Math.max(channel.cursor, this.#position)
    const last = await store.lastVisitNumber()
    if (last <= from) return false
    const { collection } = channel
    const visits = await store.visitLog({ collection, after: from, limit: stretch })
    const { deliveries, skipped, seen } = await this.#described(visits, channel)
    if (skipped.length > 0) await this.#show(channel, skipped)
    const whole = visits.length < stretch && seen === visits.length
    const end = visits[seen - 1]?.number ?? from
    const upTo = whole ? Math.max(end, last) : end
    await this.#advance(channel, { upTo, deliveries, now: skipped.length > 0 })
    return !whole
  }

  /** What there is to tell of visits, in order, as far as one round goes. */
  async #described(
    visits: readonly LoggedVisit[],
    channel: ChannelRecord,
  ): Promise<{ deliveries: NewDelivery[]; skipped: string[]; seen: number }> {
    const deliveries: NewDelivery[] = []
    const skipped: string[] = []
    const { when } = channel.settings as unknown as ChannelSettings
    const about = { store: this.#store, diffs: this.#diffs, collection: channel.collection, when }
    const began = performance.now()
    let seen = 0
    for (const visit of visits) {
      if (seen > 0 && performance.now() - began > longestRound) break
      seen++
      // An import of what was seen long ago is no news.
      if (visit.at < channel.addedAt) continue
      try {
        const notice = await noticeOf(visit, about)
        if (notice !== null)
          deliveries.push({ page: visit.page.id, event: notice as unknown as Json })
      } catch (error) {
        // A store that fails is asked again; a visit that cannot be described never will be.
        if (error instanceof EnvironmentError) throw error
        skipped.push(`${visit.page.url}: ${(error as Error).message}`)
      }
    }
    return { deliveries, skipped, seen }
  }

  /** Before the cursor moves past them: killed in between, they are met and shown again. */
  async #show({ id: channel }: ChannelRecord, skipped: readonly string[]): Promise<void> {
    const now = this.#clock.now()
    const more = skipped.length > 1 ? ` (and ${skipped.length - 1} more)` : ''
    const error = `a change cannot be described and is left out: ${skipped[0]!.slice(0, 300)}${more}`
    await this.#store.outbox.noteFailed({
      channel,
      deliveries: [],
      now,
      error,
      nextAt: null,
      restsUntil: now,
    })
  }

  async #advance(
    { id, cursor }: ChannelRecord,
    {
      upTo,
      deliveries,
      now,
    }: {
      readonly upTo: number
      readonly deliveries: readonly NewDelivery[]
      readonly now: boolean
    },
  ): Promise<void> {
    if (now || deliveries.length > 0 || upTo - cursor >= seldom) {
      const request = { channel: id, from: cursor, upTo, deliveries, now: this.#clock.now() }
      // Where the cursor stood elsewhere another process has dealt with these visits.
      if (!(await this.#store.outbox.advance(request))) return
    }
    this.#position = upTo
  }
}
