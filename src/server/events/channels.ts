import { Type } from 'typebox'
import type { ChannelRecord } from '../../model/outbox.js'
import type { Json } from '../../model/units.js'
import {
  type ChannelSettings,
  type Conditions,
  checkedSettings,
  type GivenTarget,
  shownSettings,
} from '../../notify/channel.js'
import { noticeTypes } from '../../notify/notice.js'
import { ApiError } from '../errors.js'
import { RemovedAnswer } from '../pages/page-schema.js'
import { AnyJson, Count, exactly, Limit, oneOf, orNull, refusals, Time } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'

const ChannelId = Type.String({
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'id of a channel',
})
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]+$' })
const Address = Type.String({ minLength: 1, maxLength: 4000 })

const Webhook = exactly({
  kind: Type.Literal('webhook'),
  url: Address,
  secret: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 200,
      description: 'signs what is sent; made where left out, shown once',
    }),
  ),
})
const Mail = exactly({
  kind: Type.Literal('email'),
  to: Type.Array(Type.String({ minLength: 3, maxLength: 254 }), { minItems: 1, maxItems: 20 }),
  digest: Type.Optional(
    Type.Number({ minimum: 0, maximum: 2_678_400, description: 'gather for so many seconds' }),
  ),
})
const Ntfy = exactly({
  kind: Type.Literal('ntfy'),
  url: Address,
  token: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  priority: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
})
const Target = Type.Union([Webhook, Mail, Ntfy])

const Words = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 50,
})
const When = exactly({
  on: Type.Optional(Type.Array(oneOf(noticeTypes), { minItems: 1, maxItems: 3 })),
  group: Type.Optional(Type.String({ maxLength: 200 })),
  host: Type.Optional(Type.String({ maxLength: 300 })),
  url: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4000, description: '* stands for any text' }),
  ),
  changedShare: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  appear: Type.Optional(Words),
  disappear: Type.Optional(Words),
  silentFor: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1e10 })),
})

const NewChannelBody = exactly({
  name: Name,
  target: Target,
  when: Type.Optional(When),
})
const ChannelChangeBody = exactly({
  name: Type.Optional(Name),
  target: Type.Optional(Target),
  when: Type.Optional(When),
  enabled: Type.Optional(Type.Boolean()),
})
const ChannelParams = exactly({ id: ChannelId })

const channel = {
  id: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  target: Type.Record(Type.String(), AnyJson, { description: 'without its secrets' }),
  when: When,
  addedAt: Time,
  pending: Count,
  failures: Type.Integer({ minimum: 0, description: 'in a row' }),
  failingSince: orNull(Time),
  restsUntil: orNull(Time),
  error: orNull(Type.String()),
}
const ChannelAnswer = Type.Object(channel, { title: 'Channel' })
const ChannelListAnswer = Type.Object({ channels: Type.Array(ChannelAnswer) })
const NewChannelAnswer = Type.Object({
  ...channel,
  secret: Type.Optional(Type.String({ description: 'of a webhook; it is not shown again' })),
})

const TestAnswer = Type.Object({
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
const DeliveryListAnswer = Type.Object({
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

interface Given {
  readonly name: string
  readonly target: GivenTarget
  readonly when?: Conditions
}

/** Channels as the API adds, changes and tells them. */
class ChannelService {
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

/** Channels of notifications: webhooks, e-mail, ntfy; and what became of each delivery. */
export function channelRoutes(app: App, parts: ServiceParts): void {
  const { outbox } = parts.store
  const { collection } = parts
  const service = new ChannelService(parts)
  const tags = ['notifications']

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
    async () => {
      const records = await outbox.channels(collection)
      return { channels: (await Promise.all(records.map((each) => service.view(each)))) as never }
    },
  )

  app.post(
    '/api/channels',
    {
      schema: {
        operationId: 'addChannel',
        summary: 'Tell of changes from now on through a webhook, by e-mail or by ntfy',
        tags,
        body: NewChannelBody,
        response: { 200: NewChannelAnswer, ...refusals },
      },
    },
    async ({ body }) => (await service.add(body as never)) as never,
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
    async ({ params }) => (await service.view(await service.found(params.id))) as never,
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
    async ({ params, body }) => (await service.change(params.id, body as never)) as never,
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
      const { id } = await service.found(params.id)
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
      const { id } = await service.found(params.id)
      if (parts.notify === undefined)
        throw new ApiError(409, 'no-notifier', 'this process sends no notifications')
      const result = await parts.notify.test(id)
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
      const list = await outbox.deliveries({ collection, limit, ...rest })
      return { deliveries: [...list] }
    },
  )
}
