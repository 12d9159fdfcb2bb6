/** Visits: of all pages by number, of one page by time, as a history, and as rows of a list. */

import { Type } from 'typebox'
import { given } from '../../model/given.js'
import { historyOf, type Outcome } from '../../model/history.js'
import type { UnixSeconds } from '../../model/units.js'
import {
  type Answer,
  Count,
  Duration,
  exactly,
  Limit,
  OutcomeWord,
  oneOf,
  orNull,
  pageIdPattern,
  pairOf,
  refusals,
  Time,
} from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { PageParams } from './page-schema.js'
import { foundPage } from './page-view.js'

const UnchangedFor = Type.Number({
  description:
    'seconds after the visit before for which the page had not changed, by a list that proved right',
})

const visit = {
  at: Time,
  outcome: OutcomeWord,
  status: orNull(Count),
  gap: orNull(Duration),
  contentAge: orNull(Duration),
  lastModified: Type.Optional(Time),
  unchangedFor: Type.Optional(UnchangedFor),
  fingerprint: orNull(Type.String()),
  bytes: Count,
  duration: Duration,
  fault: orNull(Type.String()),
}

const VisitAnswer = Type.Object(visit, { title: 'Visit' })

export const LoggedVisitAnswer = Type.Object(
  {
    ...visit,
    number: Count,
    page: Type.Object({
      id: Type.String(),
      url: Type.String(),
      group: Type.Optional(Type.String()),
    }),
  },
  { title: 'LoggedVisit' },
)
export type LoggedVisitAnswer = Answer<typeof LoggedVisitAnswer>

const VisitNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const VisitLogParams = exactly({
  after: Type.Optional(VisitNumber),
  before: Type.Optional(VisitNumber),
  changes: Type.Optional(Type.Boolean({ description: 'only visits that found a change' })),
  order: Type.Optional(oneOf(['oldest', 'newest'])),
  limit: Limit(1000, 100),
})

export const VisitLogAnswer = Type.Object({
  visits: Type.Array(LoggedVisitAnswer),
  last: Type.Integer({ description: 'number of the last visit of the store' }),
})

const PageVisitsQuery = exactly({
  from: Type.Optional(Time),
  until: Type.Optional(Time),
  newest: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
})
export const PageVisitsAnswer = Type.Object({ visits: Type.Array(VisitAnswer) })

export const HistoryAnswer = Type.Object(
  {
    start: orNull(Type.Object({ at: Time, contentAge: Type.Optional(Duration) })),
    observations: Type.Array(
      Type.Object({
        at: Time,
        gap: Duration,
        changed: Type.Boolean(),
        contentAge: Type.Optional(Duration),
        unchangedFor: Type.Optional(UnchangedFor),
      }),
    ),
  },
  { title: 'History' },
)
export type HistoryAnswer = Answer<typeof HistoryAnswer>

/** Visits: of all pages by number, of one page by time, and as a history. */
export function visitRoutes(app: App, parts: ServiceParts): void {
  const { store, collection } = parts
  const tags = ['visits']

  app.get(
    '/api/visits',
    {
      schema: {
        operationId: 'listVisits',
        summary: 'Visits of all pages by their number: after one already seen, or the newest',
        tags,
        querystring: VisitLogParams,
        response: { 200: VisitLogAnswer, ...refusals },
      },
    },
    async ({ query }) => {
      const { after, before, changes, order, limit = 100 } = query
      const visits = await store.visitLog({
        collection,
        limit,
        ...given({ after, before }),
        changesOnly: changes === true,
        newestFirst: order === 'newest',
      })
      return { visits, last: await store.lastVisitNumber() }
    },
  )

  app.get(
    '/api/pages/:id/visits',
    {
      schema: {
        operationId: 'visitsOfPage',
        summary: 'The visits of a page in order of time; the newest 1000 by default',
        tags,
        params: PageParams,
        querystring: PageVisitsQuery,
        response: { 200: PageVisitsAnswer, ...refusals },
      },
    },
    async ({ params, query }) => {
      const page = await foundPage(params.id, parts)
      return { visits: await store.visitsOf(page, { newest: 1000, ...query }) }
    },
  )

  app.get(
    '/api/pages/:id/history',
    {
      schema: {
        operationId: 'historyOfPage',
        summary: 'What the visits of a page tell of its changes: gaps, changed or not',
        tags,
        params: PageParams,
        response: { 200: HistoryAnswer, ...refusals },
      },
    },
    async ({ params }) => {
      const page = await foundPage(params.id, parts)
      const history = historyOf(await store.visitsOf(page))
      return { start: history?.start ?? null, observations: history?.observations ?? [] }
    },
  )
}

const most = 200
const newest = 40

const TimelinesQuery = exactly({
  pages: Type.String({
    pattern: `^${pageIdPattern}(,${pageIdPattern}){0,${most - 1}}$`,
    description: `ids of up to ${most} pages, with commas between`,
  }),
})

export const TimelinesAnswer = Type.Object({
  lines: Type.Record(
    Type.String(),
    Type.Array(pairOf(Time, OutcomeWord), {
      description: `its ${newest} newest visits: when, and how they ended`,
    }),
  ),
})

/** The last visits of many pages at once: what a row of a list has room for. */
export function timelineRoutes(app: App, { store, collection }: ServiceParts): void {
  app.get(
    '/api/timelines',
    {
      schema: {
        operationId: 'timelines',
        summary: 'The last visits of several pages, when and how they ended',
        tags: ['visits'],
        querystring: TimelinesQuery,
        response: { 200: TimelinesAnswer, ...refusals },
      },
    },
    async ({ query }) => {
      const lines: Record<string, [UnixSeconds, Outcome][]> = {}
      for (const id of new Set(query.pages.split(','))) {
        const page = await store.getPage({ id })
        if (page?.collection !== collection) continue
        const visits = await store.visitsOf({ id }, { newest })
        lines[id] = visits.map(({ at, outcome }) => [at, outcome])
      }
      return { lines }
    },
  )
}
