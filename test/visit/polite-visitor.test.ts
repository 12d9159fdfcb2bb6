import { describe, expect, it } from 'vitest'
import { webHostOf } from '../../src/formats/url.js'
import type { PoliteVisitorOptions } from '../../src/visit/politeness/polite-visitor.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { localFetcher } from './local-fetcher.js'
import { politeVisits, setUp, site } from './polite-site.js'

describe('PoliteVisitor', () => {
  it('asks robots.txt once, then the page, each after its delay', async () => {
    const { base, asked } = await site('User-agent: *\nDisallow: /no\nCrawl-delay: 20')
    const { visit, clock } = setUp()
    const first = await visit({ url: `${base}/a` })
    expect(first).toMatchObject({
      kind: 'wait',
      until: clock.at + 20,
      hosts: [{ host: webHostOf(base) }],
    })
    clock.at += 20
    const second = await visit({ url: `${base}/a` })
    expect(second).toMatchObject({ kind: 'answered', answer: { kind: 'content' } })
    expect(second.hosts[0]).toMatchObject({ nextAllowedAt: clock.at + 20, today: { requests: 2 } })
    expect(await visit({ url: `${base}/b` })).toMatchObject({
      kind: 'wait',
      until: clock.at + 20,
    })
    expect(await visit({ url: `${base}/no` })).toMatchObject({ kind: 'disallowed' })
    expect(asked).toEqual(['/robots.txt', '/a'])
  })

  it('books for as long as the delay from the moment the request goes out', async () => {
    const { visit, clock, kept } = setUp()
    let sent = 0
    const { base } = await site('', (_, response) => {
      sent = clock.at
      response.end('page')
    })
    await visit({ url: base })
    clock.at += 5
    const bookings: number[] = []
    const book = async ({ blockedUntil }: { blockedUntil: number | null }) => {
      // The first takes longer than its margin of a tenth, the second does not.
      clock.at += bookings.length === 0 ? 2 : 0.9
      bookings.push(blockedUntil!)
      return true
    }
    await visit({ url: base }, { book })
    expect(bookings).toHaveLength(2)
    expect(bookings[0]).toBeLessThan(sent + 5)
    expect(bookings[1]).toBeGreaterThanOrEqual(sent + 5)
    expect((await kept(webHostOf(base)!)).nextAllowedAt).toBe(clock.at + 5)
  })

  it('says when to come back, and is answered then', async () => {
    const { base, asked } = await site('')
    const { visit, clock } = setUp()
    const from = clock.at
    expect(await visit({ url: base }, { patience: 60 })).toMatchObject({ kind: 'answered' })
    expect([asked.length, clock.at - from]).toEqual([2, 5])
  })

  it('goes on where another process stopped, without asking robots.txt again', async () => {
    const { base, asked } = await site('')
    const { visit, clock, gate, store } = setUp()
    await visit({ url: base }, { patience: 60 })
    const { politeness } = gate
    const fetcher = localFetcher({ clock })
    const restarted = politeVisits({ clock, fetcher, politeness, store, worker: 'another' })
    expect(await restarted.visit({ url: base })).toMatchObject({
      kind: 'wait',
      until: clock.at + 5,
    })
    clock.at += 5
    expect(await restarted.visit({ url: base })).toMatchObject({ kind: 'answered' })
    expect(asked).toEqual(['/robots.txt', '/', '/'])
  })

  it('leaves a host open after a request that could not be made', async () => {
    const { base } = await site('')
    const { visit, clock, store, readyAt } = setUp()
    await expect(visit({ url: base, headers: { host: 'x' } }, { patience: 60 })).rejects.toThrow(
      /host/,
    )
    const host = webHostOf(base)!
    expect(await readyAt(host)).toBe(clock.at + 5)
    // And to other processes.
    const other = { host, worker: 'other', ttl: 1, now: clock.at }
    expect(await store.holdHost(other)).toMatchObject({ host })
  })

  it('has a page rendered that asks for it, and its host waits for that', async () => {
    const since: (string | undefined)[] = []
    const { base } = await site('', (request, response) => {
      since.push(request.headers['if-none-match'])
      response.end('page')
    })
    const clock = new VirtualClock()
    const renderer: NonNullable<PoliteVisitorOptions['renderer']> = {
      async rendered(answer, { url }, { maySend }) {
        expect([url, maySend?.()]).toEqual([base, true])
        clock.at += 7
        return answer.kind === 'content' ? { ...answer, body: Buffer.from('rendered') } : answer
      },
    }
    const fetcher = localFetcher({ clock })
    const { visit, kept } = politeVisits({ clock, fetcher, renderer, politeness: { delay: 5 } })
    const validators = { etag: '"1"' }
    const plain = await visit({ url: base, validators }, { patience: 60 })
    expect(plain).toMatchObject({ answer: { body: Buffer.from('page') } })
    const made = await visit({ url: base, validators, rendered: true }, { patience: 60 })
    expect(made).toMatchObject({ answer: { body: Buffer.from('rendered') } })
    // Never conditionally: its own HTML may stand still.
    expect(since).toEqual(['"1"', undefined])
    expect((await kept(webHostOf(base)!)).nextAllowedAt).toBe(clock.at + 5)
  })

  it('gives its host back where the page cannot be rendered', async () => {
    const { base } = await site('')
    const clock = new VirtualClock()
    const renderer = {
      rendered: async () => {
        throw new Error('broken')
      },
    }
    const fetcher = localFetcher({ clock })
    const { visit, store } = politeVisits({ clock, fetcher, renderer })
    const made = visit({ url: base, rendered: true }, { patience: 60 })
    await expect(made).rejects.toThrow('broken')
    const other = { host: webHostOf(base)!, worker: 'other', ttl: 1, now: clock.at }
    expect(await store.holdHost(other)).not.toBeNull()
  })

  it('throws for an address that is none', async () => {
    await expect(setUp().visit({ url: 'mailto:a@b' })).rejects.toMatchObject({
      code: 'bad-url',
    })
  })

  it('tells nothing of robots.txt when called off', async () => {
    const { base } = await site('')
    const { visit, kept } = setUp()
    const made = await visit({ url: base }, { signal: AbortSignal.abort() })
    expect(made.kind).toBe('wait')
    expect((await kept(webHostOf(base)!)).robots).toEqual({})
  })
})
