/** /api/pages: pages listed, added, changed and removed. */

import { readingRules } from '../../content/reading-rules.js'
import { checkPageHeaders } from '../../fetch/page-headers.js'
import { proxyAddress } from '../../fetch/proxy.js'
import { shown } from '../../formats/printable-text.js'
import { withScheme } from '../../formats/url.js'
import { browserSteps } from '../../model/browser-steps.js'
import { humanDuration } from '../../model/duration.js'
import { OptionError, RevisitError } from '../../model/errors.js'
import { given } from '../../model/given.js'
import {
  type ChosenSettings,
  type NewPage,
  type PageChange,
  type PageFilter,
  type PageRecord,
  type PageSettings,
  watchedSettings,
  withChosen,
} from '../../model/page.js'
import type { ExpectedVisits } from '../../planner/collection/expected-visits.js'
import { movesPlan, reasonByHand } from '../../planner/collection/replan.js'
import { policyOf } from '../../planner/registry.js'
import { parseAllowedHours } from '../../policies/allowed-hours.js'
import { RemovedAnswer, refusals, type Static } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import {
  AddPagesAnswer,
  AddPagesBody,
  type NewPageBody,
  PageAnswer,
  PageChangeBody,
  PageListAnswer,
  PageListQuery,
  PageParams,
  type PageSettingsBody,
  RemovePagesBody,
} from './page-schema.js'
import { foundPage, pageView, pageViews } from './page-view.js'

/** Refuses settings of a page that the loop could not follow; their names and kinds the schema has checked. */
function checkedPageSettings(settings: Static<typeof PageSettingsBody>): PageSettings {
  const { policy, hours, headers = {}, reading, shortest = 0, longest = Infinity } = settings
  if (policy !== undefined) policyOf(policy)
  if (hours !== undefined) parseAllowedHours(hours)
  if (reading !== undefined) readingRules(reading)
  if (settings.proxy !== undefined) proxyAddress(settings.proxy)
  if (settings.steps !== undefined) browserSteps(settings.steps)
  if (shortest > longest)
    throw new OptionError(
      'bad-limits',
      `the shortest gap, ${humanDuration(shortest)}, must not be longer than the longest, ${humanDuration(longest)}`,
    )
  checkPageHeaders(headers)
  return settings
}

/** A page that was not taken, and why. */
export interface RefusedPage {
  readonly url: string
  readonly code: string
  readonly message: string
}

/** Letters of an address that are given back. */
const shownLength = 200

/** Pages in the form they are kept under; those that the crawler would not visit are refused. */
export function newPages(
  asked: readonly Static<typeof NewPageBody>[],
  { addresses }: Pick<ServiceParts, 'addresses'>,
): { pages: NewPage[]; refused: RefusedPage[] } {
  const pages: NewPage[] = []
  const refused: RefusedPage[] = []
  for (const page of asked)
    try {
      const settings = watchedSettings(checkedPageSettings(page.settings ?? {}))
      pages.push({ ...page, settings, url: addresses.address(withScheme(page.url)) })
    } catch (error) {
      if (!(error instanceof RevisitError)) throw error
      const { code, message } = error
      refused.push({ url: page.url.slice(0, shownLength), code, message })
    }
  return { pages, refused }
}

/** Pages of those added that are asked when they are visited. */
const mostAsked = 200

/** When added pages that nobody visited yet are seen first and again, and what their own limits ask for beyond the budget. */
async function plannedFor(
  added: readonly NewPage[],
  { store, collection, controller, clock }: ServiceParts,
): Promise<{ next: ExpectedVisits | null; warning: string | null }> {
  if (controller === undefined) return { next: null, warning: null }
  const now = clock.now()
  const pages: PageRecord[] = []
  for (const { url } of added.slice(0, 5 * mostAsked)) {
    const page = await store.getPage({ collection, url })
    if (page?.lastVisit === null) pages.push(page)
    if (pages.length === mostAsked) break
  }
  const next = pages.length === 0 ? null : await controller.expected(pages, { now })
  const guaranteed = added.some(
    ({ settings = {} }) => 'longest' in settings || 'policy' in settings,
  )
  return { next, warning: guaranteed ? await controller.guaranteeWarning({ now, shown }) : null }
}

/** The store's change for what was asked. Settings are merged by name, and null takes one away. */
function changeOf(page: PageRecord, body: Static<typeof PageChangeBody>): PageChange {
  const { group, tags, importance, settings, due, forget } = body
  return {
    ...given({ group, tags, importance }),
    ...(settings === undefined ? {} : { settings: changedSettings(page, settings) }),
    ...(typeof settings?.title === 'string' ? { title: settings.title } : {}),
    ...(due === undefined ? {} : { due: { at: due.at, reason: reasonByHand(due.reason) } }),
    ...(forget === true ? { state: null } : {}),
  }
}

/**
 * Only what was sent is judged: what was stored before, by rules of another
 * time, must not stand in the way of changing anything else. Of the two limits
 * each is held against the other as it will be.
 */
function changedSettings(page: PageRecord, settings: ChosenSettings): PageSettings {
  const all = withChosen(page.settings, settings)
  const sent: object = withChosen({}, settings)
  const limits = 'shortest' in sent || 'longest' in sent ? limitsIn(all) : {}
  checkedPageSettings({ ...sent, ...limits })
  return all
}

function limitsIn(settings: object): object {
  const limits = Object.entries(settings).filter(([name]) => /^(shortest|longest)$/.test(name))
  return Object.fromEntries(limits)
}

/** Pages: listed, added, changed, removed. */
export function pageRoutes(app: App, parts: ServiceParts): void {
  const { store, collection, clock } = parts
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
        ...given({ sort, descending, after }),
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
          'Follow pages from now on; those that may not be followed are reported, the others kept',
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
      const changed = (await store.changePage(page, changeOf(page, body))) ?? page
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
async function planned(page: PageRecord, { controller, clock }: ServiceParts): Promise<PageRecord> {
  return controller === undefined ? page : controller.planAnew(page, clock.now())
}

/** An empty state would be taken for another learner's, and learned again from the recorded visits. */
async function forgotten(page: PageRecord, { controller }: ServiceParts): Promise<PageRecord> {
  return controller === undefined ? page : controller.forget(page)
}

function filterOf(
  { host, group, outcome, contains, due }: Static<typeof PageListQuery>,
  { collection, clock }: ServiceParts,
): PageFilter {
  return {
    collection,
    ...given({ host, group, outcome, urlContains: contains }),
    ...(due === true ? { dueBy: clock.now() } : {}),
  }
}
