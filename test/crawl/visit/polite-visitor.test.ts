import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { HostGate, hostOf, type Politeness, PoliteVisitor } from '../../../src/crawl/index.js'
import { VirtualClock } from '../../fixtures/clocks.js'
import { localServer } from '../../fixtures/local-server.js'
import { localFetcher } from '../local-fetcher.js'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A site with a robots.txt; remembers what it was asked. */
async function site(robots: string | number, page: Answer = (_, response) => response.end('page')) {
  const asked: string[] = []
  const base = await localServer((request, response) => {
    asked.push(request.url!)
    if (request.url !== '/robots.txt') return page(request, response)
    if (typeof robots === 'number') response.statusCode = robots
    response.end(typeof robots === 'string' ? robots : '')
  })
  return { base, asked }
}

function setUp(changed: Partial<Politeness> = {}) {
  const clock = new VirtualClock()
  const gate = new HostGate({ clock, politeness: { delay: 5, ...changed } })
  return {
    clock,
    gate,
    visitor: new PoliteVisitor({ clock, gate, fetcher: localFetcher({ clock }) }),
  }
}

describe('PoliteVisitor', () => {
  it('asks robots.txt once, then the page, each after its delay', async () => {
    const { base, asked } = await site('User-agent: *\nDisallow: /no\nCrawl-delay: 20')
    const { visitor, clock } = setUp()
    const first = await visitor.visit({ url: `${base}/a` })
    expect(first).toMatchObject({
      kind: 'wait',
      until: clock.at + 5,
      hosts: [{ host: hostOf(base) }],
    })
    clock.at += 5
    const second = await visitor.visit({ url: `${base}/a` })
    expect(second).toMatchObject({ kind: 'answered', answer: { kind: 'content' } })
    expect(second.hosts[0]).toMatchObject({ nextAllowedAt: clock.at + 20, today: { requests: 2 } })
    expect(await visitor.visit({ url: `${base}/b` })).toMatchObject({
      kind: 'wait',
      until: clock.at + 20,
    })
    expect(await visitor.visit({ url: `${base}/no` })).toMatchObject({ kind: 'disallowed' })
    expect(asked).toEqual(['/robots.txt', '/a'])
  })

  it('books for as long as the delay from the moment the request goes out', async () => {
    const { visitor, clock, gate } = setUp()
    let sent = 0
    const { base } = await site('', (_, response) => {
      sent = clock.at
      response.end('page')
    })
    await visitor.visit({ url: base })
    clock.at += 5
    const bookings: number[] = []
    const book = async ({ nextAllowedAt }: { nextAllowedAt: number }) => {
      // The first takes longer than its margin of a tenth, the second does not.
      clock.at += bookings.length === 0 ? 2 : 0.9
      bookings.push(nextAllowedAt)
    }
    await visitor.visit({ url: base }, { book })
    expect(bookings).toHaveLength(2)
    expect(bookings[0]).toBeLessThan(sent + 5)
    expect(bookings[1]).toBeGreaterThanOrEqual(sent + 5)
    expect(gate.state(hostOf(base)!).nextAllowedAt).toBe(clock.at + 5)
  })

  it('waits itself if it has the patience', async () => {
    const { base, asked } = await site('')
    const { visitor, clock } = setUp()
    const from = clock.at
    expect(await visitor.visit({ url: base }, { patience: 60 })).toMatchObject({ kind: 'answered' })
    expect([asked.length, clock.at - from]).toEqual([2, 5])
  })

  it('stays away while robots.txt cannot be had, and asks again later', async () => {
    const { base, asked } = await site(500)
    const { visitor, clock } = setUp()
    expect(await visitor.visit({ url: base })).toMatchObject({
      kind: 'disallowed',
      until: clock.at + 300,
    })
    clock.at += 299
    expect((await visitor.visit({ url: base })).kind).toBe('disallowed')
    clock.at += 1
    expect(await visitor.visit({ url: base })).toMatchObject({
      kind: 'disallowed',
      until: clock.at + 600,
    })
    expect(asked).toEqual(['/robots.txt', '/robots.txt'])
  })

  it('goes on where another process stopped, without asking robots.txt again', async () => {
    const { base, asked } = await site('')
    const { visitor, clock, gate } = setUp()
    const { hosts } = await visitor.visit({ url: base }, { patience: 60 })
    const stored = JSON.parse(JSON.stringify(hosts))
    const second = new HostGate({ clock, politeness: gate.politeness })
    for (const each of stored) second.remember(each)
    const restarted = new PoliteVisitor({ clock, gate: second, fetcher: localFetcher({ clock }) })
    expect(await restarted.visit({ url: base })).toMatchObject({
      kind: 'wait',
      until: clock.at + 5,
    })
    clock.at += 5
    expect(await restarted.visit({ url: base })).toMatchObject({ kind: 'answered' })
    expect(asked).toEqual(['/robots.txt', '/', '/'])
  })

  it('asks the host that a redirect leads to, and respects its robots.txt', async () => {
    const other = await site('User-agent: *\nDisallow: /no')
    const { base } = await site('', (request, response) =>
      response.writeHead(302, { location: `${other.base}${request.url}` }).end(),
    )
    const { visitor, clock } = setUp()
    const followed = await visitor.visit({ url: `${base}/yes` }, { patience: 60 })
    expect(followed).toMatchObject({ kind: 'answered', answer: { kind: 'content' } })
    expect(followed.hosts.map((each) => each.host)).toEqual([hostOf(base), hostOf(other.base)])
    expect(followed.hosts[1]?.nextAllowedAt).toBe(clock.at + 5)
    const refused = await visitor.visit({ url: `${base}/no` }, { patience: 60 })
    expect(refused).toMatchObject({ answer: { kind: 'failed', fault: 'redirect-refused' } })
    expect(other.asked).toEqual(['/robots.txt', '/yes'])
  })

  it('respects robots.txt on redirects within a host, and counts them', async () => {
    const { base, asked } = await site('User-agent: *\nDisallow: /no', (request, response) => {
      if (request.url === '/yes') response.end('x')
      else response.writeHead(301, { location: request.url === '/a' ? '/yes' : '/no' }).end()
    })
    const { visitor } = setUp()
    const followed = await visitor.visit({ url: `${base}/a` }, { patience: 60 })
    expect(followed).toMatchObject({ answer: { kind: 'content', movedTo: `${base}/yes` } })
    expect(followed.hosts[0]?.today.requests).toBe(3)
    const refused = await visitor.visit({ url: `${base}/b` }, { patience: 60 })
    expect(refused).toMatchObject({ answer: { fault: 'redirect-refused' } })
    expect(asked).toEqual(['/robots.txt', '/a', '/yes', '/b'])
  })

  it('leaves a host open after a request that could not be made', async () => {
    const { base } = await site('')
    const { visitor, clock, gate } = setUp()
    await expect(
      visitor.visit({ url: base, headers: { host: 'x' } }, { patience: 60 }),
    ).rejects.toThrow(/host/)
    expect(gate.readyAt(hostOf(base)!)).toBe(clock.at + 5)
  })

  it('throws for an address that is none', async () => {
    await expect(setUp().visitor.visit({ url: 'mailto:a@b' })).rejects.toMatchObject({
      code: 'bad-url',
    })
  })

  it('tells nothing of robots.txt when called off', async () => {
    const { base } = await site('')
    const { visitor, gate } = setUp()
    const visit = await visitor.visit({ url: base }, { signal: AbortSignal.abort() })
    expect(visit.kind).toBe('wait')
    expect(gate.state(hostOf(base)!).robots).toEqual({})
  })
})
