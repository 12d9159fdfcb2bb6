import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { fastClock, HeldClock } from '../../../src/lab/demo-web/clocks.js'
import { demoOrigin, startDemoWeb } from '../../../src/lab/demo-web/demo-web.js'
import { ask, openWeb } from './open-web.js'

/** Others may hold some ports of this machine: tries one row after the other. */
async function onFreePorts() {
  for (let first = 21_000; ; first += 5) {
    try {
      return { first, ...(await openWeb({ pages: 10, port: first })) }
    } catch (error) {
      if (first > 22_000) throw error
    }
  }
}

describe('startDemoWeb', () => {
  it('runs by itself: time goes on, pages change', async () => {
    const web = await startDemoWeb({ seed: 1, speed: 1e7, pages: 20 })
    try {
      const before = web.truth().reduce((sum, page) => sum + page.changes, 0)
      await web.clock.sleep(20 * 86_400)
      const after = web.truth().reduce((sum, page) => sum + page.changes, 0)
      expect(web.clock.now()).toBeGreaterThanOrEqual(demoOrigin + 20 * 86_400)
      expect(after).toBeGreaterThan(before)
    } finally {
      await web.close()
    }
  })

  it('answers thousands of requests over many connections, all of them right', async () => {
    const { web } = await openWeb()
    const pages = web.truth().filter(({ access }) => access === 'plain')
    const first = new Map<string, string>()
    for (const { url } of pages) first.set(url, (await ask(url)).text)
    const jobs = Array.from({ length: 1500 }, (_, i) => pages[i % pages.length]!.url)
    let right = 0
    const worker = async () => {
      for (let url = jobs.pop(); url !== undefined; url = jobs.pop())
        if ((await ask(url)).text === first.get(url)) right++
    }
    await Promise.all(Array.from({ length: 40 }, worker))
    expect(right).toBe(1500)
    expect(web.requests()).toMatchObject({
      total: 1500 + pages.length,
      unanswered: 0,
      disallowed: 0,
    })
    const counted = web.truth().reduce((sum, { requests }) => sum + requests, 0)
    expect(counted).toBe(1500 + pages.length)
  })

  it('closes at once, in the middle of slow answers and of none', async () => {
    const { web } = await openWeb({ delays: { slow: 1000, hang: 1000 } })
    const slow = web.truth().filter(({ access }) => access === 'slow')
    expect(slow.length).toBeGreaterThan(0)
    const asked = slow.map(({ url }) =>
      ask(url).then(
        () => 'answered',
        () => 'cut off',
      ),
    )
    const idle = await ask(`${web.sites[0]!.base}/`)
    expect(idle.status).toBe(200)
    await web.close()
    await web.close()
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['cut off']))
    await expect(ask(`${web.sites[0]!.base}/`)).rejects.toThrow()
  })

  it('takes the ports that follow a given one, all of them or none', async () => {
    const guard = createServer().listen(0, '127.0.0.1')
    await once(guard, 'listening')
    const { port } = guard.address() as { port: number }
    await expect(openWeb({ pages: 10, port: port - 2 })).rejects.toMatchObject({
      code: 'cannot-listen',
    })
    guard.close()
    const { web, first } = await onFreePorts()
    expect(web.sites.map(({ base }) => Number(new URL(base).port))).toEqual(
      [0, 1, 2, 3, 4].map((i) => first + i),
    )
  })

  it('refuses options that cannot be', async () => {
    const code = (expected: string) => ({ code: expected })
    await expect(openWeb({ port: 65_534 })).rejects.toMatchObject(code('bad-port'))
    await expect(openWeb({ port: -1 })).rejects.toMatchObject(code('bad-port'))
    await expect(openWeb({ origin: demoOrigin + 1 })).rejects.toMatchObject(code('bad-origin'))
    await expect(startDemoWeb({ seed: 1, speed: 0 })).rejects.toMatchObject(code('bad-speed'))
    await expect(startDemoWeb({ seed: 1, speed: 1e8 })).rejects.toMatchObject(code('bad-speed'))
  })
})

describe('fastClock', () => {
  it('runs as much faster as said, from its start', () => {
    let wall = 50
    const clock = fastClock({ speed: 8640, start: 1000, wall: () => wall })
    expect(clock.now()).toBe(1000)
    wall += 10
    expect(clock.now()).toBe(1000 + 86_400)
  })

  it('sleeps for the time it shows, or until it is stopped', async () => {
    const clock = fastClock({ speed: 1e5, start: 0 })
    await clock.sleep(1500)
    expect(clock.now()).toBeGreaterThanOrEqual(1500)
    const stop = new AbortController()
    const sleeping = clock.sleep(1e12, stop.signal)
    stop.abort()
    await sleeping
    await clock.sleep(1e12, stop.signal)
    await clock.sleep(-5)
  })
})

describe('HeldClock', () => {
  it('stands at its start until it is let go, and whoever sleeps with it', async () => {
    const clock = new HeldClock({ speed: 1e5, start: 1000 })
    let awake = false
    const slept = clock.sleep(100).then(() => {
      awake = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([clock.now(), awake]).toEqual([1000, false])
    clock.release()
    await slept
    expect(clock.now()).toBeGreaterThanOrEqual(1100)
    clock.release()
    await clock.sleep(10)
    expect(clock.now()).toBeGreaterThanOrEqual(1110)
  })

  it('wakes who is told to stop', async () => {
    const clock = new HeldClock({ speed: 1, start: 0 })
    const stop = new AbortController()
    const slept = clock.sleep(1e9, stop.signal)
    stop.abort()
    await slept
    await clock.sleep(1, AbortSignal.abort())
    expect(clock.now()).toBe(0)
    expect(() => new HeldClock({ speed: 0, start: 0 })).toThrow(/speed is 0/)
  })
})
