import { historyOf } from '../../model/index.js'
import type { App } from '../app.js'
import { foundPage } from '../page-view.js'
import { PageParams } from '../schema/pages.js'
import {
  HistoryAnswer,
  PageVisitsAnswer,
  PageVisitsQuery,
  VisitLogAnswer,
  VisitLogParams,
} from '../schema/visits.js'
import { refusals } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

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
        ...(after === undefined ? {} : { after }),
        ...(before === undefined ? {} : { before }),
        changesOnly: changes === true,
        newestFirst: order === 'newest',
      })
      return { visits: [...visits], last: await store.lastVisitNumber() }
    },
  )

  app.get(
    '/api/pages/:id/visits',
    {
      schema: {
        operationId: 'visitsOfPage',
        summary: 'The visits of a page in order of time; the newest 1000 unless said',
        tags,
        params: PageParams,
        querystring: PageVisitsQuery,
        response: { 200: PageVisitsAnswer, ...refusals },
      },
    },
    async ({ params, query }) => {
      const page = await foundPage(params.id, parts)
      const visits = await store.visitsOf(page, { newest: 1000, ...query })
      return { visits: [...visits] }
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
      return { start: history?.start ?? null, observations: [...(history?.observations ?? [])] }
    },
  )
}
