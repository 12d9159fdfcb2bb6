import { type TSchema, Type } from 'typebox'
import { objectives } from '../../schedule/index.js'
import { AnyJson, Count, exactly, oneOf, orNull } from './words.js'

const Gap = (description: string) => Type.Number({ exclusiveMinimum: 0, description })
const Patterns = Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 50 }))

/** Every setting that a page can have of its own; `revisit watch` sets the same by its options. */
const settings = {
  policy: Type.String({ maxLength: 200, description: 'such as malcolm-armitage' }),
  objective: oneOf([...objectives]),
  hours: Type.String({ maxLength: 200, description: 'in UTC, such as mon-fri 8-18' }),
  shortest: Gap('seconds; never visited again sooner'),
  longest: Gap('seconds; never left longer'),
  headers: Type.Record(Type.String(), Type.String({ maxLength: 8000 })),
  /** Its rules are checked by the crawler, which says what is wrong with them. */
  reading: Type.Unsafe<unknown>({ ...AnyJson, description: 'what counts as a change; null: all' }),
  noiseCheck: Type.Boolean({ description: 'look again to tell noise from change' }),
  browser: Type.Boolean({ description: 'let a browser draw the page' }),
  discover: orNull(
    exactly({
      depth: Type.Optional(Count),
      pages: Type.Optional(Count),
      include: Patterns,
      exclude: Patterns,
    }),
  ),
  role: oneOf(['list']),
  found: Type.Boolean({ description: 'found by itself, not asked for by a person' }),
} as const

export const PageSettingsBody = Type.Partial(Type.Object(settings), {
  additionalProperties: false,
  description: 'settings of this page alone',
})

export const ChangedSettingsBody = Type.Partial(Type.Object(orNulls()), {
  additionalProperties: false,
  description: 'by name; null takes one away',
})

function orNulls(): Record<string, TSchema> {
  const all = Object.entries(settings).map(([name, schema]) => [name, orNull(schema)])
  return Object.fromEntries(all)
}
