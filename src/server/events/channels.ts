/** /api/channels and /api/deliveries: who is notified of changes, and what became of it. */

import { Type } from 'typebox'
import { given } from '../../model/given.js'
import type { ChannelRecord } from '../../model/outbox.js'
import type { Json } from '../../model/units.js'
import {
  type ChannelSettings,
  channelLimits,
  checkedSettings,
  shownSettings,
} from '../../notify/channel.js'
import { leadsTo, targetFromAddress, withKeptSecrets } from '../../notify/send/kinds.js'
import { ApiError } from '../errors.js'
import {
  type Answer,
  AnyJson,
  Count,
  exactly,
  Limit,
  oneOf,
  orNull,
  RemovedAnswer,
  refusals,
  Time,
} from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { messageRoutes } from './channel-messages.js'
import {
  ChangedTarget,
  MessageBody,
  ShownTarget,
  Target,
  TimingBody,
  When,
} from './channel-schema.js'

const ChannelId = Type.String({
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'id of a channel',
})
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]+$' })
const settingsBody = {
  when: Type.Optional(When),
  message: Type.Optional(MessageBody),
  timing: Type.Optional(TimingBody),
}
const ByAddress = Type.String({
  minLength: 1,
  maxLength: channelLimits.address,
  description: 'in the place of a target: an address in the form of Apprise, as discord://id/token',
})
const NewChannelBody = Type.Union([
  exactly({ name: Name, target: Target, ...settingsBody }),
  exactly({ name: Name, address: ByAddress, ...settingsBody }),
])
const ChannelChangeBody = exactly({
  name: Type.Optional(Name),
  target: Type.Optional(ChangedTarget),
  ...settingsBody,
  enabled: Type.Optional(Type.Boolean()),
})
const ChannelParams = exactly({ id: ChannelId })

const channel = {
  id: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  target: ShownTarget,
  leadsTo: Type.String({ description: 'where, for a person' }),
  when: When,
  message: Type.Optional(MessageBody),
  timing: Type.Optional(TimingBody),
  addedAt: Time,
  pending: Count,
  failures: Type.Integer({ minimum: 0, description: 'in a row' }),
  failingSince: orNull(Time),
  restsUntil: orNull(Time),
  error: orNull(Type.String()),
}
export const ChannelAnswer = Type.Object(channel, { title: 'Channel' })
export type ChannelAnswer = Answer<typeof ChannelAnswer>
export const ChannelListAnswer = Type.Object({ channels: Type.Array(ChannelAnswer) })
export const NewChannelAnswer = Type.Object({
  ...channel,
  secret: Type.Optional(Type.String({ description: 'of a webhook; it is not shown again' })),
})

export const TestAnswer = Type.Object({
  sent: Type.Boolean(),
  error: Type.Optional(Type.String()),
})

const DeliveryListQuery = exactly({
  channel: Type.Optional(ChannelId),
  state: Type.Optional(oneOf(['pending', 'delivered', 'given-up'])),
  before: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'only those with a lower id' }),
  ),
  limit: Limit(1000, 100),
})
export const DeliveryListAnswer = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      id: Type.String(),
      channel: Type.String(),
      page: Type.String(),
      event: AnyJson,
      madeAt: Time,
      state: oneOf(['pending', 'delivered', 'given-up']),
      attempts: Count,
      firstAt: orNull(Time),
      nextAt: Time,
      endedAt: orNull(Time),
      error: orNull(Type.String()),
    }),
  ),
})

/** Channels beyond these are refused: each is a worker. */
const mostChannels = 200

function noChannel(id: string): ApiError {
  return new ApiError(404, 'no-channel', `there is no channel ${id}; see GET /api/channels`)
}

