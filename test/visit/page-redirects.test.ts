import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/crawler/system-clock.js'
import { webHostOf } from '../../src/formats/url.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { PoliteVisitor } from '../../src/visit/politeness/polite-visitor.js'
import { localFetcher } from './local-fetcher.js'
import { setUp, site, to } from './polite-site.js'

describe('redirects of a page', () => {
  it('ask the host that they lead to, and respect its robots.txt', async () => {
    const other = await site('User-agent: *\nDisallow: /no')
    const { base } = await site('', (request, response) =>
      response.writeHead(302, { location: `${other.base}${request.url}` }).end(),
    )
    const { visitor, clock } = setUp()
    const followed = await visitor.visit({ url: `${base}/yes` }, { patience: 60 })
    expect(followed).toMatchObject({ kind: 'answered', answer: { kind: 'content' } })
    expect(followed.hosts.map((each) => each.host)).toEqual([
      webHostOf(base),
      webHostOf(other.base),
    ])
    expect(followed.hosts[1]?.nextAllowedAt).toBe(clock.at + 5)
    const refused = await visitor.visit({ url: `${base}/no` }, { patience: 60 })
    expect(refused).toMatchObject({ answer: { kind: 'failed', fault: 'redirect-refused' } })
    expect(other.asked).toEqual(['/robots.txt', '/yes'])
  })

  it('respect robots.txt within a host, and are counted', async () => {
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

  it('keep the delay within a host', async () => {
    const { visitor, clock } = setUp()
    const times: number[] = []
    const { base } = await site('', (request, response) => {
      times.push(clock.at)
      const step = Number(request.url!.slice(1))
      if (step === 3) response.end('x')
      else to(`/${step + 1}`)(request, response)
    })
    const from = clock.at
    const visit = await visitor.visit({ url: `${base}/0` }, { patience: 60 })
    expect(visit).toMatchObject({ kind: 'answered', answer: { kind: 'content' } })
    expect(times.map((each) => each - from)).toEqual([5, 10, 15, 20])
  })

  it.each([
    ['the host', { hostRequestsPerDay: 3 }, 'deferred'],
    ['all hosts', { requestsPerDay: 3 }, 'spent'],
  ])('stop where the budget of %s ends', async (_, budget, kind) => {
    const { base, asked } = await site('', (request, response) =>
      to(`/${Number(request.url!.slice(1)) + 1}`)(request, response),
    )
    const { visitor, clock, gate } = setUp(budget)
    const visit = await visitor.visit({ url: `${base}/0` }, { patience: 60 })
    const until = (Math.floor(clock.at / DAY) + 1) * DAY
    expect(visit).toMatchObject({ kind, until, hosts: [{ host: webHostOf(base) }] })
    expect(asked).toEqual(['/robots.txt', '/0', '/1'])
    expect(gate.today.requests).toBe(3)
  })

  it('are put off until the host they lead to may be asked, each in turn', async () => {
    const { visitor, clock, gate } = setUp()
    const other = await site('')
    const { base } = await site('', to(`${other.base}/x`))
    const host = webHostOf(other.base)!
    gate.remember({ ...gate.state(host), nextAllowedAt: clock.at + HOUR })
    const until = clock.at + HOUR
    for (const turn of [0, 5, 10]) {
      const visit = await visitor.visit({ url: `${base}/${turn}` }, { patience: 60 })
      expect(visit).toMatchObject({ kind: 'deferred', until: until + turn, host })
      expect(visit.hosts.map((each) => each.host)).toEqual([webHostOf(base), host])
    }
    expect(other.asked).toEqual([])
    clock.at = until
    const followed = await visitor.visit({ url: base }, { patience: 60 })
    expect(followed).toMatchObject({ kind: 'answered', answer: { kind: 'content' } })
  })

  it('are put off while the other robots.txt fails, and fail with a host that cannot be reached', async () => {
    const { visitor, clock } = setUp({ delay: 0 })
    const failing = await site(500)
    const { base } = await site('', (request, response) =>
      to(request.url === '/1' ? failing.base : 'http://127.0.0.1:1/')(request, response),
    )
    expect(await visitor.visit({ url: `${base}/1` })).toMatchObject({
      kind: 'deferred',
      until: clock.at + 300,
      host: webHostOf(failing.base),
    })
    expect(await visitor.visit({ url: `${base}/2` })).toMatchObject({
      kind: 'answered',
      answer: { kind: 'failed', fault: 'connect' },
    })
    expect(failing.asked).toEqual(['/robots.txt'])
  })

  it('fail within a host whose delay is longer than anybody waits', async () => {
    const { base, asked } = await site('User-agent: *\nCrawl-delay: 200', to('/b'))
    const visit = await setUp().visitor.visit({ url: `${base}/a` }, { patience: HOUR })
    expect(visit).toMatchObject({ answer: { fault: 'redirect-refused' } })
    expect(asked).toEqual(['/robots.txt', '/a'])
  })

  it('of many hosts to one wait for it in turn, and ask its robots.txt once', async () => {
    let atOnce = 0
    let most = 0
    const other = await site(404, (_, response) => {
      most = Math.max(most, ++atOnce)
      setImmediate(() => {
        atOnce--
        response.end('x')
      })
    })
    const many = await Promise.all(Array.from({ length: 12 }, () => site(404, to(other.base))))
    const clock = systemClock
    const gate = new HostGate({ clock, politeness: { delay: 0 } })
    const visitor = new PoliteVisitor({ clock, gate, fetcher: localFetcher() })
    const visits = await Promise.all(many.map(({ base }) => visitor.visit({ url: base })))
    expect(visits.map((each) => each.kind === 'answered' && each.answer.kind)).toEqual(
      many.map(() => 'content'),
    )
    expect(other.asked.filter((each) => each === '/robots.txt')).toHaveLength(1)
    expect([other.asked.length, most]).toEqual([13, 1])
  })

  it('of two hosts to each other do not wait for one another', async () => {
    const bases: string[] = []
    const page = (other: number) => async () =>
      site('', (request, response) =>
        request.url === '/end' ? response.end('x') : to(`${bases[other]}/end`)(request, response),
      )
    const one = await page(1)()
    const two = await page(0)()
    bases.push(one.base, two.base)
    const clock = systemClock
    const gate = new HostGate({ clock, politeness: { delay: 0 } })
    const visitor = new PoliteVisitor({ clock, gate, fetcher: localFetcher() })
    const visits = await Promise.all(bases.map((url) => visitor.visit({ url: `${url}/start` })))
    for (const visit of visits) expect(visit).toMatchObject({ answer: { kind: 'content' } })
  })

  it('hold the host they lead to, and book it', async () => {
    const { visitor, clock, gate } = setUp()
    const other = await site('')
    const { base } = await site('', to(other.base))
    const host = webHostOf(other.base)!
    const until = clock.at + HOUR
    const hold = async (name: string) => {
      if (name === host) gate.remember({ ...gate.state(host), nextAllowedAt: until })
      return true
    }
    const first = await visitor.visit({ url: base }, { patience: 60, hold })
    expect(first).toMatchObject({ kind: 'deferred', until })
    // While another has it, it is not asked, whatever is known of it.
    const others = await visitor.visit({ url: base }, { patience: 60, hold: async () => false })
    expect(others).toMatchObject({ kind: 'deferred', host })
    expect(other.asked).toEqual([])
    clock.at = until
    const booked: string[] = []
    const book = async (state: { host: string }) => {
      booked.push(state.host)
    }
    await visitor.visit({ url: base }, { book })
    expect(booked).toEqual([webHostOf(base), host, host])
  })
})
