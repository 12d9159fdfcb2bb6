import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/model/store.js'
import { streamEvents } from '../../src/server/events/events.js'
import { VisitFeed } from '../../src/server/events/visit-feed.js'
import { LoggedVisitAnswer } from '../../src/server/pages/visits.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { aVisit } from '../fixtures/a-visit.js'
import { localServer } from '../fixtures/local-server.js'
import { type AService, aService, collection } from './a-service.js'
import { closed } from './checked-answers.js'

const urls = ['https://a.example/', 'https://b.example/']
let time = 1.7e9

/** Records a visit of each page. */
async function visitAll(
  store: Store,
  outcome: 'changed' | 'unchanged' = 'unchanged',
  addresses: readonly string[] = urls,
) {
  const now = ++time
  const pages = addresses.map((url) => ({ collection, url }))
  const leases = await store.leasePages({ pages, now, ttl: 1, worker: 'w' })
  const visit = aVisit({ at: now, outcome, gap: 1 })
  await store.recordVisits(leases.map((lease) => ({ lease, visit, due: { at: now, reason: '' } })))
}

async function listening(): Promise<AService & { base: string }> {
  const service = await aService()
  const pages = urls.map((url) => ({ url }))
  await service.ask('POST', '/api/pages', { pages })
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...service, base }
}

interface SeenEvent {
  readonly id: number
  readonly event: string
  readonly data: { readonly page: { readonly url: string } }
}

const isLoggedVisit = Compile(closed(LoggedVisitAnswer) as typeof LoggedVisitAnswer)

/** Reads a stream until `enough` events, or until it is cut after so many. */
async function read(
  base: string,
  { query = '', last, enough }: { query?: string; last?: number; enough: number },
): Promise<SeenEvent[]> {
  const stop = new AbortController()
  const response = await fetch(`${base}/api/events${query}`, {
    headers: last === undefined ? {} : { 'last-event-id': String(last) },
    signal: stop.signal,
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events: SeenEvent[] = []
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      if (field('data') === undefined) continue
      events.push({
        id: Number(field('id')),
        event: field('event')!,
        data: JSON.parse(field('data')!),
      })
      expect(isLoggedVisit.Check(events.at(-1)!.data), block).toBe(true)
      if (events.length === enough) {
        stop.abort()
        return events
      }
    }
  }
  return events
}

describe('the stream of events', () => {
  it('loses nothing and repeats nothing to a client that comes back again and again', async () => {
    const { base, store, parts } = await listening()
    const all: number[] = []
    let last = 0
    const writing = (async () => {
      for (let i = 0; i < 60; i++) {
        await visitAll(store)
        parts.feed.nudge()
        if (i % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 3))
      }
    })()
    while (all.length < 120) {
      const enough = Math.min(17, 120 - all.length)
      const events = await read(base, { last, enough })
      all.push(...events.map(({ id }) => id))
      last = all[all.length - 1]!
    }
    await writing
    const log = await store.visitLog({ collection, limit: 1000 })
    expect(all).toEqual(log.map(({ number }) => number))
  })

  it('begins with what happens from now on, or after a number', async () => {
    const { base, store, parts } = await listening()
    await visitAll(store, 'changed')
    parts.feed.nudge()
    await parts.feed.grown(0, AbortSignal.timeout(5000))
    const live = read(base, { enough: 1 })
    setTimeout(() => void visitAll(store), 100)
    expect((await live)[0]).toMatchObject({ id: 3, event: 'visit' })
    const replayed = await read(base, { query: '?after=0', enough: 3 })
    expect(replayed.map(({ id, event }) => [id, event])).toEqual([
      [1, 'change'],
      [2, 'change'],
      [3, 'visit'],
    ])
    // A number of another store, not reached here yet: from now on.
    const ahead = read(base, { last: 1e9, enough: 1 })
    setTimeout(() => void visitAll(store), 100)
    expect((await ahead)[0]!.id).toBe(5)
  })

  it('can be narrowed to changes, a host or a page', async () => {
    const { base, store, parts } = await listening()
    await visitAll(store)
    await visitAll(store, 'changed')
    parts.feed.nudge()
    const only = async (query: string) =>
      (await read(base, { query: `?after=0&${query}`, enough: 1 }))[0]!
    expect((await only('changes=true')).id).toBe(3)
    expect((await only('host=b.example')).data.page.url).toBe('https://b.example/')
    expect((await only('page=2')).id).toBe(2)
    const wrong = await fetch(`${base}/api/events?after=x`)
    expect(wrong.status).toBe(400)
  })

  it('holds one stretch for a client that reads nothing, and drops it after a while', async () => {
    const store = openMemoryStore()
    const long = urls.map((url) => url + 'x'.repeat(4000))
    await store.addPages({ collection, now: time, pages: long.map((url) => ({ url })) })
    const feed = await VisitFeed.open({ store, collection })
    // 3000 visits of more than 4000 bytes: 12 MB, more than a socket takes unread.
    for (let i = 0; i < 1500; i++) await visitAll(store, 'unchanged', long)
    feed.nudge()
    await feed.grown(0, AbortSignal.timeout(5000))
    let held: ServerResponse | undefined
    const base = await localServer((_, response) => {
      held = response
      void streamEvents(response, { feed, start: 0, wanted: () => true, patience: 0.3 })
    })
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.on('error', () => {}).pause()
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    let most = 0
    const until = Date.now() + 5000
    while (held?.destroyed !== true && Date.now() < until) {
      most = Math.max(most, held?.writableLength ?? 0)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(held?.destroyed).toBe(true)
    // 500 visits of 4400 bytes at most.
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(500 * 4400)
    socket.destroy()
    feed.close()
  })

  it('ends when the service closes', async () => {
    const { base, app, parts } = await listening()
    const reading = read(base, { enough: 1 }).catch(() => [])
    await new Promise((resolve) => setTimeout(resolve, 50))
    parts.feed.close()
    await app.close()
    expect(await reading).toEqual([])
  })
})
