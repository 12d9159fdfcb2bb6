import { type Static, type TSchema, Type } from 'typebox'
import { outcomes } from '../model/history.js'

/** A schema that also takes null. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** An object of exactly these properties: a misspelt one is refused, not overlooked. */
export function exactly<T extends Record<string, TSchema>>(properties: T) {
  return Type.Object(properties, { additionalProperties: false })
}

/** Two values in a row. As JSON Schema of 2020-12 and so OpenAPI 3.1 write it, which TypeBox's tuples do not. */
export function pairOf<A extends TSchema, B extends TSchema>(first: A, second: B) {
  return Type.Unsafe<[Static<A>, Static<B>]>({
    type: 'array',
    prefixItems: [first, second],
    items: false,
    minItems: 2,
    maxItems: 2,
  })
}

export const Time = Type.Number({ description: 'Unix seconds' })
export const Duration = Type.Number({ description: 'seconds' })
export const Count = Type.Integer({ minimum: 0 })
/** One of several words. */
export function oneOf<const T extends readonly string[]>(words: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words] })
}
export const OutcomeWord = oneOf(outcomes)
export const PageId = Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'id of a page' })
export const Limit = (most: number, usual: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: most,
      default: usual,
      description: `${usual} by default`,
    }),
  )
export const AnyJson = Type.Unsafe<unknown>({ description: 'any JSON value' })

const ErrorAnswer = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'to catch' }),
      message: Type.String({ description: 'for a person' }),
      details: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
      ),
    }),
  },
  { title: 'Error' },
)

/** The answers that every route may give beside its own. */
export const refusals = { '4xx': ErrorAnswer, '5xx': ErrorAnswer } as const

/** An answer that is a text of one of these types; errors of the same route are JSON all the same. */
export function textOf(...types: readonly string[]) {
  const schema = Type.String()
  return Type.Unsafe<string>({
    description: types.join(' or '),
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  })
}

export type { Static }
