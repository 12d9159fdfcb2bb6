import { createHash } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { effectiveConfiguration } from '../../src/cli/settings/configuration.js'
import { LiveSettings } from '../../src/cli/settings/live-settings.js'
import type { Fetcher } from '../../src/model/fetcher.js'
import { answers } from '../../src/server/answers.js'
import type { DemoTruth } from '../../src/server/collection/demo.js'
import { dashboardRoutes } from '../../src/server/dashboard.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { aVisit } from '../fixtures/a-visit.js'
import { type AService, aService, collection } from './a-service.js'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { content: Record<string, { schema?: object }> }
  readonly responses: Record<string, { content?: Record<string, { schema?: object }> }>
}
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly schema: object
}
interface Route {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}
type Schema = Record<string, never> & {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  const?: unknown
  pattern?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
}

const printable = fc.string({ unit: 'binary', maxLength: 20 })

/** Values that keep to a schema: small ones, for there are many requests. */
function valid(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const there = (known[name] ?? []).filter((value) => Compile(schema as never).Check(value))
  if (there.length === 0) return anyValid(schema)
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...there) }, anyValid(schema))
}

function anyValid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => valid(each)))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? 0,
        max: Math.min(schema.maximum ?? 1000, (schema.minimum ?? 0) + 1000),
      })
    case 'number': {
      const min = schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 0.001
      const max = Math.min(schema.maximum ?? 1e10, (schema.exclusiveMaximum ?? 1e11) - 0.001)
      return fc.double({ min, max, noNaN: true })
    }
    case 'string':
      if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
      return fc.oneof(
        fc.constantFrom('https://a.example/1', 'a.example', 'g').filter(fits(schema)),
        printable.filter(fits(schema)),
      )
    case 'array':
      return fc.array(valid(schema.items!), { minLength: schema.minItems ?? 0, maxLength: 3 })
    case 'object':
      return object(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function fits({ minLength = 0, maxLength = 1e6 }: Schema): (text: string) => boolean {
  return (text) => text.length >= minLength && text.length <= maxLength
}

function object({ properties = {}, patternProperties, required = [] }: Schema) {
  const [rest] = Object.values(patternProperties ?? {})
  if (rest !== undefined) return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), valid(rest))
  const all = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valid(each, name)]),
  )
  return fc.record(all, { requiredKeys: required as never[] })
}

/** Values that may or may not keep to anything. */
const wild: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    '',
    '../../etc/passwd',
    '%00',
    "' or 1=1 --",
    '<script>',
    -1,
    1e308,
    null,
    [],
    {},
  ),
  fc.bigInt().map(String),
  printable,
)

async function filled(service: AService): Promise<void> {
  const { ask, store, clock } = service
  for (const name of ['one', 'two', 'three'])
    await ask('POST', '/api/channels', { name, target: known.target![0] })
  const pages = ['https://a.example/1', 'https://a.example/2', 'https://b.example/'].map((url) => ({
    url,
    group: 'g',
  }))
  await ask('POST', '/api/pages', { pages })
  for (let i = 0; i < 4; i++) {
    const at = clock.now() + i
    const refs = pages.map(({ url }) => ({ collection, url }))
    const leases = await store.leasePages({ pages: refs, now: at, ttl: 1, worker: 'w' })
    const content = { body: Buffer.from(`<p>text ${i}`), mediaType: 'text/html' }
    const outcome = i === 0 ? 'first' : 'changed'
    const visit = aVisit({ at, outcome, gap: i === 0 ? null : 1 })
    const due = { at, reason: 'a test' }
    await store.recordVisits(leases.map((lease) => ({ lease, visit, due, content })))
  }
  await store.leasePages({ pages: [{ id: '3' }], now: clock.now() + 5, ttl: 60, worker: 'w' })
}

