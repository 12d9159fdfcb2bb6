import { Type } from 'typebox'
import { given } from '../../model/given.js'
import { ApiError } from '../errors.js'
import { type Answer, Count, Duration, exactly, Limit, orNull, refusals, Time } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { HostHints, hostHintsAnswer, neighboursAnswer } from './hints.js'

const summary = {
  host: Type.String(),
  pages: Count,
  firstDue: orNull(Time),
  blockedUntil: orNull(Time),
  lastVisit: orNull(Time),
}
export const HostsAnswer = Type.Object({
  hosts: Type.Array(Type.Object(summary, { title: 'Host' })),
  next: orNull(Type.String()),
})
const HostsQuery = exactly({
  contains: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  resting: Type.Optional(Type.Boolean({ description: 'only hosts that are not to be asked now' })),
  limit: Limit(1000, 100),
  after: Type.Optional(Type.String({ maxLength: 300 })),
})
const Neighbours = Type.Object(
  {
    on: Type.Boolean({ description: 'whether pages are visited soon after one of them changed' }),
    lastSignal: orNull(Time),
    events: Type.Number({
      minimum: 0,
      description: 'change signals that visits followed; old ones count less',
    }),
    visits: Type.Number({
      minimum: 0,
      description: 'made soon after such a change signal; old ones count less',
    }),
    foundChanged: Type.Number({ minimum: 0 }),
    expected: Type.Number({
      minimum: 0,
      description: 'those that were to be expected changed without the change signal',
    }),
    lift: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'what change signals add to the chance of a change, at least; 0 until that is proven',
    }),
  },
  { title: 'NeighbourSignals' },
)
export const HostAnswer = Type.Object(
  {
    ...summary,
    delay: Duration,
    readyAt: Time,
    failures: Count,
    requestsToday: Count,
    hints: HostHints,
    neighbours: Neighbours,
    robots: Type.Array(
      Type.Object({
        origin: Type.String(),
        verdict: Type.String(),
        until: Time,
        crawlDelay: orNull(Duration),
        rules: Count,
      }),
    ),
  },
  { title: 'HostFacts' },
)
export type HostAnswer = Answer<typeof HostAnswer>

/** Hosts, and how they are to be treated. */
export function hostRoutes(app: App, parts: ServiceParts): void {
  const { store, collection, clock, gate } = parts
  const tags = ['hosts']

  app.get(
    '/api/hosts',
    {
      schema: {
        operationId: 'listHosts',
        summary: 'The hosts of the pages, by name',
        tags,
        querystring: HostsQuery,
        response: { 200: HostsAnswer, ...refusals },
      },
    },
    async ({ query }) => {
      const { contains, resting, limit = 100, after } = query
      return store.listHosts({
        collection,
        limit,
        ...given({ nameContains: contains, after }),
        ...(resting === true ? { restingAt: clock.now() } : {}),
      })
    },
  )

  app.get(
    '/api/hosts/:host',
    {
      schema: {
        operationId: 'getHost',
        summary: 'One host: its delay, its failures, what its robots.txt says, how its hints did',
        tags,
        params: exactly({ host: Type.String({ minLength: 1, maxLength: 300 }) }),
        response: { 200: HostAnswer, ...refusals },
      },
    },
    async ({ params: { host } }) => {
      const found = await store.listHosts({
        collection,
        nameContains: host,
        after: host.slice(0, -1),
        limit: 1000,
      })
      const known = found.hosts.find((each) => each.host === host)
      if (known === undefined)
        throw new ApiError(404, 'no-host', 'no page of this host is followed; see GET /api/hosts')
      const record = await store.getHost(host)
      return {
        ...known,
        ...gate.facts(host, record),
        hints: hostHintsAnswer(record),
        neighbours: neighboursAnswer(record),
      }
    },
  )
}
