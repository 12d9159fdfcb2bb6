import { Type } from 'typebox'
import { noticeTypes } from '../../notify/index.js'
import { AnyJson, Count, exactly, Limit, oneOf, orNull, Time } from './words.js'

export const ChannelId = Type.String({
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
      description: 'signs what is sent; made where left out, told once',
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

export const NewChannelBody = exactly({
  name: Name,
  target: Target,
  when: Type.Optional(When),
})
export const ChannelChangeBody = exactly({
  name: Type.Optional(Name),
  target: Type.Optional(Target),
  when: Type.Optional(When),
  enabled: Type.Optional(Type.Boolean()),
})
export const ChannelParams = exactly({ id: ChannelId })

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
export const ChannelAnswer = Type.Object(channel, { title: 'Channel' })
export const ChannelListAnswer = Type.Object({ channels: Type.Array(ChannelAnswer) })
export const NewChannelAnswer = Type.Object({
  ...channel,
  secret: Type.Optional(Type.String({ description: 'of a webhook; it is not told again' })),
})

export const TestAnswer = Type.Object({
  sent: Type.Boolean(),
  error: Type.Optional(Type.String()),
})

export const DeliveryListQuery = exactly({
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
