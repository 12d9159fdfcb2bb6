/** GET /api/events: the log of visits as server-sent events. */

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Type } from 'typebox'
import { hostOf, isOfGroup } from '../../model/page.js'
import type { Seconds } from '../../model/units.js'
import type { LoggedVisit } from '../../model/visit-record.js'
import { ApiError } from '../errors.js'
import { exactly, PageId, refusals, type Static, textOf } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import type { VisitFeed } from './visit-feed.js'

/** One visit as a server-sent event: `change` where it found one, else `visit`. */
function eventText(visit: LoggedVisit): string {
  const name = visit.outcome === 'changed' ? 'change' : 'visit'
  return `id: ${visit.number}\nevent: ${name}\ndata: ${JSON.stringify(visit)}\n\n`
}

/**
 * Nothing happened, or nothing that was asked for: the browser remembers the
 * number all the same, and shows no event, since there is no data.
 */
function beatText(number: number): string {
  return `: beat\nid: ${number}\n\n`
}

/** The number after which to go on: what the browser sends, or what was asked for at first. */
function startOf({
  header,
  after,
  last,
}: {
  readonly header: string | undefined
  readonly after: number | undefined
  readonly last: number
}): number {
  const asked = /^\d{1,15}$/.test(header ?? '') ? Number(header) : after
  // A number that is not reached yet was given by another store.
  return asked === undefined || asked > last ? last : asked
}

interface EventStreamOptions {
  readonly feed: VisitFeed
  readonly start: number
  readonly wanted: (visit: LoggedVisit) => boolean
  /** Longest silence; 15 s by default. */
  readonly beat?: Seconds
  /** A client that takes nothing for so long is dropped; 30 s by default. */
  readonly patience?: Seconds
}

/**
 * Sends the log of visits to one client from where it left off, for as long as
 * it stays. It asks the feed for the next visits only once those before have
 * been taken, so that a slow client costs one stretch and no more.
 */
export async function streamEvents(
  response: ServerResponse,
  { feed, start, wanted, beat = 15, patience = 30 }: EventStreamOptions,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const send = (text: string) => sent(response, { text, patience, signal: gone.signal })
  let number = start
  let open = await send(`retry: 2000\n${beatText(number)}`)
  while (open && !gone.signal.aborted && !feed.closed) {
    const { visits, upTo } = await feed.after(number)
    const text = visits.filter(wanted).map(eventText).join('')
    number = upTo
    if (text !== '') open = await send(text)
    if (visits.length > 0) continue
    await grownOrSilent(feed, { number, beat, signal: gone.signal })
    if (feed.last <= number) open = await send(beatText(number))
  }
  response.end()
}

/** Waits for visits, but no longer than a client should be left without a word. */
async function grownOrSilent(
  feed: VisitFeed,
  { number, beat, signal }: { number: number; beat: Seconds; signal: AbortSignal },
): Promise<void> {
  const silent = AbortSignal.timeout(beat * 1000)
  await feed.grown(number, AbortSignal.any([signal, silent]))
}

/** Whether the client took it in time; one that did not is dropped. */
async function sent(
  response: ServerResponse,
  { text, patience, signal }: { text: string; patience: Seconds; signal: AbortSignal },
): Promise<boolean> {
  if (signal.aborted) return false
  if (response.write(text)) return true
  const late = AbortSignal.any([signal, AbortSignal.timeout(patience * 1000)])
  try {
    await once(response, 'drain', { signal: late })
    return true
  } catch {
    response.destroy()
    return false
  }
}

const EventsQuery = exactly({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'visits after this number; from now on by default. Last-Event-ID goes before',
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
    (group === undefined || isOfGroup(visit.page, group)) &&
    (host === undefined || hostOf(visit.page.url) === host)
}
