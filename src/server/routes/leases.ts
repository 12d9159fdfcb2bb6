import { askedAddress } from '../../engine/index.js'
import { isOwnSite } from '../../model/index.js'
import type { App } from '../app.js'
import { type Errand, LeaseDesk, outsideName } from '../lease/lease-desk.js'
import { ReportDesk } from '../lease/report-desk.js'
import {
  ExtendAnswer,
  ExtendBody,
  LeaseBody,
  LeasesAnswer,
  ReleaseAnswer,
  ReleaseBody,
  ReportAnswer,
  ReportBody,
} from '../schema/leases.js'
import { refusals } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

const usualTtl = 300

/** Bring your own fetcher: lease what is due, fetch it, report what was found. */
export function leaseRoutes(app: App, parts: ServiceParts): void {
  const { store, clock } = parts
  const desk = new LeaseDesk(parts)
  const reports = new ReportDesk(parts)
  const tags = ['fetchers']

  app.post(
    '/api/leases',
    {
      schema: {
        operationId: 'lease',
        summary: 'Take pages that are due, host by host, to fetch them before the lease runs out',
        tags,
        body: LeaseBody,
        response: { 200: LeasesAnswer, ...refusals },
      },
    },
    async ({ body }) => {
      const { limit = 10, perHost = 1, ttl = usualTtl } = body
      const asked = { ...body, limit, perHost, ttl }
      const errands = await desk.give(asked)
      return { leases: errands.map(leaseView), next: await desk.next(asked) }
    },
  )

  app.post(
    '/api/leases/extend',
    {
      schema: {
        operationId: 'extendLeases',
        summary: 'Hold leases longer; tells of each whether it is still held',
        tags,
        body: ExtendBody,
        response: { 200: ExtendAnswer, ...refusals },
      },
    },
    async ({ body }) => {
      const until = clock.now() + (body.ttl ?? usualTtl)
      const held = await store.extendLeases(body.leases.map(refOf), { until })
      const extended = body.leases.map((each, at) => ({ ...each, held: held[at] === true }))
      return { extended, expiresAt: until }
    },
  )

  app.post(
    '/api/leases/release',
    {
      schema: {
        operationId: 'releaseLeases',
        summary: 'Give pages back unvisited: these, or all that a fetcher holds',
        tags,
        body: ReleaseBody,
        response: { 200: ReleaseAnswer, ...refusals },
      },
    },
    async ({ body }) => ({
      released:
        'worker' in body
          ? await store.releaseWorker(outsideName(body.worker))
          : await store.releaseLeases(body.leases.map(refOf)),
    }),
  )

  app.post(
    '/api/reports',
    {
      schema: {
        operationId: 'report',
        summary:
          'Tell what a visit found; 409 with lease-lost where the page was given to another meanwhile',
        tags,
        body: ReportBody,
        response: { 200: ReportAnswer, ...refusals },
      },
    },
    async ({ body }) => {
      const told = await reports.take(body)
      return { ...told, due: { ...told.due } }
    },
  )
}

function refOf({ page, token }: { page: string; token: number }) {
  return { page: { id: page }, token }
}

/** Where a page has moved to another site, its headers are not given along: they would be sent there. */
function leaseView({ lease, ...manner }: Errand) {
  const { page, token, expiresAt } = lease
  const { url, headers } = askedAddress(page)
  const own = isOwnSite({ url, home: page.url })
  return {
    page: page.id,
    url,
    host: page.host,
    ...(page.group === undefined ? {} : { group: page.group }),
    importance: page.importance,
    token,
    expiresAt,
    ...manner,
    validators: { ...page.validators },
    headers: own ? { ...headers } : {},
  }
}
