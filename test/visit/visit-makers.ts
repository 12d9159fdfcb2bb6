import { Cycle } from '../../src/crawler/loop.js'
import { malcolmArmitageLearner } from '../../src/estimators/rate/malcolm-armitage.js'
import { productToken, readRobots } from '../../src/formats/robots-file.js'
import type { HostRecord } from '../../src/model/lease.js'
import type { NewPage } from '../../src/model/page.js'
import type { Store } from '../../src/model/store.js'
import type { Clock, Json, UnixSeconds } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { malcolmArmitage } from '../../src/policies/malcolm-armitage.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { BoundedReading } from '../../src/visit/bounded-reading.js'
import { publisherReader } from '../../src/visit/discovery.js'
import { SharedBudget } from '../../src/visit/politeness/day-budget.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { type HostState, hostFrom, recordOf } from '../../src/visit/politeness/host-state.js'
import { PoliteVisitor } from '../../src/visit/politeness/polite-visitor.js'
import type { SessionParts } from '../../src/visit/session-parts.js'
import { aService } from '../server/a-service.js'
import { localFetcher } from './local-fetcher.js'

export const start: UnixSeconds = 1.7e9
const collection = 'default'

/** A clock that is set, and that nobody's sleep moves while visits are under way. */
export class SetClock implements Clock {
  at = start
  busy: () => boolean = () => false

  now(): UnixSeconds {
    return this.at
  }

  async sleep(duration: number, signal?: AbortSignal): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.busy() && !signal?.aborted)
    if (!signal?.aborted) this.at += duration
  }
}

/** What one maker of visits is opened with. */
export interface MakerOptions {
  readonly store: Store
  readonly clock: SetClock
  readonly unconditionalShare: number
  readonly requestsPerDay: number | null
  readonly session: Partial<SessionParts>
}

/** Visits all that is due and may be visited now. */
export type VisitMaker = () => Promise<void>

const delay = 5

/** Our own loop, over HTTP. */
export async function loopMaker(options: MakerOptions): Promise<VisitMaker> {
  const { store, clock, requestsPerDay, unconditionalShare } = options
  const gate = new HostGate({ clock, politeness: { delay, requestsPerDay } })
  const budget =
    requestsPerDay === null
      ? null
      : new SharedBudget({
          gate,
          clock,
          claimEvery: 0,
          add: (more) => store.addToDay(collection, 'requests-today', more),
        })
  const parts = { ...usual(), ...options.session, store, clock }
  const cycle = new Cycle(
    { ...parts, visitor: new PoliteVisitor({ fetcher: localFetcher({ clock }), gate, budget }) },
    { collection, worker: `loop ${++makers}`, unconditionalShare },
  )
  return async () => {
    clock.busy = () => cycle.underWay > 0
    await cycle.run({ once: true, patience: 0 })
  }
}

let makers = 0

interface Given {
  readonly page: string
  readonly token: number
  readonly url: string
  readonly notBefore: number
  readonly robots: 'allowed' | 'unknown'
  readonly validators: { readonly etag?: string; readonly lastModified?: string }
  readonly unconditional: boolean
}

/** A client of the lease API, which asks the same servers by itself. */
export async function clientMaker(options: MakerOptions): Promise<VisitMaker> {
  const { store, clock, requestsPerDay, unconditionalShare } = options
  const { ask } = await aService({
    store,
    clock,
    delay,
    unconditionalShare,
    allowedNetworks: ['127.0.0.0/8'],
    ...(requestsPerDay === null ? {} : { requestsPerDay }),
    session: { ...usual(), ...options.session },
  })
  const worker = `w${++makers}`
  return async () => {
    // The client alone lets time pass.
    clock.busy = () => true
    const answer = await ask('POST', '/api/leases', { worker, limit: 100, repeats: true })
    const { leases } = answer.json as { leases: readonly Given[] }
    for (const lease of leases) {
      clock.at = Math.max(clock.at, lease.notBefore)
      const { page, token } = lease
      for (let next = lease; ; next = { ...next, unconditional: true }) {
        const report = { page, token, at: clock.at, ...(await fetched(next)) }
        const { status, json } = await ask('POST', '/api/reports', report)
        if (status !== 200) throw new Error(JSON.stringify(json))
        const { fate, notBefore } = json as { fate: string; notBefore: number }
        if (fate !== 'again') break
        clock.at = notBefore
      }
    }
  }
}

