import { describe, expect, it } from 'vitest'
import { webHostOf } from '../../src/formats/url.js'
import { DAY } from '../../src/model/units.js'
import { rawServer } from '../fixtures/local-server.js'
import { type Answer, setUp, site, to } from './polite-site.js'

/** Answers each request by the next of these, and the last of them from then on. */
function inTurn(...answers: Answer[]): Answer {
  return (request, response) =>
    (answers.length > 1 ? answers.shift()! : answers[0]!)(request, response)
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end()

describe('a robots.txt that cannot be had', () => {
  it('lets its pages wait while the server fails, until it is asked for again', async () => {
    const { base, asked } = await site(500)
    const { visit, clock } = setUp()
    expect(await visit({ url: base })).toMatchObject({
      kind: 'wait',
      until: clock.at + 300,
    })
    clock.at += 299
    expect(await visit({ url: base })).toMatchObject({ kind: 'wait', until: clock.at + 1 })
    clock.at += 1
    expect(await visit({ url: base })).toMatchObject({
      kind: 'wait',
      until: clock.at + 600,
    })
    expect(asked).toEqual(['/robots.txt', '/robots.txt'])
  })

  it.each([503, 429])('goes on as soon as it answers after %i', async (code) => {
    const { base, asked } = await site(inTurn(status(code, { 'retry-after': '90' }), status(404)))
    const { visit, clock } = setUp({ delay: 0 })
    expect(await visit({ url: base })).toMatchObject({ kind: 'wait', until: clock.at + 90 })
    clock.at += 90
    expect(await visit({ url: base })).toMatchObject({
      kind: 'answered',
      answer: { kind: 'content' },
    })
    expect(asked).toEqual(['/robots.txt', '/robots.txt', '/'])
  })

  it('is the failure of the visit where the host cannot be reached', async () => {
    const { base: open } = await site('')
    const closed = 'http://127.0.0.1:1'
    const tls = open.replace('http:', 'https:')
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const { visit } = setUp({}, { resolve })
    for (const [url, fault] of [
      [closed, 'connect'],
      [tls, 'tls'],
      ['http://nosuch.invalid', 'dns'],
      [await rawServer((socket) => socket.destroy()), 'reset'],
      [await rawServer((socket) => socket.end('nonsense\r\n\r\n')), 'bad-answer'],
    ] as const)
      expect(await visit({ url: `${url}/p` })).toMatchObject({
        kind: 'answered',
        answer: { kind: 'failed', fault },
      })
  })

  it('keeps the other pages of an unreachable host waiting, and is then asked for again', async () => {
    let reset = true
    const { base, asked } = await site((_, response) => {
      if (reset) response.socket?.destroy()
      else response.end('User-agent: *\nDisallow: /no')
    })
    const { visit, clock } = setUp()
    expect(await visit({ url: `${base}/a` })).toMatchObject({ answer: { fault: 'reset' } })
    const waits = await visit({ url: `${base}/b` })
    expect(waits).toMatchObject({ kind: 'wait', until: clock.at + 300 })
    expect(asked).toEqual(['/robots.txt'])
    clock.at += 300
    reset = false
    expect(await visit({ url: `${base}/no` })).toMatchObject({ kind: 'disallowed' })
    expect(await visit({ url: `${base}/b` }, { patience: 60 })).toMatchObject({
      answer: { kind: 'content' },
    })
  })
})

describe('a robots.txt that is there', () => {
  it('is believed on its delay before the first page', async () => {
    const { base } = await site('User-agent: *\nCrawl-delay: 1.5')
    const { visit, clock } = setUp({ delay: 0 })
    expect(await visit({ url: base })).toMatchObject({
      kind: 'wait',
      until: clock.at + 1.5,
    })
  })

  it('follows redirects with a delay for each host, and counts them', async () => {
    const times: number[] = []
    const { visit, clock, gate } = setUp()
    const here: Answer = (_, response) => {
      times.push(clock.at)
      response.end('User-agent: *\nDisallow: /no')
    }
    const other = await site(here)
    const { base, asked } = await site(to('/r1'), (request, response) => {
      times.push(clock.at)
      to(request.url === '/r1' ? '/r2' : `${other.base}/robots.txt`)(request, response)
    })
    const from = clock.at
    const made = await visit({ url: `${base}/no` })
    expect(made.kind).toBe('disallowed')
    expect(asked).toEqual(['/robots.txt', '/r1', '/r2'])
    expect(times.map((each) => each - from)).toEqual([5, 10, 10])
    expect(made.hosts.map((each) => [each.host, each.today.requests])).toEqual([
      [webHostOf(base), 3],
      [webHostOf(other.base), 1],
    ])
    expect(gate.today.requests).toBe(4)
  })

  it('stops its redirects where a budget ends, and the page waits for the next day', async () => {
    const { base, asked } = await site(to('/r1'), to('/r2'))
    const { visit, clock, readyAt } = setUp({ hostRequestsPerDay: 2 })
    const tomorrow = (Math.floor(clock.at / DAY) + 1) * DAY
    expect(await visit({ url: `${base}/a` })).toMatchObject({
      kind: 'wait',
      until: tomorrow,
    })
    expect(asked).toEqual(['/robots.txt', '/r1'])
    expect(await readyAt(webHostOf(base)!)).toBe(tomorrow)
  })

  it.each([0, 1, 2])('says so where it is our budget of %i requests that ends', async (budget) => {
    const { base, asked } = await site(to('/r1'), (_, response) => response.end(''))
    const { visit, clock, gate, kept } = setUp({ delay: 0, requestsPerDay: budget })
    const tomorrow = (Math.floor(clock.at / DAY) + 1) * DAY
    expect(await visit({ url: `${base}/a` })).toMatchObject({
      kind: 'spent',
      until: tomorrow,
    })
    expect(asked).toHaveLength(budget)
    expect(gate.spentUntil).toBe(tomorrow)
    // The host itself would have given its leave.
    expect((await kept(webHostOf(base)!)).nextAllowedAt).toBeLessThanOrEqual(clock.at)
  })
})
