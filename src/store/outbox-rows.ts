import type { Selectable } from 'kysely'
import { InputError } from '../model/errors.js'
import type { ChannelRecord, DeliveryRecord, DeliveryState } from '../model/outbox.js'
import type { Json, UnixSeconds } from '../model/units.js'
import type { Tables } from './schema.js'

/** In the order of their numbers in the file. */
export const deliveryStates: readonly DeliveryState[] = ['pending', 'delivered', 'given-up']

export function channelExists(name: string): InputError {
  return new InputError(
    'channel-exists',
    `there is a channel named ${JSON.stringify(name)} already; choose another name`,
  )
}

/** A channel with the name of its collection. */
export type ChannelRow = Omit<
  Selectable<Tables['channels']>,
  'collection' | 'holder' | 'held_until'
> & {
  readonly collection_name: string
}

export function channelFrom(row: ChannelRow): ChannelRecord {
  return {
    id: String(row.id),
    collection: row.collection_name,
    name: row.name,
    settings: JSON.parse(row.settings) as Json,
    enabled: row.enabled === 1,
    addedAt: row.added_at,
    cursor: row.cursor,
    failingSince: row.failing_since,
    failures: row.failures,
    restsUntil: row.rests_until,
    error: row.error,
  }
}

export type DeliveryRow = Selectable<Tables['deliveries']>

export function deliveryFrom(row: DeliveryRow): DeliveryRecord {
  return {
    id: String(row.id),
    channel: String(row.channel),
    page: String(row.page),
    event: JSON.parse(row.event) as Json,
    madeAt: row.made_at,
    state: deliveryStates[row.state]!,
    attempts: row.attempts,
    firstAt: row.first_at,
    nextAt: row.next_at,
    endedAt: row.ended_at,
    error: row.error,
  }
}

export interface Attempt {
  readonly now: UnixSeconds
  readonly error: string | null
  readonly nextAt: UnixSeconds | null
}

/** What an attempt makes of a delivery: with no error it arrived; without a next time it never will. */
export function afterAttempt({ now, error, nextAt }: Attempt) {
  const state: DeliveryState =
    error === null ? 'delivered' : nextAt === null ? 'given-up' : 'pending'
  return { state: deliveryStates.indexOf(state), endedAt: state === 'pending' ? null : now }
}
