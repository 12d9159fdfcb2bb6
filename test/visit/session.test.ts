import { hash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readRobots } from '../../src/formats/robots-file.js'
import { webHostOf } from '../../src/formats/url.js'
import type { NewPage } from '../../src/model/page.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { parseAllowedHours } from '../../src/policies/allowed-hours.js'
import { BoundedReading } from '../../src/visit/bounded-reading.js'
import { publisherReader } from '../../src/visit/discovery.js'
import { pageNoiseRecheck } from '../../src/visit/noise-recheck.js'
import type { RobotsRecord } from '../../src/visit/politeness/robots-record.js'
import type { SessionParts } from '../../src/visit/session-parts.js'
import { localServer } from '../fixtures/local-server.js'
import { clientMaker, type LeftBehind, loopMaker, start, workplace } from './visit-makers.js'

/** One small site, and what is to come of visits to it, whoever makes them. */
interface Scenario {
  readonly title: string
  /** `other` is a second host. */
  readonly serve: (other: string) => RequestListener
  readonly paths?: readonly string[]
  readonly page?: Partial<NewPage>
  readonly robots?: string | 'missing' | 'unknown'
  /** Seconds after the start at which all is visited that is due. */
  readonly visits?: readonly number[]
  readonly unconditionalShare?: number
  readonly requestsPerDay?: number
  readonly makers?: number
  readonly session?: Partial<SessionParts>
  /** The host is closed until then, by what politeness has kept of it. */
  readonly closedUntil?: number
  readonly expected: (left: LeftBehind) => void
}

const html = { 'content-type': 'text/html; charset=utf-8' }
const text = (body: string) => `<title>t</title><p>${body}</p>`
interface OnePage {
  readonly visits: readonly { readonly outcome: string }[]
  readonly due: { readonly at: number; readonly reason: string }
  readonly movedTo: string | null
}

const only = ({ pages }: LeftBehind) => pages[0] as unknown as OnePage
const outcomes = (left: LeftBehind) => only(left).visits.map(({ outcome }) => outcome)

