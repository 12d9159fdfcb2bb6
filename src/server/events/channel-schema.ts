/** What a channel is over HTTP: its target, by the fields that each kind declares. */

import { type TSchema, Type } from 'typebox'
import type { GivenTarget } from '../../notify/channel.js'
import { channelLimits } from '../../notify/channel.js'
import { noticeTypes } from '../../notify/notice.js'
import { type Field, fieldTypes } from '../../notify/send/kind.js'
import { type AnyKind, channelKinds, mostLetters } from '../../notify/send/kinds.js'
import { exactly, oneOf } from '../schema.js'

/** Commands run what they are given: no program that has only a key may add one. */
export const kindsByApi: readonly AnyKind[] = channelKinds.filter(({ kind }) => kind !== 'command')

function valueSchema({ type, label, help, least, most }: Field): TSchema {
  const description = help === undefined ? label : `${label}: ${help}`
  if (type === 'number' || type === 'seconds')
    return (type === 'number' ? Type.Integer : Type.Number)({
      description,
      ...(least === undefined ? {} : { minimum: least }),
      ...(most === undefined ? {} : { maximum: most }),
    })
  const text = { minLength: 1, maxLength: type === 'list' ? mostLetters : (most ?? mostLetters) }
  if (type === 'list')
    return Type.Array(Type.String(text), { description, minItems: 1, maxItems: most ?? 100 })
  return Type.String({ ...text, description })
}

function targetSchema({ kind, fields }: AnyKind): TSchema {
  const properties = Object.entries(fields).map(([name, field]) => {
    const value = valueSchema(field)
    return [name, field.optional === true ? Type.Optional(value) : value] as const
  })
  return exactly({ kind: Type.Literal(kind), ...Object.fromEntries(properties) })
}

/** Secrets that are set may be left out of a change, or sent as they are shown. */
function changedSchema({ kind, fields }: AnyKind): TSchema {
  const properties = Object.entries(fields).map(([name, field]) => {
    const value = valueSchema(field)
    const free = field.optional === true || field.secret === true
    return [name, free ? Type.Optional(value) : value] as const
  })
  return exactly({ kind: Type.Literal(kind), ...Object.fromEntries(properties) })
}

export const Target = Type.Unsafe<GivenTarget>(Type.Union(kindsByApi.map(targetSchema)))
export const ChangedTarget = Type.Unsafe<GivenTarget>(Type.Union(kindsByApi.map(changedSchema)))

export const ShownTarget = Type.Unsafe<GivenTarget>({
  ...Type.Union((channelKinds as readonly AnyKind[]).map(changedSchema)),
  description: 'secrets are shown as (not shown)',
})

const Words = Type.Array(Type.String({ minLength: 1, maxLength: channelLimits.word }), {
  minItems: 1,
  maxItems: channelLimits.words,
})
const Group = Type.String({ minLength: 1, maxLength: 200 })
export const When = exactly({
  on: Type.Optional(Type.Array(oneOf(noticeTypes), { minItems: 1, maxItems: 3 })),
  group: Type.Optional(Type.String({ maxLength: 200, description: 'group or tag' })),
  exceptGroups: Type.Optional(
    Type.Array(Group, { maxItems: 50, description: 'muted: groups or tags' }),
  ),
  host: Type.Optional(Type.String({ maxLength: 300 })),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: channelLimits.address,
      description: '* stands for any text',
    }),
  ),
  changedShare: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  appear: Type.Optional(Words),
  disappear: Type.Optional(Words),
  price: Type.Optional(
    exactly({
      below: Type.Optional(Type.Number({ minimum: 0 })),
      above: Type.Optional(Type.Number({ minimum: 0 })),
      changedBy: Type.Optional(
        Type.Number({ minimum: 0, maximum: 100, description: 'by more than this share: 0.05' }),
      ),
      stock: Type.Optional(oneOf(['in', 'out'])),
    }),
  ),
  silentFor: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1e10 })),
})

const Template = Type.String({ minLength: 1, maxLength: channelLimits.template })
export const MessageBody = exactly({
  title: Type.Optional(Template),
  body: Type.Optional(Template),
})

export const TimingBody = exactly({
  digest: Type.Optional(
    Type.Union([oneOf(['hour', 'day']), Type.Number({ minimum: 0, maximum: 2_678_400 })], {
      description: 'one message each full hour, once a day, or so many seconds after the first',
    }),
  ),
  digestAt: Type.Optional(
    Type.String({ maxLength: 5, description: 'of a day’s digest; 08:00 by default' }),
  ),
  quiet: Type.Optional(
    Type.String({ maxLength: 11, description: 'nothing is sent in these hours: 22:00-07:00' }),
  ),
  zone: Type.Optional(
    Type.String({ maxLength: 60, description: 'of these times: Europe/Berlin; UTC by default' }),
  ),
})

export const KindsAnswer = Type.Object({
  kinds: Type.Array(
    Type.Object({
      kind: Type.String(),
      label: Type.String(),
      help: Type.String(),
      example: Type.String({ description: 'an address in the form of Apprise' }),
      fields: Type.Array(
        Type.Object({
          name: Type.String(),
          type: oneOf(fieldTypes),
          label: Type.String(),
          help: Type.Optional(Type.String()),
          optional: Type.Boolean(),
          secret: Type.Boolean(),
          pattern: Type.Optional(Type.String()),
          least: Type.Optional(Type.Number()),
          most: Type.Optional(Type.Number()),
        }),
      ),
    }),
  ),
  variables: Type.Array(Type.Object({ name: Type.String(), means: Type.String() }), {
    description: 'what a template can name, each as {{name}}',
  }),
})
