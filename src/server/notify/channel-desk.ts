import type { ChannelRecord, Json } from '../../model/index.js'
import {
  type ChannelSettings,
  type Conditions,
  checkedSettings,
  type GivenTarget,
  shownSettings,
} from '../../notify/index.js'
import { ApiError } from '../api-error.js'
import type { ServiceParts } from '../service-parts.js'

/** Channels beyond these are refused: each is a worker. */
const mostChannels = 200

interface Given {
  readonly name: string
  readonly target: GivenTarget
  readonly when?: Conditions
}

/** Channels as the API adds, changes and tells them. */
export class ChannelDesk {
  readonly #parts: ServiceParts

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  async add({ name, target, when }: Given) {
    const { store, collection, clock } = this.#parts
    if ((await store.outbox.channels(collection)).length >= mostChannels)
      throw new ApiError(
        409,
        'too-many-channels',
        `there are ${mostChannels} channels; remove some`,
      )
    const settings = this.#checked({ target, when: when ?? {} })
    const record = await store.outbox.addChannel({
      collection,
      name,
      settings: settings as unknown as Json,
      now: clock.now(),
      cursor: await store.lastVisitNumber(),
    })
    const secret = settings.target.kind === 'webhook' ? { secret: settings.target.secret } : {}
    return { ...(await this.view(record)), ...secret }
  }

  /** A webhook keeps its secret unless another is given. */
  async change(id: string, change: Partial<Given> & { readonly enabled?: boolean }) {
    const before = (await this.found(id)).settings as unknown as ChannelSettings
    const { name, enabled, target = before.target, when = before.when } = change
    const keeps =
      target.kind === 'webhook' && before.target.kind === 'webhook'
        ? { secret: before.target.secret }
        : {}
    const settings = this.#checked({ target: { ...keeps, ...target }, when })
    const record = await this.#parts.store.outbox.changeChannel(id, {
      settings: settings as unknown as Json,
      ...(name === undefined ? {} : { name }),
      ...(enabled === undefined ? {} : { enabled }),
    })
    if (record === null) throw noChannel(id)
    return this.view(record)
  }

  /** The channel of an id, in the collection that is served. */
  async found(id: string): Promise<ChannelRecord> {
    const record = await this.#parts.store.outbox.channel(id)
    if (record === null || record.collection !== this.#parts.collection) throw noChannel(id)
    return record
  }

  /** A channel without its secrets. */
  async view(record: ChannelRecord) {
    const { id, name, enabled, addedAt, failures, failingSince, restsUntil, error } = record
    const { target, when } = shownSettings(record.settings as unknown as ChannelSettings)
    const pending = await this.#parts.store.outbox.countPending(id)
    const state = { pending, failures, failingSince, restsUntil, error }
    return { id, name, enabled, target, when: when as never, addedAt, ...state }
  }

  #checked(given: { readonly target: GivenTarget; readonly when: Conditions }): ChannelSettings {
    return checkedSettings(given, {
      allowedNetworks: this.#parts.notify?.allowedNetworks ?? [],
    })
  }
}

function noChannel(id: string): ApiError {
  return new ApiError(404, 'no-channel', `there is no channel ${id}; see GET /api/channels`)
}
