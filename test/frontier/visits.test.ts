import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PageRecord } from '../../src/model/page.js'
import type { VisitRecord } from '../../src/model/visit-record.js'
import { openPostgresStore } from '../../src/store/postgres/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { newDatabase } from '../fixtures/postgres.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { aFrontier } from './a-frontier.js'
import { all, known, put, status } from './wire-client.js'

type Values = Record<string, string>
const url = 'http://a.org/page'

/** A frontier by our schedule, and a client that reports on one page. */
async function reporting(kind: 'SQLite' | 'PostgreSQL' = 'SQLite') {
  const store =
    kind === 'SQLite'
      ? await openSqliteStore({ path: join(tempFolder(), 'a.db') })
      : await openPostgresStore({ url: await newDatabase() })
  onTestFinished(() => store.close())
  const frontier = await aFrontier(store, { schedule: 'auto' })
  const { client, clock } = frontier
  const stored = async (): Promise<PageRecord> => {
    const found = await store.queues.find({ collection: 'DEFAULT', key: 'a.org', url })
    return found!.page
  }
  return {
    ...frontier,
    store,
    stored,
    /** Reports, an hour after the last time, and gives the visit that was recorded. */
    async report(metadata: Values, date = clock.at + 7777): Promise<VisitRecord | undefined> {
      clock.at += 3600
      const acks = await put(client, [known(url, date, { metadata }, 'x')])
      expect(acks.get('x')).toBe(status.OK)
      return (await store.visitsOf(await stored())).at(-1)
    },
  }
}

const seen = (signature: string, more: Values = {}) => ({
  'fetch.statusCode': '200',
  signature,
  ...more,
})