/** The answer as a client reports it: robots.txt obeyed, redirects followed. */
async function fetched({ url, robots, validators, unconditional }: Given): Promise<object> {
  if (robots === 'unknown' && !(await mayAsk(url))) return { failure: 'robots' }
  const headers: Record<string, string> = {}
  if (!unconditional && validators.etag !== undefined) headers['if-none-match'] = validators.etag
  if (!unconditional && validators.lastModified !== undefined)
    headers['if-modified-since'] = validators.lastModified
  const first = await fetch(url, { headers, redirect: 'manual' })
  const location = first.headers.get('location')
  const response = location === null ? first : await fetch(new URL(location, url), { headers })
  const moved = location !== null && [301, 308].includes(first.status)
  const body = Buffer.from(await response.arrayBuffer()).toString('base64')
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(response.ok ? { body } : {}),
    ...(moved ? { movedTo: new URL(location, url).href } : {}),
  }
}

async function mayAsk(url: string): Promise<boolean> {
  const { origin, pathname } = new URL(url)
  const response = await fetch(`${origin}/robots.txt`)
  const { rules } = readRobots(response.ok ? await response.text() : '', {
    agent: productToken('revisit'),
  })
  return !rules.some((rule) => JSON.stringify(rule).includes(pathname))
}

function usual() {
  return {
    reader: new BoundedReading().reader,
    publisher: publisherReader(),
    random: new Random(1),
    plannerFor: () => ({ policy: malcolmArmitage(), learner: malcolmArmitageLearner }),
  }
}

/** What a run of visits left behind: everything but who made it, and how long it took. */
export interface LeftBehind {
  readonly pages: readonly Record<string, unknown>[]
  readonly hosts: readonly (Record<string, unknown> | null)[]
}

/** A store with pages, and the makers that share it. */
export async function workplace(
  open: (options: MakerOptions) => Promise<VisitMaker>,
  options: {
    readonly pages: readonly NewPage[]
    readonly unconditionalShare?: number
    readonly requestsPerDay?: number | null
    readonly session?: Partial<SessionParts>
    readonly makers?: number
  },
) {
  const clock = new SetClock()
  const store = openMemoryStore()
  await store.addPages({ collection, pages: options.pages, now: clock.now() })
  const { unconditionalShare = 0, requestsPerDay = null, session = {} } = options
  const terms = { store, clock, unconditionalShare, requestsPerDay, session }
  const visit: VisitMaker[] = []
  for (let at = 0; at < (options.makers ?? 1); at++) visit.push(await open(terms))
  return {
    clock,
    store,
    /** All of them at once, so many seconds after the start. */
    async visitAt(after: number) {
      clock.at = start + after
      await Promise.all(visit.map((make) => make()))
    },
    async known(host: string, state: Partial<HostState>) {
      const whole = { ...hostFrom(host, await store.getHost(host)), ...state }
      await store.putHosts([{ ...recordOf(whole, clock.now()), blockedUntil: null }])
    },
    async leftBehind(hosts: readonly string[] = []): Promise<LeftBehind> {
      const { pages } = await store.listPages({ collection, limit: 100 })
      const seen = await Promise.all(
        pages.map(async (page) => {
          const visits = await store.visitsOf(page)
          const { state, hints, ...row } = page
          return {
            ...row,
            id: null,
            lastVisit: null,
            state: state === null ? null : Array.from(state.numbers),
            hints,
            visits: visits.map(({ duration: _, ...visit }) => visit),
          }
        }),
      )
      return {
        pages: seen.sort((a, b) => (a.url < b.url ? -1 : 1)),
        hosts: await Promise.all(hosts.map(async (host) => hostView(await store.getHost(host)))),
      }
    },
  }
}

function hostView(record: HostRecord | null): Record<string, unknown> | null {
  if (record === null) return null
  const { failures, nextAllowedAt, today } = record.state as Record<string, Json>
  return { failures, nextAllowedAt, today, hints: record.hints ?? null }
}
