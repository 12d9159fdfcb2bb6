import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Store } from '../../src/model/store.js'

const client = fileURLToPath(new URL('../../scripts/queue-client.mjs', import.meta.url))
const collection = 'shared'
const limitOfThird = 2

interface Given {
  readonly event: 'given'
  /** The time that it was asked for, and when by the machine's clock. */
  readonly now: number
  readonly asked: number
  readonly pages: readonly {
    readonly key: string
    readonly url: string
    readonly expiresAt: number
  }[]
}

interface Reported {
  readonly event: 'reported'
  readonly now: number
  readonly answered: number
  readonly pages: readonly { readonly key: string; readonly url: string }[]
}

export interface Clients {
  readonly connect: () => Promise<Store>
  /** How another process opens the same store. */
  readonly where: { readonly path: string } | { readonly url: string }
  readonly clients: number
  readonly queues: number
  readonly perQueue: number
  /** At least; they go on until every address was given that no limit holds back, up to half a minute. */
  readonly seconds: number
  readonly delay: number
  /** Clients that are killed on the way, each with another in its place. */
  readonly kills: number
}

/**
 * Clients in processes of their own on one store, by the real clock: no queue
 * gives within its delay, beyond its limit or with more than `perQueue` in
 * flight, every address is given, and none twice within its lease. A client
 * that is killed loses nothing that it had written down.
 */
export async function shareQueues(of: Clients): Promise<void> {
  const { connect, queues, perQueue, delay, seconds } = of
  const store = await connect()
  const addresses = Array.from({ length: queues * 3 }, (_, at) => ({
    collection,
    key: `q${at % queues}`,
    url: `https://q${at % queues}.example/${at}`,
    metadata: {},
  }))
  const limited = (key: string) => Number(key.slice(1)) % 3 === 0
  await store.queues.setDefaultDelay(delay)
  for (let at = 0; at < queues; at += 3)
    await store.queues.setRules({ collection, key: `q${at}` }, { limit: limitOfThird })
  const began = (await store.now()) ?? Date.now() / 1000
  await store.queues.discover(addresses, began - 1)
  const unlimited = addresses.filter(({ key }) => !limited(key)).map(({ url }) => url)
  const events = await runClients(of, unlimited)
  const given = events.filter((each) => each.event === 'given')
  const reported = events.filter((each) => each.event === 'reported')

  for (let at = 0; at < queues; at++) {
    const key = `q${at}`
    const turns = given
      .flatMap(({ pages, ...turn }) => {
        const own = pages.filter((page) => page.key === key)
        return own.length === 0 ? [] : [{ ...turn, pages: own }]
      })
      .sort((one, other) => one.now - other.now)
    const ends = reported.flatMap(({ pages, now, answered }) =>
      pages.filter((page) => page.key === key).map(({ url }) => ({ url, now, answered })),
    )
    turns.forEach((turn, place) => {
      const before = turns[place - 1]
      if (before !== undefined) expect(turn.now - before.now).toBeGreaterThanOrEqual(delay - 1e-6)
      // A report that was answered before the turn was asked for.
      for (const end of ends)
        if (end.answered < turn.asked)
          expect(turn.now - end.now).toBeGreaterThanOrEqual(delay - 1e-6)
      const inFlight = turns.slice(0, place + 1).flatMap(({ pages, now }) =>
        pages.filter(({ url, expiresAt }) => {
          const isReported = ends.some(
            (end) => end.url === url && end.now >= now && end.now <= turn.now,
          )
          return expiresAt > turn.now && !isReported
        }),
      )
      expect(inFlight.length).toBeLessThanOrEqual(perQueue)
      expect(new Set(inFlight.map(({ url }) => url)).size).toBe(inFlight.length)
    })
    const completed = new Set(ends.map(({ url }) => url)).size
    if (limited(key) && perQueue === 1) expect(completed).toBeLessThanOrEqual(limitOfThird)
    if (!limited(key)) {
      const urls = new Set(turns.flatMap(({ pages }) => pages.map(({ url }) => url)))
      expect([...urls].sort()).toEqual(
        addresses
          .filter((each) => each.key === key)
          .map(({ url }) => url)
          .sort(),
      )
    }
  }
  expect(given.length).toBeGreaterThan(seconds)
  // What was acknowledged is there, with all rules.
  for (const { pages } of reported)
    for (const { key, url } of pages) {
      const found = await store.queues.find({ collection, key, url })
      expect(found?.page.visits).toBeGreaterThan(0)
    }
  const now = began + seconds
  const listed = await store.queues.queues({
    ...{ collection, start: 0, limit: queues, now },
    inactive: true,
  })
  for (const { key, rules, addresses: many } of listed.queues) {
    expect(rules).toMatchObject({ limit: limited(key) ? limitOfThird : 0 })
    expect(many).toBe(3)
  }
  expect(await store.check()).toEqual([])
  await store.close()
}

async function runClients(of: Clients, awaited: readonly string[]): Promise<(Given | Reported)[]> {
  const { clients, kills, seconds, where, perQueue, queues } = of
  const events: (Given | Reported)[] = []
  const end = performance.now() + seconds * 1000
  const started = (seed: number) => {
    const asked = {
      ...where,
      ...{ seed, collection, perQueue, ttl: 1 },
      ...{ maxQueues: Math.ceil(queues / 4), again: null },
    }
    const child = spawn(process.execPath, [client, JSON.stringify(asked)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    // A line that a kill cut short was not written down.
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.endsWith('}')) events.push(JSON.parse(line) as Given | Reported)
    })
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
    return { child, closed }
  }
  const running = Array.from({ length: clients }, (_, at) => started(at + 1))
  const replaced: (typeof running)[number][] = []
  for (let kill = 0; kill < kills; kill++) {
    await pause((seconds * 1000) / (kills + 1))
    const place = kill % clients
    running[place]!.child.kill('SIGKILL')
    replaced.push(running[place]!)
    running[place] = started(100 + kill)
  }
  const missing = new Set(awaited)
  for (let seen = 0; performance.now() < end + 30_000; await pause(50)) {
    for (; seen < events.length; seen++)
      for (const { url } of events[seen]!.pages) missing.delete(url)
    if (missing.size === 0 && performance.now() >= end) break
  }
  for (const { child } of running) child.stdin.end()
  expect(await Promise.all(running.map(({ closed }) => closed))).toEqual(running.map(() => 0))
  await Promise.all(replaced.map(({ closed }) => closed))
  return events
}
