import { describe, expect, it } from 'vitest'
import { webHostOf } from '../../src/formats/url.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { PoliteVisitor } from '../../src/visit/politeness/polite-visitor.js'
import { localFetcher } from './local-fetcher.js'
import { setUp, site } from './polite-site.js'

describe('PoliteVisitor', () => {
  it('asks robots.txt once, then the page, each after its delay', async () => {
    const { base, asked } = await site('User-agent: *\nDisallow: /no\nCrawl-delay: 20')
    const { visitor, clock } = setUp()
    const first = await visitor.visit({ url: `${base}/a` })
    expect(first).toMatchObject({
      kind: 'wait',
      until: clock.at + 20,
      hosts: [{ host: webHostOf(base) }],
    })
    clock.at += 20
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
    expect(gate.state(webHostOf(base)!).nextAllowedAt).toBe(clock.at + 5)
  })

  it('waits itself if it has the patience', async () => {
    const { base, asked } = await site('')
    const { visitor, clock } = setUp()
    const from = clock.at
    expect(await visitor.visit({ url: base }, { patience: 60 })).toMatchObject({ kind: 'answered' })
    expect([asked.length, clock.at - from]).toEqual([2, 5])
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

  it('leaves a host open after a request that could not be made', async () => {
    const { base } = await site('')
    const { visitor, clock, gate } = setUp()
    await expect(
      visitor.visit({ url: base, headers: { host: 'x' } }, { patience: 60 }),
    ).rejects.toThrow(/host/)
    expect(gate.readyAt(webHostOf(base)!)).toBe(clock.at + 5)
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
    expect(gate.state(webHostOf(base)!).robots).toEqual({})
  })
})
