import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/crawler/system-clock.js'
import { webHostOf } from '../../src/formats/url.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { localFetcher } from './local-fetcher.js'
import { politeVisits, setUp, site, to } from './polite-site.js'

describe('redirects of a page', () => {
  it('ask the host that they lead to, and respect its robots.txt', async () => {
    const other = await site('User-agent: *\nDisallow: /no')
    const { base } = await site('', (request, response) =>
      response.writeHead(302, { location: `${other.base}${request.url}` }).end(),
    )
    const { visit, clock } = setUp()
    const followed = await visit({ url: `${base}/yes` }, { patience: 60 })
    expect(followed).toMatchObject({ kind: 'answered', answer: { kind: 'content' } })
    expect(followed.hosts.map((each) => each.host)).toEqual([
      webHostOf(base),
      webHostOf(other.base),
    ])
    expect(followed.hosts[1]?.nextAllowedAt).toBe(clock.at + 5)
    const refused = await visit({ url: `${base}/no` }, { patience: 60 })
    expect(refused).toMatchObject({ answer: { kind: 'failed', fault: 'redirect-refused' } })
    expect(other.asked).toEqual(['/robots.txt', '/yes'])
  })

  it('respect robots.txt within a host, and are counted', async () => {
    const { base, asked } = await site('User-agent: *\nDisallow: /no', (request, response) => {
      if (request.url === '/yes') response.end('x')
      else response.writeHead(301, { location: request.url === '/a' ? '/yes' : '/no' }).end()
    })
    const { visit } = setUp()
    const followed = await visit({ url: `${base}/a` }, { patience: 60 })
    expect(followed).toMatchObject({ answer: { kind: 'content', movedTo: `${base}/yes` } })
    expect(followed.hosts[0]?.today.requests).toBe(3)
    const refused = await visit({ url: `${base}/b` }, { patience: 60 })
    expect(refused).toMatchObject({ answer: { fault: 'redirect-refused' } })
    expect(asked).toEqual(['/robots.txt', '/a', '/yes', '/b'])
  })

  it('keep the delay within a host', async () => {
    const { visit, clock } = setUp()
    const times: number[] = []
    const { base } = await site('', (request, response) => {
      times.push(clock.at)
      const step = Number(request.url!.slice(1))
      if (step === 3) response.end('x')
      else to(`/${step + 1}`)(request, response)
    })
    const from = clock.at
    const made = await visit({ url: `${base}/0` }, { patience: 60 })
    expect(made).toMatchObject({ kind: 'answered', answer: { kind: 'content' } })
    expect(times.map((each) => each - from)).toEqual([5, 10, 15, 20])
  })

  it.each([
    ['the host', { hostRequestsPerDay: 3 }, 'deferred'],
    ['all hosts', { requestsPerDay: 3 }, 'spent'],
  ])('stop where the budget of %s ends', async (_, budget, kind) => {
    const { base, asked } = await site('', (request, response) =>
      to(`/${Number(request.url!.slice(1)) + 1}`)(request, response),
    )
    const { visit, clock, gate } = setUp(budget)
    const made = await visit({ url: `${base}/0` }, { patience: 60 })
    const until = (Math.floor(clock.at / DAY) + 1) * DAY
    expect(made).toMatchObject({ kind, until, hosts: [{ host: webHostOf(base) }] })
    expect(asked).toEqual(['/robots.txt', '/0', '/1'])
    expect(gate.today.requests).toBe(3)
  })

  it('are put off until the host they lead to may be asked, each in turn', async () => {
    const { visit, clock, rests } = setUp()
    const other = await site('')
    const { base } = await site('', to(`${other.base}/x`))
    const host = webHostOf(other.base)!
    const until = clock.at + HOUR
    await rests(host, until)
    for (const turn of [0, 5, 10]) {
      const made = await visit({ url: `${base}/${turn}` }, { patience: 60 })
      expect(made).toMatchObject({ kind: 'deferred', until: until + turn, host })
      expect(made.hosts.map((each) => each.host)).toEqual([webHostOf(base), host])
    }
    expect(other.asked).toEqual([])
    clock.at = until
    const followed = await visit({ url: base }, { patience: 60 })
    expect(followed).toMatchObject({ kind: 'answered', answer: { kind: 'content' } })
  })

  it('are put off while the other robots.txt fails, and fail with a host that cannot be reached', async () => {
    const { visit, clock } = setUp({ delay: 0 })
    const failing = await site(500)
    const { base } = await site('', (request, response) =>
      to(request.url === '/1' ? failing.base : 'http://127.0.0.1:1/')(request, response),
    )
    expect(await visit({ url: `${base}/1` })).toMatchObject({
      kind: 'deferred',
      until: clock.at + 300,
      host: webHostOf(failing.base),
    })
    expect(await visit({ url: `${base}/2` })).toMatchObject({
      kind: 'answered',
      answer: { kind: 'failed', fault: 'connect' },
    })
    expect(failing.asked).toEqual(['/robots.txt'])
  })

  it('fail within a host whose delay is longer than anybody waits', async () => {
    const { base, asked } = await site('User-agent: *\nCrawl-delay: 200', to('/b'))
    const made = await setUp().visit({ url: `${base}/a` }, { patience: HOUR })
    expect(made).toMatchObject({ answer: { fault: 'redirect-refused' } })
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
    const { visit } = politeVisits({ clock, fetcher: localFetcher(), politeness: { delay: 0 } })
    const visits = await Promise.all(many.map(({ base }) => visit({ url: base })))
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
    const { visit } = politeVisits({ clock, fetcher: localFetcher(), politeness: { delay: 0 } })
    const visits = await Promise.all(bases.map((url) => visit({ url: `${url}/start` })))
    for (const made of visits) expect(made).toMatchObject({ answer: { kind: 'content' } })
  })

  it('give back all hosts that a robots.txt led to, where one cannot be given back', async () => {
    const { visit, store, clock } = setUp()
    const last = await site('')
    const other = await site(to(`${last.base}/robots.txt`))
    const { base } = await site(to(`${other.base}/robots.txt`))
    const [first, second, third] = [base, other.base, last.base].map((each) => webHostOf(each)!)
    const { releaseHost } = store
    store.releaseHost = async (hold, record) => {
      if (hold.host === first) throw new Error('lost')
      return releaseHost.call(store, hold, record)
    }
    await expect(visit({ url: base })).rejects.toThrow('lost')
    const by = { worker: 'other', ttl: 1, now: clock.at }
    expect(await store.holdHost({ ...by, host: second! })).not.toBeNull()
    expect(await store.holdHost({ ...by, host: third! })).not.toBeNull()
  })

  it('hold the host they lead to, and book it', async () => {
    const { visit, clock, store, rests } = setUp()
    const other = await site('')
    const { base } = await site('', to(other.base))
    const host = webHostOf(other.base)!
    const until = clock.at + HOUR
    await rests(host, until)
    const first = await visit({ url: base }, { patience: 60 })
    expect(first).toMatchObject({ kind: 'deferred', until })
    // While another has it, it is not asked, whatever is known of it.
    await rests(host, clock.at)
    const by = { host, worker: 'other', ttl: HOUR / 2, now: clock.at }
    expect(await store.holdHost(by)).toMatchObject({ host })
    const others = await visit({ url: base }, { patience: 60 })
    expect(others).toMatchObject({ kind: 'deferred', host })
    expect(other.asked).toEqual([])
    clock.at = until
    const booked: string[] = []
    const book = async (record: { host: string }) => {
      booked.push(record.host)
      return true
    }
    await visit({ url: base }, { book })
    expect(booked).toEqual([webHostOf(base), host, host])
  })
})
