import {
  type ChannelRecord,
  type Clock,
  EnvironmentError,
  type Json,
  type NewDelivery,
  type Store,
} from '../../model/index.js'
import type { ChannelSettings } from '../channel.js'
import { noticeOf } from '../describe/notice-of.js'

/** Visits looked at in one go. */
const stretch = 200
/** A channel with so much to send is given no more: the log keeps the rest. */
const mostPending = 1000
/** A cursor is moved past visits that told nothing only now and then: each move syncs the disk. */
const seldom = 500

/**
 * Turns visits into deliveries of one channel. Deliveries and cursor move in
 * one transaction, so that a process killed anywhere neither skips a visit
 * nor tells of one twice.
 */
export class Planner {
  readonly #store: Store
  readonly #clock: Clock
  /** Up to where nothing is left to tell, at or after the cursor in the store. */
  #position = 0

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store
    this.#clock = clock
  }

  /** Looks at the next visits; whether there may be more. */
  async plan(channel: ChannelRecord): Promise<boolean> {
    const store = this.#store
    if ((await store.outbox.countPending(channel.id)) >= mostPending) return false
    const from = Math.max(channel.cursor, this.#position)
    const last = await store.lastVisitNumber()
    if (last <= from) return false
    const { collection } = channel
    const visits = await store.visitLog({ collection, after: from, limit: stretch })
    const whole = visits.length < stretch
    const end = visits[visits.length - 1]?.number ?? from
    const deliveries: NewDelivery[] = []
    const skipped: string[] = []
    const { when } = channel.settings as unknown as ChannelSettings
    for (const visit of visits) {
      // An import of what was seen long ago is no news.
      if (visit.at < channel.addedAt) continue
      try {
        const notice = await noticeOf(visit, { store, collection, when })
        if (notice !== null)
          deliveries.push({ page: visit.page.id, event: notice as unknown as Json })
      } catch (error) {
        // A store that fails is asked again; a visit that cannot be described never will be.
        if (error instanceof EnvironmentError) throw error
        skipped.push(`${visit.page.url}: ${(error as Error).message}`)
      }
    }
    if (skipped.length > 0) await this.#show(channel, skipped)
    const upTo = whole ? Math.max(end, last) : end
    await this.#advance(channel, { upTo, deliveries, now: skipped.length > 0 })
    return !whole
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