const scenarios: readonly Scenario[] = [
  {
    title: 'a page that is seen, stays, and changes',
    serve: () => {
      let asked = 0
      return (request, response) => {
        const version = ++asked < 3 ? 'one' : 'two'
        if (request.headers['if-none-match'] === `"${version}"`)
          return response.writeHead(304, { etag: `"${version}"` }).end()
        response.writeHead(200, { ...html, etag: `"${version}"` }).end(text(version))
      }
    },
    visits: [0, DAY, 2 * DAY, 3 * DAY],
    expected: (left) =>
      expect(outcomes(left)).toEqual(['first', 'unchanged', 'changed', 'unchanged']),
  },
  {
    title: 'a page that robots.txt forbids, within its hours',
    robots: 'User-agent: *\nDisallow: /p',
    serve: () => (_, response) => response.end('never asked'),
    session: { hoursFor: () => parseAllowedHours('22-23') },
    expected: (left) => {
      expect(only(left).visits).toMatchObject([{ outcome: 'refused', fault: 'robots' }])
      expect(hourOf(only(left).due)).toBe(22)
    },
  },
  {
    title: 'a page whose robots.txt cannot be had: it waits',
    robots: 'missing',
    serve: () => (_, response) => response.end('never asked'),
    expected: (left) => expect(only(left).visits).toEqual([]),
  },
  {
    title: 'a page outside its hours: it is put off to them',
    serve: () => (_, response) => response.end('never asked'),
    session: { hoursFor: () => parseAllowedHours('3-4') },
    expected: (left) => {
      expect(only(left).visits).toEqual([])
      expect(hourOf(only(left).due)).toBe(3)
    },
  },
  {
    title: 'a page that was visited in its hours: it is due in them again',
    serve: () => (_, response) => response.writeHead(200, html).end(text('x')),
    session: { hoursFor: () => parseAllowedHours('22-23') },
    // At 22:53; the first gap is of ten minutes.
    visits: [2400],
    expected: (left) => {
      expect(outcomes(left)).toEqual(['first'])
      expect(hourOf(only(left).due)).toBe(22)
    },
  },
  {
    title: 'a page that was found and asks not to be indexed: its hours come last',
    serve: () => (_, response) =>
      response.writeHead(200, html).end(`<meta name="robots" content="noindex">${text('x')}`),
    page: { settings: { found: true } },
    // In 90 days it is a Monday.
    session: { hoursFor: () => parseAllowedHours('tue 22-23') },
    expected: (left) => {
      expect(only(left).due.reason).toContain('noindex')
      expect(new Date(only(left).due.at * 1000).getUTCDay()).toBe(2)
    },
  },
  {
    title: 'a page that has moved to another host',
    serve: (other) => (request, response) =>
      request.headers.host === webHostOf(other)
        ? response.writeHead(200, html).end(text('moved'))
        : response.writeHead(301, { location: `${other}/p` }).end(),
    visits: [0, DAY],
    expected: (left) => {
      expect(outcomes(left)).toEqual(['first', 'unchanged'])
      expect(only(left).movedTo).toMatch(/\/p$/)
    },
  },
  {
    title: 'a server that asks to come back later',
    serve: () => (_, response) => response.writeHead(503, { 'retry-after': '500' }).end(),
    expected: (left) => {
      expect(only(left).visits).toMatchObject([{ outcome: 'failed', fault: 'later' }])
      expect(left.hosts[0]).toMatchObject({ failures: 1, nextAllowedAt: start + 500 })
    },
  },
  {
    title: 'a 304 to a request that asked for the content in any case',
    serve: () => {
      let asked = 0
      return (_, response) =>
        ++asked === 1
          ? response.writeHead(200, { ...html, etag: '"1"' }).end(text('one'))
          : response.writeHead(304).end()
    },
    unconditionalShare: 1,
    visits: [0, DAY],
    expected: (left) => {
      expect(outcomes(left)).toEqual(['first', 'failed'])
      expect(only(left).visits[1]).toMatchObject({ fault: 'bad-answer' })
    },
  },
  {
    title: 'a page that cannot be read by its rules',
    serve: () => (_, response) => response.writeHead(200, html).end(text('x')),
    page: { settings: { reading: { select: ['#missing'] } } },
    expected: (left) =>
      expect(only(left).visits).toMatchObject([{ outcome: 'failed', fault: 'nothing-selected' }]),
  },
  {
    title: 'a page of which what the publisher says cannot be read',
    serve: () => (_, response) => response.writeHead(200, html).end(text('x')),
    session: {
      publisher: {
        ...publisherReader(),
        hints() {
          throw new Error('too deep')
        },
      },
    },
    expected: (left) =>
      expect(only(left).visits).toMatchObject([{ outcome: 'failed', fault: 'unreadable' }]),
  },
  {
    title: 'pages that are gone, or refuse',
    serve: () => (request, response) =>
      response.writeHead(request.url === '/gone' ? 410 : 403).end(),
    paths: ['/gone', '/refuses'],
    visits: [0, 10],
    expected: ({ pages }) =>
      expect(pages).toMatchObject([
        { gone: 1, visits: [{ outcome: 'gone' }] },
        { failing: 1, visits: [{ outcome: 'refused' }] },
      ]),
  },
  {
    title: 'a host whose record was written by a clock that ran ahead',
    serve: () => (_, response) => response.writeHead(200, html).end(text('x')),
    closedUntil: start + 60 * DAY,
    expected: (left) => expect(outcomes(left)).toEqual(['first']),
  },
  {
    title: 'a list that tells of other pages',
    serve: () => (_, response) =>
      response
        .writeHead(200, html)
        .end('<title>t</title><a href="/new-page">new</a> <a href="/other-page">other</a>'),
    page: { settings: { discover: {} } },
    expected: ({ pages }) => expect(pages.length).toBeGreaterThanOrEqual(3),
  },
]

