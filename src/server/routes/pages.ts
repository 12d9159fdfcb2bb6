import { movesPlan } from '../../engine/index.js'
import type { PageFilter, PageRecord } from '../../model/index.js'
import { newPages, plannedFor } from '../added-pages.js'
import type { App } from '../app.js'
import { changeOf } from '../changed-page.js'
import { foundPage, pageView, pageViews } from '../page-view.js'
import {
  AddPagesAnswer,
  AddPagesBody,
  PageAnswer,
  PageChangeBody,
  PageListAnswer,
  PageListQuery,
  PageParams,
  RemovedAnswer,
  RemovePagesBody,
} from '../schema/pages.js'
import { refusals, type Static } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

/** Pages: listed, added, changed, removed. */
export function pageRoutes(app: App, parts: ServiceParts): void {
  const { store, collection, clock, web } = parts
  const tags = ['pages']

  app.get(
    '/api/pages',
    {
      schema: {
        operationId: 'listPages',
        summary: 'The pages that are followed, by filter and order, stretch by stretch',
        tags,
        querystring: PageListQuery,
        response: { 200: PageListAnswer, ...refusals },
      },
    },
    async ({ query }) => {
      const filter = filterOf(query, parts)
      const { sort, descending, after, limit = 100 } = query
      const list = await store.listPages({
        ...filter,
        limit,
        ...(sort === undefined ? {} : { sort }),
        ...(descending === undefined ? {} : { descending }),
        ...(after === undefined ? {} : { after }),
      })
      const pages = await pageViews(list.pages, parts)
      const total = query.count === true ? { total: await store.countPages(filter) } : {}
      return { pages, next: list.next, ...total }
    },
  )

  app.post(
    '/api/pages',
    {
      schema: {
        operationId: 'addPages',
        summary:
          'Follow pages from now on; those that may not be followed are told, the others kept',
        tags,
        body: AddPagesBody,
        response: { 200: AddPagesAnswer, ...refusals },
      },
    },
    async ({ body }) => {
      const { pages, refused } = newPages(body.pages, parts)
      if (pages.length === 0) return { added: 0, already: 0, refused, next: null, warning: null }
      const counts = await store.addPages({ collection, pages, now: clock.now() })
      return { ...counts, refused, ...(await plannedFor(pages, parts)) }
    },
  )

  app.post(
    '/api/pages/remove',
    {
      schema: {
        operationId: 'removePages',
        summary: 'Follow pages no more, and forget their visits and contents',
        tags,
        body: RemovePagesBody,
        response: { 200: RemovedAnswer, ...refusals },
      },
    },
    async ({ body }) => {
      const found = await Promise.all(body.pages.map((id) => store.getPage({ id })))
      const ours = found.filter((page) => page?.collection === collection)
      return { removed: await store.removePages(ours.map((page) => ({ id: page!.id }))) }
    },
  )

  app.get(
    '/api/pages/:id',
    {
      schema: {
        operationId: 'getPage',
        summary: 'One page',
        tags,
        params: PageParams,
        response: { 200: PageAnswer, ...refusals },
      },
    },
    async ({ params }) => pageView(await foundPage(params.id, parts), parts),
  )

  app.patch(
    '/api/pages/:id',
    {
      schema: {
        operationId: 'changePage',
        summary: 'Change what was chosen for a page, or when it is due',
        tags,
        params: PageParams,
        body: PageChangeBody,
        response: { 200: PageAnswer, ...refusals },
      },
    },
    async ({ params, body }) => {
      const page = await foundPage(params.id, parts)
      const changed = (await store.changePage(page, changeOf(page, { body, web }))) ?? page
      const known = body.forget === true ? await forgotten(changed, parts) : changed
      const anew = body.due === undefined && movesPlan(body)
      return pageView(anew ? await planned(known, parts) : known, parts)
    },
  )

  app.delete(
    '/api/pages/:id',
    {
      schema: {
        operationId: 'removePage',
        summary: 'Follow a page no more, and forget its visits and contents',
        tags,
        params: PageParams,
        response: { 200: RemovedAnswer, ...refusals },
      },
    },
    async ({ params }) => {
      const page = await foundPage(params.id, parts)
      return { removed: await store.removePages([page]) }
    },
  )
}

/** Where nobody looks after the plan, the next visit finds what was chosen. */
async function planned(page: PageRecord, { steward, clock }: ServiceParts): Promise<PageRecord> {
  return steward === undefined ? page : steward.planAnew(page, clock.now())
}

/** An empty state would be taken for another learner's, and learned again from the recorded visits. */
async function forgotten(page: PageRecord, { steward }: ServiceParts): Promise<PageRecord> {
  return steward === undefined ? page : steward.forget(page)
}

function filterOf(
  { host, group, outcome, contains, due }: Static<typeof PageListQuery>,
  { collection, clock }: ServiceParts,
): PageFilter {
  return {
    collection,
    ...(host === undefined ? {} : { host }),
    ...(group === undefined ? {} : { group }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(contains === undefined ? {} : { urlContains: contains }),
    ...(due === true ? { dueBy: clock.now() } : {}),
  }
}
