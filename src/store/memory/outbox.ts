import type {
  ChannelAdvance,
  ChannelChange,
  ChannelHold,
  ChannelRecord,
  Delivered,
  DeliveriesGivenUp,
  DeliveryFailure,
  DeliveryQuery,
  DeliveryRecord,
  EndedDeliveries,
  NewChannel,
  NewDelivery,
  Outbox,
  PendingQuery,
  SendableQuery,
} from '../../model/outbox.js'
import type { UnixSeconds } from '../../model/units.js'
import { channelExists } from '../outbox-rows.js'

interface Held {
  readonly worker: string
  readonly until: UnixSeconds
}

/** Channels and deliveries in plain maps; looks at all of them for every question. */
export class MemoryOutbox implements Outbox {
  readonly #channels = new Map<string, ChannelRecord>()
  readonly #deliveries = new Map<string, DeliveryRecord>()
  readonly #held = new Map<string, Held>()
  #lastChannel = 0
  #lastDelivery = 0

  async addChannel({ collection, name, settings, now, cursor }: NewChannel) {
    this.#checkName({ collection, name })
    const id = String(++this.#lastChannel)
    this.#channels.set(id, {
      id,
      collection,
      name,
      settings: structuredClone(settings),
      enabled: true,
      addedAt: now,
      cursor,
      failingSince: null,
      failures: 0,
      restsUntil: null,
      error: null,
    })
    return structuredClone(this.#channels.get(id)!)
  }

  async changeChannel(id: string, change: ChannelChange) {
    const before = this.#channels.get(id)
    if (before === undefined) return null
    const { name = before.name } = change
    if (name !== before.name) this.#checkName({ collection: before.collection, name })
    this.#put(id, { ...structuredClone(change), ...well })
    return structuredClone(this.#channels.get(id)!)
  }

  async removeChannel(id: string) {
    for (const each of this.#of(id)) this.#deliveries.delete(each.id)
    this.#held.delete(id)
    return this.#channels.delete(id)
  }

  async channel(id: string) {
    return structuredClone(this.#channels.get(id) ?? null)
  }

  async channels(collection: string) {
    const all = [...this.#channels.values()]
    return structuredClone(all.filter((each) => each.collection === collection))
  }

  async holdChannel({ channel, worker, now, until }: ChannelHold) {
    const held = this.#held.get(channel)
    const free = held === undefined || held.worker === worker || held.until <= now
    if (!free || !this.#channels.has(channel)) return false
    this.#held.set(channel, { worker, until })
    return true
  }

  async release(worker: string) {
    for (const [id, held] of this.#held) if (held.worker === worker) this.#held.delete(id)
  }

  async advance({ channel, from, upTo, deliveries, now }: ChannelAdvance) {
    if (this.#channels.get(channel)?.cursor !== from) return false
    this.#put(channel, { cursor: upTo })
    for (const { page, event } of deliveries) this.#add({ channel, page, event, now })
    return true
  }

  async countPending(channel: string) {
    return this.#pendingOf(channel).length
  }

  async sendable({ channel, now, limit }: SendableQuery) {
    const pending = this.#pendingOf(channel)
    const heads = pending.filter(
      ({ page, id }) => pending.find((each) => each.page === page)!.id === id,
    )
    const due = heads.filter(({ nextAt }) => nextAt <= now)
    return structuredClone(due.sort((a, b) => a.attempts - b.attempts).slice(0, limit))
  }

  async pending({ channel, limit }: PendingQuery) {
    return structuredClone(this.#pendingOf(channel).slice(0, limit))
  }

  async noteDelivered({ channel, deliveries, now }: Delivered) {
    for (const id of deliveries)
      this.#attempted(id, { now, more: { state: 'delivered', endedAt: now, error: null } })
    this.#put(channel, well)
  }

  async noteFailed(failure: DeliveryFailure) {
    const { channel, deliveries, now, error, nextAt, restsUntil } = failure
    const more =
      nextAt === null
        ? ({ state: 'given-up', endedAt: now, error } as const)
        : ({ nextAt, error } as const)
    for (const id of deliveries) this.#attempted(id, { now, more })
    const before = this.#channels.get(channel)
    if (restsUntil === null || before === undefined) return
    const failingSince = before.failingSince ?? now
    this.#put(channel, { failingSince, failures: before.failures + 1, restsUntil, error })
  }

  async giveUp({ channel, madeBy, now, error }: DeliveriesGivenUp) {
    const old = this.#pendingOf(channel).filter(({ madeAt }) => madeAt <= madeBy)
    for (const each of old)
      this.#deliveries.set(each.id, { ...each, state: 'given-up', endedAt: now, error })
    return old.length
  }

  async deliveries({ collection, channel, state, before, limit }: DeliveryQuery) {
    const all = [...this.#deliveries.values()]
      .reverse()
      .filter(
        (each) =>
          this.#channels.get(each.channel)?.collection === collection &&
          (channel === undefined || each.channel === channel) &&
          (state === undefined || each.state === state) &&
          (before === undefined || Number(each.id) < Number(before)),
      )
    return structuredClone(all.slice(0, limit))
  }

  async forgetEnded({ now, after }: EndedDeliveries) {
    const old = [...this.#deliveries.values()].filter(
      ({ endedAt }) => endedAt !== null && endedAt <= now - after,
    )
    for (const { id } of old) this.#deliveries.delete(id)
    return old.length
  }

  #checkName({ collection, name }: { collection: string; name: string }): void {
    for (const each of this.#channels.values())
      if (each.collection === collection && each.name === name) throw channelExists(name)
  }

  #put(id: string, more: Partial<ChannelRecord>): void {
    const before = this.#channels.get(id)
    if (before !== undefined) this.#channels.set(id, { ...before, ...more })
  }

  #add({ channel, page, event, now }: NewDelivery & { channel: string; now: UnixSeconds }): void {
    const id = String(++this.#lastDelivery)
    this.#deliveries.set(id, {
      id,
      channel,
      page,
      event: structuredClone(event),
      madeAt: now,
      state: 'pending',
      attempts: 0,
      firstAt: null,
      nextAt: now,
      endedAt: null,
      error: null,
    })
  }

  /** A delivery that was given up or whose channel was removed meanwhile stays so. */
  #attempted(id: string, { now, more }: { now: UnixSeconds; more: Partial<DeliveryRecord> }): void {
    const before = this.#deliveries.get(id)
    if (before?.state !== 'pending') return
    const { attempts, firstAt } = before
    const tried = { attempts: attempts + 1, firstAt: firstAt ?? now }
    this.#deliveries.set(id, { ...before, ...tried, ...more })
  }

  #of(channel: string): DeliveryRecord[] {
    return [...this.#deliveries.values()].filter((each) => each.channel === channel)
  }

  #pendingOf(channel: string): DeliveryRecord[] {
    return this.#of(channel).filter(({ state }) => state === 'pending')
  }
}

const well = { failingSince: null, failures: 0, restsUntil: null, error: null }
