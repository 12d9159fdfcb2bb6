import type { ChannelRecord, Clock, Json, NewDelivery, Store } from '../../model/index.js'
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
    const { when } = channel.settings as unknown as ChannelSettings
    for (const visit of visits) {
      // An import of what was seen long ago is no news.
      if (visit.at < channel.addedAt) continue
      const notice = await noticeOf(visit, { store, collection, when })
      if (notice !== null)
        deliveries.push({ page: visit.page.id, event: notice as unknown as Json })
    }
    await this.#advance(channel, { upTo: whole ? Math.max(end, last) : end, deliveries })
    return !whole
  }

  async #advance(
    { id, cursor }: ChannelRecord,
    { upTo, deliveries }: { readonly upTo: number; readonly deliveries: readonly NewDelivery[] },
  ): Promise<void> {
    if (deliveries.length > 0 || upTo - cursor >= seldom) {
      const request = { channel: id, from: cursor, upTo, deliveries, now: this.#clock.now() }
      // Where the cursor stood elsewhere another process has dealt with these visits.
      if (!(await this.#store.outbox.advance(request))) return
    }
    this.#position = upTo
  }
}