describe('a polite visit', () => {
  it.each(scenarios)(
    'leaves the same behind by the loop and by a client: $title',
    async (scenario) => {
      const loop = await left(scenario, loopMaker)
      scenario.expected(loop)
      expect(await left(scenario, clientMaker)).toEqual(loop)
    },
  )

  it.each([
    ['loops', loopMaker],
    ['clients', clientMaker],
  ] as const)("is never made beyond the day's budget by two %s at once", async (_, open) => {
    const scenario: Scenario = {
      title: '',
      serve: () => (_, response) => response.writeHead(200, html).end(text('x')),
      expected: () => {},
    }
    const sites = await Promise.all([1, 2, 3, 4].map(() => served(scenario)))
    const pages = sites.map(({ base }) => ({ url: `${base}/p` }))
    const place = await workplace(open, { pages, requestsPerDay: 3, makers: 2 })
    for (const { base } of sites) await place.known(webHostOf(base)!, known(base, ''))
    await place.visitAt(0)
    await place.visitAt(10)
    await place.visitAt(20)
    const made = (await place.leftBehind()).pages.flatMap(({ visits }) => visits)
    expect(made).toHaveLength(3)
  })
})

it('tells noise from change by the repeats of a client that makes them', async () => {
  let asked = 0
  let news = 'old'
  const next = () => hash('sha256', `${++asked}`, 'hex').slice(0, 20)
  const scenario: Scenario = {
    title: '',
    serve: () => (_, response) =>
      response
        .writeHead(200, html)
        .end(`${text(news)}<p>Served to you as request ${next()} today.</p>`),
    expected: () => {},
  }
  const { base } = await served(scenario)
  const noiseRecheck = pageNoiseRecheck({ reading: new BoundedReading(), wait: 3 })
  const pages = [{ url: `${base}/p`, settings: { noiseCheck: true } }]
  const place = await workplace(clientMaker, { pages, session: { noiseRecheck } })
  await place.known(webHostOf(base)!, known(base, ''))
  await place.visitAt(0)
  expect(asked).toBe(2)
  await place.visitAt(DAY)
  news = 'new'
  await place.visitAt(2 * DAY)
  const left = await place.leftBehind()
  expect(outcomes(left)).toEqual(['first', 'unchanged', 'changed'])
  expect(left.pages[0]).toMatchObject({ noise: { masks: [{ kind: expect.any(String) }] } })
})

async function served({ serve }: Scenario) {
  const asked: { listener: RequestListener } = { listener: () => {} }
  const listener: RequestListener = (request, response) => asked.listener(request, response)
  const base = await localServer(listener)
  const other = await localServer(listener)
  asked.listener = serve(other)
  return { base, other }
}

/** What both hosts are known to ask for, so that no robots.txt is asked for. */
function known(base: string, robots: string) {
  const verdict = robots === 'missing' ? 'disallow-all' : 'rules'
  const rules = readRobots(robots === 'missing' ? '' : robots, { agent: 'revisit' })
  const until = start + (robots === 'missing' ? HOUR : 20 * DAY)
  const record: RobotsRecord = {
    agent: 'revisit',
    at: start,
    until,
    failures: 0,
    verdict,
    ...rules,
  }
  return { robots: { [base]: record } }
}

/** The same whatever ports the servers had. */
async function left(scenario: Scenario, open: typeof loopMaker): Promise<LeftBehind> {
  const { base, other } = await served(scenario)
  const { paths = ['/p'], page = {}, robots = '', visits = [0], ...options } = scenario
  const pages = paths.map((path) => ({ url: base + path, ...page }))
  const place = await workplace(open, { ...options, pages })
  const [host, second] = [webHostOf(base)!, webHostOf(other)!]
  await place.known(host, { ...known(base, robots), nextAllowedAt: scenario.closedUntil ?? 0 })
  await place.known(second, known(other, ''))
  for (const after of visits) await place.visitAt(after)
  const behind = JSON.stringify(await place.leftBehind([host, second]))
  return JSON.parse(behind.replaceAll(host, 'a.test').replaceAll(second, 'b.test'))
}

function hourOf(due: { readonly at: number }): number {
  return new Date(due.at * 1000).getUTCHours()
}
