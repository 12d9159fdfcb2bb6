import { Type } from 'typebox'
import { isOwnSite } from '../../fetch/page-headers.js'
import type { ClientPermit } from '../../visit/session.js'
import { Count, Duration, exactly, oneOf, orNull, PageId, refusals, Time } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { LeaseService, outsideName } from './lease-offers.js'
import { ReportService } from './lease-reports.js'

const Worker = Type.String({
  pattern: '^[\\w.:@-]{1,100}$',
  description: 'names the fetcher; leases can be given back by it',
})
const Ttl = Type.Number({ minimum: 1, maximum: 86_400, description: 'seconds; 300 by default' })

const LeaseBody = exactly({
  worker: Worker,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '10 by default' })),
  host: Type.Optional(
    Type.String({ minLength: 1, maxLength: 300, description: 'only pages of this host' }),
  ),
  perHost: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'pages of one host at a time, over all fetchers; 1 by default',
    }),
  ),
  ttl: Type.Optional(Ttl),
  repeats: Type.Optional(
    Type.Boolean({
      description:
        'whether the fetcher requests a page again where a report is answered with `again`, to separate noise from change',
    }),
  ),
})

const LeaseAnswer = Type.Object(
  {
    page: Type.String(),
    url: Type.String({ description: 'what to fetch' }),
    host: Type.String({
      description: 'of the page; `url` is on another where the page has moved there',
    }),
    group: Type.Optional(Type.String()),
    importance: Type.Number(),
    token: Type.Integer({ description: 'proof of the lease, for the report' }),
    expiresAt: Time,
    notBefore: Type.Number({ description: 'do not ask the host of `url` before (Unix seconds)' }),
    delay: Type.Number({
      description: 'seconds to rest after the answer before the next request to the host of `url`',
    }),
    robots: oneOf(['allowed', 'unknown']),
    validators: Type.Object({
      etag: Type.Optional(Type.String()),
      lastModified: Type.Optional(Type.String()),
    }),
    unconditional: Type.Boolean({ description: 'ask for the content in any case' }),
    headers: Type.Record(Type.String(), Type.String()),
  },
  { title: 'Lease' },
)

export const LeasesAnswer = Type.Object({
  leases: Type.Array(LeaseAnswer),
  next: orNull(
    Type.Number({ description: 'when it is worth asking the same again; null if never' }),
  ),
})

const LeaseNames = Type.Array(
  exactly({
    page: PageId,
    token: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  }),
  { minItems: 1, maxItems: 1000 },
)

const ExtendBody = exactly({ leases: LeaseNames, ttl: Type.Optional(Ttl) })
export const ExtendAnswer = Type.Object({
  extended: Type.Array(
    Type.Object({ page: Type.String(), token: Type.Integer(), held: Type.Boolean() }),
  ),
  expiresAt: Time,
})
const ReleaseBody = Type.Union([exactly({ leases: LeaseNames }), exactly({ worker: Worker })])
export const ReleaseAnswer = Type.Object({ released: Count })

const faults = [
  'timeout',
  'dns',
  'connect',
  'tls',
  'reset',
  'too-large',
  'bad-answer',
  'redirect-loop',
  'too-many-redirects',
  'redirect-refused',
  'address-refused',
  'aborted',
  'robots',
] as const

export const ReportBody = exactly({
  page: PageId,
  token: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  at: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1e11,
      description: 'when the answer came; now by default. A report sent again must say it',
    }),
  ),
  duration: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400 })),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  failure: Type.Optional(oneOf(faults)),
  headers: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 8000 })),
  ),
  bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  digest: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'compared with the one before' }),
  ),
  text: Type.Optional(Type.String({ description: 'what a reader sees; kept and compared' })),
  body: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]*={0,2}$',
      description:
        'the bytes of the content, in base64; kept, read and compared as our own visits are',
    }),
  ),
  movedTo: Type.Optional(
    Type.String({ minLength: 1, maxLength: 8000, description: 'where it has moved for good' }),
  ),
})

const RecordedAnswer = Type.Object({
  fate: oneOf(['recorded', 'already']),
  outcome: Type.String(),
  at: Time,
  due: Type.Object({ at: Type.Union([Time, Type.Literal('never')]), reason: Type.String() }),
  delay: Duration,
})

const AgainAnswer = Type.Object(
  {
    fate: Type.Literal('again'),
    notBefore: Type.Number({
      description: 'fetch the page once more, unconditionally, not before this, and report it',
    }),
    delay: Duration,
  },
  {
    description:
      'only to fetchers that set `repeats`: one answer does not separate noise from change',
  },
)

export const ReportAnswer = Type.Union([RecordedAnswer, AgainAnswer])

const usualTtl = 300

/** Bring your own fetcher: lease what is due, fetch it, report what was found. */
export function leaseRoutes(app: App, parts: ServiceParts): void {
  const { store, clock } = parts
  const service = new LeaseService(parts)
  const reports = new ReportService(parts)
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
      const { limit = 10, perHost = 1, ttl = usualTtl, repeats = false } = body
      const asked = { ...body, limit, perHost, ttl, repeats }
      const permits = await service.give(asked)
      return { leases: permits.map(leaseView), next: await service.next(asked) }
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
    async ({ body }) => reports.take(body),
  )
}

function refOf({ page, token }: { page: string; token: number }) {
  return { page: { id: page }, token }
}

/** Where a page has moved to another site, its headers are not given along: they would be sent there. */
function leaseView({ lease, request, offered }: ClientPermit) {
  const { page, token, expiresAt } = lease
  const { url, headers, validators, unconditional } = request
  const { notBefore, delay, robots } = offered
  const own = isOwnSite({ url, home: page.url })
  return {
    page: page.id,
    url,
    host: page.host,
    ...(page.group === undefined ? {} : { group: page.group }),
    importance: page.importance,
    token,
    expiresAt,
    notBefore,
    delay,
    robots,
    validators: { ...validators },
    unconditional: unconditional === true,
    headers: own ? { ...headers } : {},
  }
}