/** Channels of notifications: webhooks, e-mail, ntfy; and what became of each delivery. */
export function channelRoutes(app: App, parts: ServiceParts): void {
  const { store, collection, clock, notify } = parts
  const { outbox } = store
  const tags = ['notifications']
  messageRoutes(app, parts)
  const checked = (asked: Parameters<typeof checkedSettings>[0]) =>
    checkedSettings(asked, { allowedNetworks: notify?.allowedNetworks ?? [] })

  /** The channel of an id, in the collection that is served. */
  const found = async (id: string): Promise<ChannelRecord> => {
    const record = await outbox.channel(id)
    if (record === null || record.collection !== collection) throw noChannel(id)
    return record
  }
  /** A channel without its secrets. */
  const view = async (record: ChannelRecord): Promise<ChannelAnswer> => {
    const { id, name, enabled, addedAt, failures, failingSince, restsUntil, error } = record
    const state = { failures, failingSince, restsUntil, error }
    const pending = await outbox.countPending(id)
    const settings = kept(record)
    const to = leadsTo(settings.target)
    return {
      id,
      name,
      enabled,
      ...shownSettings(settings),
      leadsTo: to,
      addedAt,
      pending,
      ...state,
    }
  }

  app.get(
    '/api/channels',
    {
      schema: {
        operationId: 'listChannels',
        summary: 'The channels through which changes are sent',
        tags,
        response: { 200: ChannelListAnswer, ...refusals },
      },
    },
    async () => ({
      channels: await Promise.all((await outbox.channels(collection)).map(view)),
    }),
  )

  app.post(
    '/api/channels',
    {
      schema: {
        operationId: 'addChannel',
        summary: 'Notify somebody of changes from now on, by a target or an Apprise-style address',
        tags,
        body: NewChannelBody,
        response: { 200: NewChannelAnswer, ...refusals },
      },
    },
    async ({ body }) => {
      const { name, when, message, timing } = body
      const target = 'target' in body ? body.target : targetFromAddress(body.address)
      if ((await outbox.channels(collection)).length >= mostChannels)
        throw new ApiError(
          409,
          'too-many-channels',
          `there are ${mostChannels} channels; remove some`,
        )
      const settings = checked({ target, ...given({ when, message, timing }) })
      const record = await outbox.addChannel({
        collection,
        name,
        settings: stored(settings),
        now: clock.now(),
        cursor: await store.lastVisitNumber(),
      })
      const secret =
        settings.target.kind === 'webhook' ? given({ secret: settings.target.secret }) : {}
      return { ...(await view(record)), ...secret }
    },
  )

  app.get(
    '/api/channels/:id',
    {
      schema: {
        operationId: 'getChannel',
        summary: 'One channel',
        tags,
        params: ChannelParams,
        response: { 200: ChannelAnswer, ...refusals },
      },
    },
    async ({ params }) => view(await found(params.id)),
  )

  app.patch(
    '/api/channels/:id',
    {
      schema: {
        operationId: 'changeChannel',
        summary: 'Change a channel; one that rests after failures tries again at once',
        tags,
        params: ChannelParams,
        body: ChannelChangeBody,
        response: { 200: ChannelAnswer, ...refusals },
      },
    },
    async ({ params: { id }, body }) => {
      const before = kept(await found(id))
      const { name, enabled, target, ...more } = body
      if (before.target.kind === 'command' && target !== undefined)
        throw new ApiError(403, 'command-by-api', 'a command is changed on the command line alone')
      const { target: known, ...others } = before
      const settings = stored(
        checked({
          ...others,
          ...given(more),
          target: target === undefined ? known : withKeptSecrets(target, known),
        }),
      )
      const record = await outbox.changeChannel(id, { settings, ...given({ name, enabled }) })
      if (record === null) throw noChannel(id)
      return view(record)
    },
  )

  app.delete(
    '/api/channels/:id',
    {
      schema: {
        operationId: 'removeChannel',
        summary: 'Tell no more through a channel, and forget its deliveries',
        tags,
        params: ChannelParams,
        response: { 200: RemovedAnswer, ...refusals },
      },
    },
    async ({ params }) => {
      const { id } = await found(params.id)
      return { removed: (await outbox.removeChannel(id)) ? 1 : 0 }
    },
  )

  app.post(
    '/api/channels/:id/test',
    {
      schema: {
        operationId: 'testChannel',
        summary: 'Send a test through a channel now, and tell whether it arrived',
        tags,
        params: ChannelParams,
        response: { 200: TestAnswer, ...refusals },
      },
    },
    async ({ params }) => {
      const { id } = await found(params.id)
      if (notify === undefined)
        throw new ApiError(409, 'no-notifier', 'this process sends no notifications')
      const result = await notify.test(id)
      if (result === null || result.sent) return { sent: result !== null }
      return { sent: false, error: result.error }
    },
  )

  app.get(
    '/api/deliveries',
    {
      schema: {
        operationId: 'listDeliveries',
        summary: 'What was sent, waits to be sent or was given up, the newest first',
        tags,
        querystring: DeliveryListQuery,
        response: { 200: DeliveryListAnswer, ...refusals },
      },
    },
    async ({ query }) => {
      const { limit = 100, ...rest } = query
      return { deliveries: await outbox.deliveries({ collection, limit, ...rest }) }
    },
  )
}

/** Only what `checkedSettings` made is ever stored. */
function kept({ settings }: ChannelRecord): ChannelSettings {
  return settings as unknown as ChannelSettings
}

function stored(settings: ChannelSettings): Json {
  return settings as unknown as Json
}
