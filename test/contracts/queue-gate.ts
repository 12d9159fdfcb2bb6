import { expect } from 'vitest'
import type { GivenPage } from '../../src/model/queue.js'
import type { Store } from '../../src/model/store.js'
import { Random } from '../../src/numeric/random.js'
import { aVisit } from '../fixtures/a-visit.js'

/** What a queue is to its clients, kept apart from any store: the rules of the gate, one by one. */
class ModelQueue {
  delay: number | null = null
  blockedUntil = -Infinity
  limit = 0
  lastGiven = -Infinity
  lastEnded = -Infinity
  readonly due = new Map<string, number | 'never'>()
  readonly leases = new Map<string, number>()

  /** Leases that ran out by now ended when they did. */
  at(now: number): this {
    for (const [url, expires] of this.leases)
      if (expires <= now) {
        this.leases.delete(url)
        this.lastEnded = Math.max(this.lastEnded, expires)
      }
    return this
  }

  end(url: string, now: number): void {
    if (this.leases.delete(url)) this.lastEnded = Math.max(this.lastEnded, now)
  }

  /** Addresses that it may give now, the earliest first. */
  free(now: number, { perQueue, defaultDelay }: { perQueue: number; defaultDelay: number }) {
    const rested = Math.max(this.lastGiven, this.lastEnded) + (this.delay ?? defaultDelay)
    const completed = [...this.due.values()].filter((due) => due === 'never').length
    const isFull = this.limit > 0 && completed >= this.limit
    if (now < rested || now < this.blockedUntil || isFull) return []
    return [...this.due]
      .filter(([url, due]) => due !== 'never' && due <= now && !this.leases.has(url))
      .sort(([, a], [, b]) => Number(a) - Number(b))
      .slice(0, Math.max(0, perQueue - this.leases.size))
  }
}

const began = 1_700_000_000

/**
 * Clients that do whatever comes to them, on two connections and a virtual
 * clock, beside a model of the gate: each turn gives what the model allows, no
 * more and no less.
 */
export async function followGate({
  one,
  other,
  seed,
  steps,
}: {
  readonly one: Store
  readonly other: Store
  readonly seed: number
  readonly steps: number
}): Promise<void> {
  const random = new Random(seed)
  const collection = `random ${seed}`
  const chance = (share: number) => random.uniform() < share
  const upTo = (most: number) => random.below(most)
  const key = () => `q${upTo(6)}`
  const model = new Map<string, ModelQueue>()
  const queueOf = (name: string) => {
    const queue = model.get(name) ?? new ModelQueue()
    model.set(name, queue)
    return queue
  }
  let now = began
  let defaultDelay = 1
  await one.queues.setDefaultDelay(defaultDelay)
  for (let step = 0; step < steps; step++) {
    now += chance(0.3) ? 0 : random.uniform() * (chance(0.1) ? 40 : 2)
    const { queues } = chance(0.5) ? one : other
    const name = key()
    const queue = queueOf(name).at(now)
    const url = `https://x.example/${name}/${upTo(8)}`
    const item = { collection, key: name, url, metadata: { step: [String(step)] } }
    const act = random.uniform()
    if (act < 0.15) {
      const [added] = await queues.discover([item], now)
      expect(added, `seed ${seed} step ${step}`).toBe(!queue.due.has(url))
      if (added) queue.due.set(url, now)
    } else if (act < 0.25) {
      const due = chance(0.2) ? 'never' : now + 10 * (random.uniform() - 0.5)
      await queues.putDated([{ ...item, due, reason: '' }], now)
      queue.due.set(url, due)
      queue.end(url, now)
    } else if (act < 0.45) {
      const [leased = url] = [...queue.leases.keys()]
      await queues.discover([{ ...item, url: leased }], now)
      const [claimed] = await queues.claim([{ ...item, url: leased }])
      const due = chance(0.2) ? ('never' as const) : now + 10 * random.uniform()
      const lease = { page: claimed!.page, token: claimed!.token }
      const visit = aVisit({ at: now, outcome: 'first' })
      const report = { lease, visit, due: { at: due, reason: '' } }
      const [result] = await queues.report([{ report, metadata: item.metadata }], now)
      if (!queue.due.has(leased)) queue.due.set(leased, now)
      if (result === 'recorded') {
        queue.due.set(leased, due)
        queue.end(leased, now)
      }
    } else if (act < 0.55) {
      const rules = [
        { delay: chance(0.3) ? null : upTo(6) },
        { blockedUntil: chance(0.3) ? null : now + upTo(10) },
        { limit: upTo(4) },
      ] as const
      const rule = rules[upTo(3)]!
      await queues.setRules({ collection, key: name }, rule)
      if ('delay' in rule) queue.delay = rule.delay
      if ('blockedUntil' in rule) queue.blockedUntil = rule.blockedUntil ?? -Infinity
      if ('limit' in rule) queue.limit = rule.limit
    } else if (act < 0.58) {
      defaultDelay = upTo(4)
      await queues.setDefaultDelay(defaultDelay)
    } else {
      const perQueue = 1 + upTo(3)
      const maxQueues = 1 + upTo(7)
      const ttl = 1 + upTo(20)
      const allowed = new Map(
        [...model].map(([each, it]) => [each, it.at(now).free(now, { perQueue, defaultDelay })]),
      )
      const ready = [...allowed].filter(([, urls]) => urls.length > 0)
      const given = await queues.give({ collection, maxQueues, perQueue, ttl, now })
      const byQueue = new Map<string, GivenPage[]>()
      for (const page of given) byQueue.set(page.key, [...(byQueue.get(page.key) ?? []), page])
      const context = `seed ${seed} step ${step}`
      expect(byQueue.size, context).toBe(Math.min(maxQueues, ready.length))
      for (const [each, pages] of byQueue) {
        expect(
          pages.map((page) => page.page.due.at),
          context,
        ).toEqual(allowed.get(each)!.map(([, due]) => due))
        const it = model.get(each)!
        it.lastGiven = now
        for (const page of pages) {
          expect(it.leases.has(page.url), context).toBe(false)
          it.leases.set(page.url, now + ttl)
        }
      }
    }
  }
}
