/** What schemas are made of here, and the types of requests and answers that follow from them. */

import type { Readable } from 'node:stream'
import type { FastifyTypeProvider } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { outcomes } from '../model/history.js'
import type { Json } from '../model/units.js'

/** The type of an answer: records of the store, whose lists are readonly, are answers as they are. */
export type Answer<S extends TSchema> = ReadonlyDeep<Static<S>>

type ReadonlyDeep<T> = [Json] extends [T]
  ? T
  : T extends Readable
    ? T
    : T extends object
      ? { readonly [Name in keyof T]: ReadonlyDeep<T[Name]> }
      : T

/** Requests are what their schemas say, and so must answers be, or a handler does not compile. */
export interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  readonly serializer: this['schema'] extends TSchema ? Answer<this['schema']> : unknown
}

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
export function oneOf<const T extends readonly string[]>(words: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })
}
export const OutcomeWord = oneOf(outcomes)
/** A number; on PostgreSQL with its host's key before it. */
export const pageIdPattern = '(?:[0-9a-f]{16}\\.)?[1-9][0-9]{0,14}'
export const PageId = Type.String({ pattern: `^${pageIdPattern}$`, description: 'id of a page' })
export const Limit = (most: number, usual: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: most,
      default: usual,
      description: `${usual} by default`,
    }),
  )
export const Share = Type.Number({ minimum: 0, maximum: 1 })
export const AnyJson = Type.Unsafe<Json>({ description: 'any JSON value' })
/** A thing to choose, with what it is. */
export const Named = Type.Object({ name: Type.String(), summary: Type.String() })
export function named({ name, summary }: Answer<typeof Named>): Answer<typeof Named> {
  return { name, summary }
}
export const RemovedAnswer = Type.Object({ removed: Count })
export const Done = Type.Object({ status: Type.Literal('ok') })
export const done: Answer<typeof Done> = { status: 'ok' }

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
export type ErrorAnswer = Answer<typeof ErrorAnswer>

/** The answers that every route may give beside its own. */
export const refusals = { '4xx': ErrorAnswer, '5xx': ErrorAnswer } as const

/** An answer that is a text of one of these types, or a stream of it; errors of the same route are JSON all the same. */
export function textOf(...types: readonly string[]) {
  const schema = Type.String()
  return Type.Unsafe<string | Readable>({
    description: types.join(' or '),
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  })
}

/** An answer that is bytes of one type. */
export function bytesOf(type: string) {
  return Type.Unsafe<Readable>({
    description: type,
    content: { [type]: { schema: Type.Unsafe<string>({ contentMediaType: type }) } },
  })
}

export type { Static }
