import type { Json, Seconds, UnixSeconds } from './units.js'

/** A way to notify somebody of changes, as it is kept; the store does not look into `settings`. */
export interface ChannelRecord {
  readonly id: string
  readonly collection: string
  /** Unique in its collection. */
  readonly name: string
  readonly settings: Json
  readonly enabled: boolean
  readonly addedAt: UnixSeconds
  /** Number of the last visit that was read for this channel. */
  readonly cursor: number
  /** Since when its receiver has not answered; null while all is well. */
  readonly failingSince: UnixSeconds | null
  /** Failures in a row. */
  readonly failures: number
  /** Nothing is sent before. */
  readonly restsUntil: UnixSeconds | null
  readonly error: string | null
}

export interface NewChannel {
  readonly collection: string
  readonly name: string
  readonly settings: Json
  readonly now: UnixSeconds
  /** Visits up to this number are not sent. */
  readonly cursor: number
}

export interface ChannelChange {
  readonly name?: string
  readonly settings?: Json
  readonly enabled?: boolean
}

export type DeliveryState = 'pending' | 'delivered' | 'given-up'

/** One thing to send through one channel. */
export interface DeliveryRecord {
  /** Grows with each delivery and is never given twice. */
  readonly id: string
  readonly channel: string
  readonly page: string
  readonly event: Json
  readonly madeAt: UnixSeconds
  readonly state: DeliveryState
  readonly attempts: number
  readonly firstAt: UnixSeconds | null
  readonly nextAt: UnixSeconds
  readonly endedAt: UnixSeconds | null
  /** What went wrong last. */
  readonly error: string | null
}

export interface NewDelivery {
  readonly page: string
  readonly event: Json
}

export interface DeliveryQuery {
  readonly collection: string
  readonly channel?: string
  readonly state?: DeliveryState
  /** Only those with a lower id. */
  readonly before?: string
  readonly limit: number
}

/** A worker takes or keeps a channel. */
export interface ChannelHold {
  readonly channel: string
  readonly worker: string
  readonly now: UnixSeconds
  readonly until: UnixSeconds
}

/** The cursor moves from one visit to another, and this is to be sent of those between. */
export interface ChannelAdvance {
  readonly channel: string
  readonly from: number
  readonly upTo: number
  readonly deliveries: readonly NewDelivery[]
  readonly now: UnixSeconds
}

export interface PendingQuery {
  readonly channel: string
  readonly limit: number
}

export interface SendableQuery extends PendingQuery {
  readonly now: UnixSeconds
}

/** These arrived. */
export interface Delivered {
  readonly channel: string
  readonly deliveries: readonly string[]
  readonly now: UnixSeconds
}

/** These did not. */
export interface DeliveryFailure extends Delivered {
  readonly error: string
  /** When they are tried again; null for never. */
  readonly nextAt: UnixSeconds | null
  /** Where the receiver is to blame: the whole channel rests until then. */
  readonly restsUntil: UnixSeconds | null
}

/** All that is pending and was made at `madeBy` or before is sent no more. */
export interface DeliveriesGivenUp {
  readonly channel: string
  readonly madeBy: UnixSeconds
  readonly now: UnixSeconds
  readonly error: string
}

/** Deliveries that ended so long ago. */
export interface EndedDeliveries {
  readonly now: UnixSeconds
  readonly after: Seconds
}

/**
 * What is still to be sent, and to whom. Together with the log of visits it
 * makes sure that every change is sent at least once: visits become deliveries
 * in the same transaction that moves the channel's cursor past them, and a
 * delivery is pending until its receipt has been noted.
 */
export interface Outbox {
  addChannel(channel: NewChannel): Promise<ChannelRecord>
  /** A channel that is changed no longer rests. Null where there is none. */
  changeChannel(id: string, change: ChannelChange): Promise<ChannelRecord | null>
  /** Removes a channel and its deliveries; whether there was one. */
  removeChannel(id: string): Promise<boolean>
  channel(id: string): Promise<ChannelRecord | null>
  channels(collection: string): Promise<readonly ChannelRecord[]>

  /** Takes or keeps the channel for a worker, unless another holds it. */
  holdChannel(hold: ChannelHold): Promise<boolean>
  /** Gives back all that a worker holds. */
  release(worker: string): Promise<void>

  /** Moves the cursor and adds what is to be sent of the visits passed; false if it stood elsewhere. */
  advance(advance: ChannelAdvance): Promise<boolean>
  /** Pending deliveries of a channel. */
  countPending(channel: string): Promise<number>
  /** What may be sent now: of each page the oldest, those tried least first. */
  sendable(query: SendableQuery): Promise<readonly DeliveryRecord[]>
  /** All that is pending, the oldest first, whenever it is to be tried again. */
  pending(query: PendingQuery): Promise<readonly DeliveryRecord[]>
  /** They arrived; the channel is well again. */
  noteDelivered(delivered: Delivered): Promise<void>
  /** They did not arrive: tried again, or never. */
  noteFailed(failure: DeliveryFailure): Promise<void>
  /** How many were given up. */
  giveUp(request: DeliveriesGivenUp): Promise<number>
  /** The newest first. */
  deliveries(query: DeliveryQuery): Promise<readonly DeliveryRecord[]>
  /** How many were forgotten. */
  forgetEnded(ended: EndedDeliveries): Promise<number>
}
