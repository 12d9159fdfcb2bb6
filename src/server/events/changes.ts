/** /api/changes: what changed, newest first, unseen until marked. */

import { Type } from 'typebox'
import { given } from '../../model/given.js'
import { Count, exactly, Limit, orNull, PageId, refusals, Time } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'

const ChangeNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const filters = {
  group: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'group or tag of the page' }),
  ),
  page: Type.Optional(PageId),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'each word begins a word of title, address or changed text',
    }),
  ),
}

const ChangesQuery = exactly({
  ...filters,
  unseen: Type.Optional(Type.Boolean({ description: 'only those that nobody has seen' })),
  before: Type.Optional(
    Type.Integer({ ...ChangeNumber, description: '`next` of the stretch before' }),
  ),
  limit: Limit(500, 50),
})

const ChangeAnswer = Type.Object(
  {
    number: Type.Integer({ description: 'of the visit that found it' }),
    page: Type.Object({
      id: Type.String(),
      url: Type.String(),
      host: Type.String(),
      title: orNull(Type.String({ description: 'as it is now' })),
      group: orNull(Type.String()),
      tags: Type.Array(Type.String()),
    }),
    at: Time,
    previous: orNull(Type.Number({ description: 'when the content before was first seen' })),
    title: orNull(Type.String({ description: 'of the content that it brought' })),
    removed: Type.String({ description: 'the words that went, in a line' }),
    added: Type.String({ description: 'the words that came, in a line' }),
    share: orNull(Type.Number({ description: 'of the compared text, new or gone' })),
    note: orNull(Type.String({ description: 'why there are no words to show' })),
    seen: Type.Boolean(),
  },
  { title: 'Change' },
)

export const ChangeListAnswer = Type.Object({
  changes: Type.Array(ChangeAnswer),
  next: orNull(Type.Integer({ description: 'for `before`; null at the end' })),
})

export const UnseenAnswer = Type.Object({
  unseen: Count,
  groups: Type.Array(Type.Object({ name: Type.String(), unseen: Count }), {
    description: 'by group or tag; a page of two counts in both',
  }),
})

const SeenBody = exactly({
  ...filters,
  numbers: Type.Optional(
    Type.Array(ChangeNumber, { minItems: 1, maxItems: 1000, description: 'only these' }),
  ),
  upTo: Type.Optional(
    Type.Integer({ ...ChangeNumber, description: 'only up to this one, such as the newest shown' }),
  ),
  seen: Type.Optional(Type.Boolean({ description: 'false marks them unseen; true by default' })),
})

export const MarkedAnswer = Type.Object({ marked: Count })

/** What changed, as a person goes through it. */
export function changeRoutes(app: App, parts: ServiceParts): void {
  const { collection, store } = parts
  const { inbox } = store
  const tags = ['changes']

  app.get(
    '/api/changes',
    {
      schema: {
        operationId: 'listChanges',
        summary: 'What changed, the newest first, with the words that went and came',
        tags,
        querystring: ChangesQuery,
        response: { 200: ChangeListAnswer, ...refusals },
      },
    },
    async ({ query: { limit = 50, ...asked } }) =>
      inbox.list({ collection, limit, ...given(asked) }),
  )

  app.get(
    '/api/changes/unseen',
    {
      schema: {
        operationId: 'countUnseen',
        summary: 'How many changes nobody has seen, in all and by group or tag',
        tags,
        response: { 200: UnseenAnswer, ...refusals },
      },
    },
    async () => inbox.unseen(collection),
  )

  app.post(
    '/api/changes/seen',
    {
      schema: {
        operationId: 'markSeen',
        summary: 'Mark changes seen: some, all of a filter, or all',
        tags,
        body: SeenBody,
        response: { 200: MarkedAnswer, ...refusals },
      },
    },
    async ({ body: { seen = true, ...asked } }) => ({
      marked: await inbox.mark({ collection, seen, ...given(asked) }),
    }),
  )
}
