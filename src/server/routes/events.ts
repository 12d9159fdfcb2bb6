import { Type } from 'typebox'
import { hostOf, type LoggedVisit } from '../../model/index.js'
import { ApiError } from '../api-error.js'
import type { App } from '../app.js'
import { streamEvents } from '../events/event-stream.js'
import { startOf } from '../events/event-text.js'
import { exactly, PageId, refusals, type Static, textOf } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

const EventsQuery = exactly({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'visits after this number; from now on unless said. Last-Event-ID goes before',
    }),
  ),
  changes: Type.Optional(Type.Boolean({ description: 'only visits that found a change' })),
  page: Type.Optional(PageId),
  host: Type.Optional(Type.String({ maxLength: 300 })),
  group: Type.Optional(Type.String({ maxLength: 200 })),
})

/** Streams open at once. */
const most = 1000

/** Visits as they are recorded, as server-sent events. */
export function eventRoutes(app: App, { feed }: ServiceParts): void {
  let open = 0
  app.get(
    '/api/events',
    {
      schema: {
        operationId: 'events',
        summary:
          'Visits and changes as they happen (server-sent events); the id is the number of the visit, and Last-Event-ID goes on after it',
        tags: ['visits'],
        querystring: EventsQuery,
        response: { 200: textOf('text/event-stream'), ...refusals },
      },
    },
    async (request, reply) => {
      if (open >= most)
        throw new ApiError(503, 'too-many-streams', `${most} streams are open already; try later`)
      const { query, headers } = request
      const header = headers['last-event-id']
      const start = startOf({
        header: Array.isArray(header) ? header[0] : header,
        after: query.after,
        last: feed.last,
      })
      reply.hijack()
      const { raw } = reply
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value)
      raw.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
      open++
      streamEvents(raw, { feed, start, wanted: wantedBy(query) })
        .catch((error: unknown) => {
          request.log.warn({ err: error }, 'a stream of events broke off')
          raw.destroy()
        })
        .finally(() => open--)
    },
  )
}

function wantedBy(query: Static<typeof EventsQuery>): (visit: LoggedVisit) => boolean {
  const { changes, page, host, group } = query
  return (visit) =>
    (changes !== true || visit.outcome === 'changed') &&
    (page === undefined || visit.page.id === page) &&
    (group === undefined || visit.page.group === group) &&
    (host === undefined || hostOf(visit.page.url) === host)
}