describe('known items as visits', () => {
  it.each(['SQLite', 'PostgreSQL'] as const)(
    'are first, unchanged and changed by their signature, and 304 is unchanged, on %s',
    async (kind) => {
      const { report, stored } = await reporting(kind)
      expect(await report(seen('s1'))).toMatchObject({ outcome: 'first', gap: null, status: 200 })
      expect(await report(seen('s1'))).toMatchObject({ outcome: 'unchanged', gap: 3600 })
      expect(await report(seen('s2'))).toMatchObject({ outcome: 'changed', gap: 3600 })
      const again = await report({ ...seen('stale'), 'fetch.statusCode': '304' })
      expect(again).toMatchObject({ outcome: 'unchanged', status: 304, gap: 3600 })
      const page = await stored()
      expect(page).toMatchObject({ visits: 4, changes: 1, failing: 0, gone: 0 })
      // The reason is the planner's, and the date is not the client's.
      expect(page.due.reason).toMatch(/price of a request|change/)
      expect(page.metadata).toMatchObject({ signature: ['stale'] })
    },
  )

  it.each([
    ['404', {}, { outcome: 'gone', status: 404 }],
    ['410', {}, { outcome: 'gone', status: 410 }],
    ['403', {}, { outcome: 'refused', status: 403 }],
    ['500', {}, { outcome: 'failed', status: 500, fault: 'server-error' }],
    ['429', {}, { outcome: 'failed', status: 429, fault: 'later' }],
    // The status is that of the fetch before: this one got no answer.
    ['200', { signature: 's', 'fetch.error.count': '1' }, { outcome: 'failed', status: null }],
    ['304', { 'error.cause': 'maxFetchErrors' }, { outcome: 'failed', status: null }],
    ['200', { 'error.cause': 'robots.txt' }, { outcome: 'refused', fault: 'robots' }],
    ['200', { 'fetch.exception': 'Unknown host', 'fetch.error.count': '2' }, { fault: 'dns' }],
    ['', { 'fetch.error.count': '1' }, { outcome: 'failed' }],
    ['301', {}, { outcome: 'failed' }],
  ])('with status %s and %j make no observation', async (code, more, expected) => {
    const { report, stored } = await reporting()
    await report(seen('s'))
    const visit = await report({ ...(code === '' ? {} : { 'fetch.statusCode': code }), ...more })
    expect(visit).toMatchObject({ ...expected, gap: null })
    expect((await stored()).lastSeen).toBe((await stored()).lastVisit!.at - 3600)
  })

  it('that lead elsewhere are moved', async () => {
    const { report, stored } = await reporting()
    await report({ 'fetch.statusCode': '301', _redirTo: '/new place' })
    const page = await stored()
    expect(page.movedTo).toBe('http://a.org/new%20place')
    expect(page.due.reason).toMatch(/^it leads to http:\/\/a\.org\/new%20place; visited again/)
    // It is given under its own address, and a 200 later is its own content.
    expect(await report(seen('s', { _redirTo: '/new place' }))).toMatchObject({ outcome: 'first' })
  })

  it('are at the time that the client names, unless that lies ahead', async () => {
    const { report, clock } = await reporting()
    const at = clock.at + 3000.25
    const first = await report(seen('s', { lastProcessedDate: new Date(at * 1000).toISOString() }))
    expect(first!.at).toBeCloseTo(at, 3)
    const ahead = new Date((clock.at + 1e6) * 1000).toISOString()
    expect((await report(seen('s', { lastProcessedDate: ahead })))!.at).toBe(clock.at)
  })

  it('that are sent again are recorded once', async () => {
    const { report, stored, clock } = await reporting()
    await report(seen('s'))
    const lastProcessedDate = new Date(clock.at * 1000 + 1_234_567).toISOString()
    await report(seen('t', { lastProcessedDate }))
    await report(seen('t', { lastProcessedDate }))
    expect(await stored()).toMatchObject({ visits: 2, changes: 1 })
  })

  it('with date 0 are recorded and never due', async () => {
    const { report, stored, client, clock } = await reporting()
    expect(await report(seen('s'), 0)).toMatchObject({ outcome: 'first' })
    expect((await stored()).due.at).toBe('never')
    clock.at += 1e8
    expect(await all(client.getURLs({}))).toEqual([])
  })

  it('without what is needed go by the date of the client, counted and logged once', async () => {
    const { report, stored, metrics, lines, clock } = await reporting()
    const date = clock.at + 50_000
    expect(await report({ signature: 's' }, date)).toBeUndefined()
    expect((await stored()).due).toMatchObject({ at: date })
    await report({ signature: 's' }, date)
    await report({ 'fetch.statusCode': '200' }, date)
    const text = await metrics.text()
    expect(text).toContain('by_client_date_total{missing="fetch.statusCode"} 2')
    expect(text).toContain('by_client_date_total{missing="signature"} 1')
    expect(
      lines.filter((line) => line.includes('add fetch.statusCode to metadata.persist')),
    ).toHaveLength(1)
  })

  it('close a queue by Retry-After, and set its delay by the Crawl-delay', async () => {
    const { report, client, clock, store } = await reporting()
    const queue = async () => {
      const asked = { collection: 'DEFAULT', start: 0, limit: 9, inactive: true, now: clock.at }
      return (await store.queues.queues(asked)).queues[0]!
    }
    await report({ 'fetch.statusCode': '503', 'protocol.retry-after': '1800' })
    expect((await queue()).rules.blockedUntil).toBe(clock.at + 1800)
    await report(seen('s', { 'robots.crawl.delay': '17', 'protocol.retry-after': '1800' }))
    const { rules } = await queue()
    expect(rules.delay).toBe(17)
    // Kept by the client from the fetch before: only with a status that asks for it.
    expect(rules.blockedUntil).toBe(clock.at - 3600 + 1800)
    expect(await all(client.getURLs({}))).toEqual([])
  })

  it('are given with what makes the next request conditional, unless that proved wrong', async () => {
    const { report, client, clock, stored } = await reporting()
    const given = async () => {
      const { due } = await stored()
      clock.at = Math.max(clock.at, Number(due.at)) + 10
      const [info] = await all(client.getURLs({}))
      return info!.metadata
    }
    const sent = { 'protocol.etag': '"v1"', 'last-modified': '2024-05-01T10:00:00Z' }
    await report(seen('s1', sent))
    const first = await given()
    expect(first['protocol.etag']!.values).toEqual(['"v1"'])
    expect(first['last-modified']!.values).toEqual(['2024-05-01T10:00:00.000Z'])
    // Another content under the same validators: a server that goes by them would always say 304.
    await report(seen('s2', sent))
    const second = await given()
    expect(second['protocol.etag']).toBeUndefined()
    expect(second['last-modified']).toBeUndefined()
  })
})
