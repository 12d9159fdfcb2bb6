import { Type } from 'typebox'
import type { App } from '../app.js'
import { Count, orNull, refusals, Time } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

const StatusAnswer = Type.Object(
  {
    version: Type.String(),
    collection: Type.String(),
    now: Time,
    pages: Count,
    hosts: Count,
    dueNow: Count,
    inFlight: Count,
    oldestDue: orNull(Time),
    lastVisitNumber: Count,
    loop: orNull(Type.Object({ running: Type.Boolean(), underWay: Count })),
  },
  { title: 'Status' },
)

const Alive = Type.Object({ status: Type.Literal('ok') })

/** Whether the service lives, whether it can work, and what it has to do. */
export function healthRoutes(app: App, parts: ServiceParts): void {
  const { store, collection, clock, version, loop, feed } = parts
  const tags = ['health']

  app.get(
    '/health',
    {
      schema: {
        operationId: 'health',
        summary: 'Whether the process answers',
        tags,
        response: { 200: Alive, ...refusals },
      },
    },
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/ready',
    {
      schema: {
        operationId: 'ready',
        summary: 'Whether the store can be read and the loop, if there is one, runs',
        tags,
        response: { 200: Alive, 503: Type.Object({ status: Type.String() }), ...refusals },
      },
    },
    async (_, reply) => {
      await store.lastVisitNumber()
      if (loop !== undefined && !loop.running) {
        reply.code(503)
        return { status: 'the loop does not run' }
      }
      return { status: 'ok' as const }
    },
  )

  app.get(
    '/api/status',
    {
      schema: {
        operationId: 'status',
        summary: 'How many pages there are, how many are due, what is under way',
        tags,
        response: { 200: StatusAnswer, ...refusals },
      },
    },
    async () => {
      const now = clock.now()
      return {
        version,
        collection,
        now,
        ...(await store.health({ collection, now })),
        lastVisitNumber: feed.last,
        loop: loop === undefined ? null : { running: loop.running, underWay: loop.underWay },
      }
    },
  )
}