async function routesOf({ ask }: AService): Promise<Route[]> {
  const { json } = await ask('GET', '/openapi.json')
  const { paths } = json as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

/** What a demo web might tell of itself: the truth of one page known and of one not. */
const demo: DemoTruth = {
  speed: 8640,
  async report() {
    const now = 1_700_000_000
    const page = { law: 'poisson', truePeriod: 3600, visits: 9, changesSeen: 3, changesReal: 4 }
    const known = { estimatedPeriod: 4000, shortest: 1000, longest: 9000 }
    const unknown = { estimatedPeriod: null, shortest: null, longest: null }
    return {
      now,
      origin: now - 86_400,
      speed: 8640,
      visits: 18,
      requests: 20,
      freshness: { revisit: 0.8, fixedSchedule: 0.7 },
      learning: false,
      day: 2,
      byDay: [{ from: now - 86_400, revisit: 0.8, fixedSchedule: 0.7 }],
      freshNow: 0.5,
      predicted: { share: 0.8, measured: 0.75 },
      steady: { due: 1, within: 1, share: 1 },
      pages: [
        { url: 'https://a.example/1', ...page, ...known },
        { url: 'https://a.example/2', ...page, ...unknown },
      ],
    }
  },
}
const beside = { kind: 'demo', open: async () => 'http://127.0.0.1:1' } as const
/** No server answers a preview here; one that does has tests of its own. */
const unanswered: Fetcher = {
  fetch: async () => ({
    kind: 'failed',
    fault: 'timeout',
    message: 'the server did not answer in time',
    at: 0,
    bytesReceived: 0,
  }),
  close: async () => {},
}
const settings = new LiveSettings(effectiveConfiguration({ flags: {}, env: {} }))
const settingsStore = openMemoryStore()
const live = {
  rows: () => settings.rows(),
  change: (changes: Record<string, string | null>) => settings.change(settingsStore, changes, 1),
}
const everyRoute = {
  fetcher: unanswered,
  parts: { live, routes: [dashboardRoutes({ demo, beside })] },
}

/** Streams do not end; they have tests of their own. */
const endless = new Set(['events'])

describe('the description of the API', () => {
  it('is valid OpenAPI 3.1 and names every route once', async () => {
    const service = await aService()
    const { json } = await service.ask('GET', '/openapi.json')
    const validator = new Validator()
    const result = await validator.validate(structuredClone(json) as never)
    expect(result).toMatchObject({ valid: true })
    expect(validator.version).toBe('3.1')
    const routes = await routesOf(service)
    const ids = routes.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(routes.length)
    expect(routes.length).toBeGreaterThan(30)
  })

  it('has schemas of JSON Schema 2020-12 alone, those of the dashboard too', async () => {
    const service = await aService({ parts: { routes: [dashboardRoutes()] } })
    const judge = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false })
    const schemas = (await routesOf(service)).flatMap(({ path, operation }) => [
      ...(operation.parameters ?? []).map(({ schema }) => ({ path, schema })),
      ...Object.values({ body: operation.requestBody, ...operation.responses }).flatMap((part) =>
        Object.values(part?.content ?? {}).map(({ schema = {} }) => ({ path, schema })),
      ),
    ])
    expect(schemas.map(({ path }) => path)).toContain('/api/timelines')
    for (const { path, schema } of schemas) expect(() => judge.compile(schema), path).not.toThrow()
  })

  it('tells of every route that its errors are JSON, whatever its answer is', async () => {
    const service = await aService({ parts: { routes: [dashboardRoutes()] } })
    const types = new Set<string>()
    for (const { path, operation } of await routesOf(service)) {
      const { responses } = operation
      for (const type of Object.keys(responses['200']?.content ?? {})) types.add(type)
      for (const status of ['4XX', '5XX'])
        expect(responses[status]?.content, `${path} ${status}`).toMatchObject({
          'application/json': { schema: { title: 'Error' } },
        })
      expect(Object.keys(responses['4XX']!.content!), path).toEqual(['application/json'])
    }
    for (const type of ['text/plain', 'text/html', 'text/csv', 'text/event-stream'])
      expect([...types]).toContain(type)
  })

  it('is what clients in TypeScript take their types from, route by route', async () => {
    const service = await aService(everyRoute)
    const described = (await routesOf(service)).flatMap(({ path, method, operation }) => {
      const schema = operation.responses['200']?.content?.['application/json']?.schema
      if (schema === undefined || !path.startsWith('/api/')) return []
      const route = path.slice('/api/'.length).replace(/\{(\w+)\}/g, ':$1')
      return [[`${method.toUpperCase()} ${route}`, schema]] as const
    })
    // OpenAPI's maker writes some things in other words.
    const alike = (schemas: object): object =>
      JSON.parse(JSON.stringify(schemas), (_, value: Schema | null) => {
        if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
        const { const: only, patternProperties, ...rest } = value
        const [others] = Object.values(patternProperties ?? {})
        return {
          ...rest,
          ...(only === undefined ? {} : { enum: [only] }),
          ...(others === undefined ? {} : { additionalProperties: others }),
        }
      })
    expect(alike(Object.fromEntries(described))).toEqual(alike(answers))
  })

  it('is a page without scripts or anything from elsewhere', async () => {
    const { app } = await aService()
    const { body, headers } = await app.inject({ url: '/docs', headers: { host: 'localhost' } })
    expect(body).toContain('/api/pages')
    expect(body).not.toMatch(/<script|https?:\/\//)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  })
})

/** Names that stand for something that is there, so that requests get past the door. */
const known: Readonly<Record<string, readonly unknown[]>> = {
  id: ['1', '2', '3'],
  pages: ['1', '1,2,3'],
  page: ['1', '2', '3'],
  host: ['a.example', 'b.example'],
  group: ['g'],
  // `[0,0]` as a cursor.
  after: ['WzAsMF0'],
  // From `printf '<p>text 3' | sha256sum`: the newest version of each page.
  digest: [digestOf('<p>text 3')],
  from: [digestOf('<p>text 2')],
  to: [digestOf('<p>text 3')],
  // Page 3 is leased once more after 12 visits of three pages.
  token: [13],
  target: [{ kind: 'webhook', url: 'https://example.org/hook' }],
  address: ['discord://1/token'],
  reading: [{ select: ['p'] }],
  timing: [{ digest: 'day', quiet: '22:00-07:00' }],
  message: [{ title: '{{title}}' }],
  when: [{ group: 'g' }],
  settings: [{ delay: '7s', contact: null }],
  password: ['a long password'],
  current: ['a long password'],
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Routes whose good answer needs more than a schema tells; they have tests of their own. */
const guarded = new Set([
  'openSession',
  'report',
  'importVisits',
  'testChannel',
  'versionScreenshot',
])

// A service for each route that changes something, and thousands of requests.
describe('every route', { timeout: 180_000 }, () => {
  type Values = (schema: Schema, name: string) => fc.Arbitrary<unknown>

  async function send(
    service: AService,
    route: Route,
    made: { params: object; query: object; body: unknown },
  ) {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String((made.params as Record<string, unknown>)[name])),
    )
    const query = new URLSearchParams(
      Object.entries(made.query).map(([name, value]) => [name, String(value)]),
    )
    const [type] = Object.keys(route.operation.requestBody?.content ?? {})
    const payload = type === 'application/json' ? JSON.stringify(made.body) : String(made.body)
    return service.app.inject({
      method: route.method.toUpperCase() as 'GET',
      url: `${path}?${query}`,
      headers: { host: 'localhost', ...(type === undefined ? {} : { 'content-type': type }) },
      ...(type === undefined ? {} : { payload }),
    })
  }

  function requests({ operation }: Route, values: Values) {
    const { parameters = [], requestBody } = operation
    const part = (where: string) => {
      const here = parameters.filter((each) => each.in === where)
      const pairs = here.map(({ name, schema }) => [name, values(schema as Schema, name)])
      return Object.fromEntries(pairs) as Record<string, fc.Arbitrary<unknown>>
    }
    const [content] = Object.values(requestBody?.content ?? {})
    return fc.record({
      params: fc.record(part('path')),
      query: fc.record(part('query'), { requiredKeys: parameters.filter(isAsked).map(nameOf) }),
      body: content === undefined ? fc.constant(undefined) : values(content.schema as Schema, ''),
    })
  }

  function isAsked({ in: where, required = false }: Parameter): boolean {
    return where === 'query' && required
  }

  function nameOf({ name }: Parameter): string {
    return name
  }

  async function answersTo(values: Values, options: { seed: number; numRuns: number }) {
    const reading = await aService(everyRoute)
    const described = await routesOf(reading)
    await filled(reading)
    const all: { route: Route; where: string; status: number; body: string; type: string }[] = []
    for (const route of described) {
      const { operationId } = route.operation
      if (endless.has(operationId)) continue
      // Routes that change nothing share a service; the others have one each.
      const service = route.method === 'get' ? reading : await aService(everyRoute)
      if (service !== reading) await filled(service)
      for (const made of fc.sample(requests(route, values), options)) {
        const { statusCode: status, body, headers } = await send(service, route, made)
        const where = `${route.method} ${route.path} ${JSON.stringify(made)}: ${body.slice(0, 300)}`
        all.push({ route, where, status, body, type: String(headers['content-type']) })
      }
    }
    return all
  }

  it('answers requests made from its schemas as they say, and never with 500', async () => {
    const all = await answersTo(valid, { seed: 7, numRuns: 10 })
    const good = new Set(guarded)
    for (const { route, where, status, body, type } of all) {
      const { operationId, responses } = route.operation
      expect(status, where).toBeLessThan(500)
      expect(body, where).not.toContain('"bad-request"')
      if (status >= 400) continue
      good.add(operationId)
      const schema = responses['200']?.content?.['application/json']?.schema
      if (schema !== undefined && type.includes('json'))
        expect(Compile(schema as never).Check(JSON.parse(body)), where).toBe(true)
    }
    for (const { route } of all) expect([...good]).toContain(route.operation.operationId)
  })

  it('refuses nonsense in the one form of errors, and never with 500', async () => {
    const wildly: Values = (schema, name) => fc.oneof(wild, valid(schema, name))
    const all = await answersTo(wildly, { seed: 8, numRuns: 20 })
    const refused = all.filter(({ status }) => status >= 400)
    expect(refused.length).toBeGreaterThan(300)
    for (const { status, where } of all) expect(status, where).toBeLessThan(500)
    for (const { body, where } of refused)
      expect(JSON.parse(body), where).toMatchObject({
        error: { code: expect.stringMatching(/^[a-z-]+$/), message: expect.stringMatching(/./) },
      })
  })
})
