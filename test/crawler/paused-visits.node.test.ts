import { expect, it } from 'vitest'
import { Cycle } from '../../src/crawler/loop.js'
import type { SavedVisit } from '../../src/crawler/unsaved-visits.js'
import { malcolmArmitageLearner } from '../../src/estimators/rate/malcolm-armitage.js'
import type { PoliteVisit } from '../../src/model/fetcher.js'
import type { HostRecord } from '../../src/model/lease.js'
import type { Reader } from '../../src/model/reader.js'
import type { Clock } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { malcolmArmitage } from '../../src/policies/malcolm-armitage.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { visitorOf, type WholeVisits } from '../fixtures/whole-visits.js'

const start = 1_700_000_000
const collection = 'c'
/** Between two samples. */
const wait = 3

/** Time that stands still until nobody has anything left to do but wait. */
class WaitingClock implements Clock {
  #now = start
  readonly #sleepers: { readonly at: number; readonly wake: () => void }[] = []

  now(): number {
    return this.#now
  }

  sleep(duration: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      signal?.addEventListener('abort', () => wake(), { once: true })
      this.#sleepers.push({ at: this.#now + duration, wake })
    })
  }

  /** Lets time pass until the work is done. */
  async through(work: Promise<unknown>): Promise<void> {
    let over = false
    void work.finally(() => {
      over = true
    })
    while (!over) {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
      this.#sleepers.sort((a, b) => a.at - b.at)
      const next = this.#sleepers.shift()
      if (next === undefined) continue
      this.#now = Math.max(this.#now, next.at)
      next.wake()
    }
  }
}

/** Hosts that count how many visits they have at once. */
class WatchedWeb implements WholeVisits {
  readonly #clock: Clock
  readonly #busy = new Map<string, number>()
  readonly log: string[] = []
  #asked = 0
  mostAtOnce = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async visit({ url }: { url: string }): Promise<PoliteVisit> {
    const { host, pathname } = new URL(url)
    const busy = (this.#busy.get(host) ?? 0) + 1
    this.#busy.set(host, busy)
    this.mostAtOnce = Math.max(this.mostAtOnce, busy)
    const at = this.#clock.now()
    this.log.push(`${at - start}:${pathname.slice(1)}`)
    await new Promise((resolve) => setImmediate(resolve))
    this.#busy.set(host, this.#busy.get(host)! - 1)
    this.#asked++
    const body = new TextEncoder().encode(url)
    const answer = { kind: 'content', status: 200, at, url, headers: {}, bytesReceived: 9, body }
    return { kind: 'answered', answer: { ...answer, kind: 'content' }, hosts: [this.hostNow(host)] }
  }

  hostNow(host: string): HostRecord {
    return { host, state: { asked: this.#asked }, blockedUntil: null }
  }
}

const reader: Reader = {
  read: ({ body }) => ({ fingerprint: new TextDecoder().decode(body) }),
  lastModified: () => undefined,
}

/** Looks at each page of one host twice, whatever it is. */
async function polled({
  pages,
  until = Infinity,
  ahead = 32,
  signal,
}: {
  pages: number
  until?: number
  ahead?: number
  signal?: AbortSignal
}) {
  const clock = new WaitingClock()
  const web = new WatchedWeb(clock)
  const store = openMemoryStore()
  const named = Array.from({ length: pages }, (_, at) => ({ url: `http://a.example/${at}` }))
  await store.addPages({ collection, pages: named, now: start })
  const seen: string[] = []
  const planner = { policy: malcolmArmitage(), learner: malcolmArmitageLearner }
  const cycle = new Cycle(
    {
      store,
      clock,
      visitor: visitorOf(web),
      reader,
      random: new Random(1),
      plannerFor: () => planner,
      noiseRecheck: {
        wait,
        isWanted: () => true,
        async recheck({ page, again }) {
          const second = await again()
          return second === null ? null : { page, bytes: 9 }
        },
      },
    },
    { collection, worker: 'w', concurrency: 4, ahead, unconditionalShare: 0 },
  )
  const onVisit = ({ lease }: SavedVisit) => seen.push(lease.page.url)
  const run = cycle.run({ once: true, until, onVisit, ...(signal === undefined ? {} : { signal }) })
  await clock.through(run)
  await run
  return { web, seen, store, took: clock.now() - start }
}

it('lets the other pages of a host have their turn between two samples of one', async () => {
  const { web, seen, took, store } = await polled({ pages: 3 })
  expect(web.log).toEqual(['0:0', '0:1', '0:2', '3:0', '3:1', '3:2'])
  expect(web.mostAtOnce).toBe(1)
  expect(seen).toHaveLength(3)
  expect(took).toBeLessThan(2 * wait)
  // What is kept of the host is what it was like in the end.
  expect((await store.getHost('a.example'))?.state).toEqual({ asked: 6 })
})

it('re-checks every page where there are more than may be paused, one visit at a time', async () => {
  const pages = 200
  const { web, seen } = await polled({ pages })
  expect(web.log).toHaveLength(2 * pages)
  expect(new Set(web.log.map((each) => each.split(':')[1]))).toHaveLength(pages)
  expect(new Set(seen).size).toBe(pages)
  expect(web.mostAtOnce).toBe(1)
})

it('leaves no visit paused when it is to end', async () => {
  const stop = new AbortController()
  const whole = polled({ pages: 5, signal: stop.signal })
  setTimeout(() => stop.abort(), 0)
  const { store, web } = await whole
  expect(web.mostAtOnce).toBe(1)
  expect((await store.health({ collection, now: start })).inFlight).toBe(0)
})
