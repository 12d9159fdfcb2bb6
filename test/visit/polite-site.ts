import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressOptions } from '../../src/fetch/address-guard.js'
import type { Fetcher, FetchRequest, HostAccess } from '../../src/model/fetcher.js'
import type { Store } from '../../src/model/store.js'
import type { Clock, Json, Seconds, UnixSeconds } from '../../src/model/units.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { storeHostAccess } from '../../src/visit/politeness/host-holds.js'
import { hostFrom } from '../../src/visit/politeness/host-state.js'
import {
  PoliteVisitor,
  type PoliteVisitorOptions,
} from '../../src/visit/politeness/polite-visitor.js'
import type { Politeness } from '../../src/visit/politeness/politeness.js'
import { visitOnce } from '../../src/visit/request.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { localServer } from '../fixtures/local-server.js'
import { localFetcher } from './local-fetcher.js'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A site with a robots.txt, given as its text, its status or its answer; remembers what it was asked. */
export async function site(
  robots: string | number | Answer,
  page: Answer = (_, response) => response.end('page'),
) {
  const asked: string[] = []
  const base = await localServer((request, response) => {
    asked.push(request.url!)
    if (request.url !== '/robots.txt') return page(request, response)
    if (typeof robots === 'function') return robots(request, response)
    if (typeof robots === 'number') response.statusCode = robots
    response.end(typeof robots === 'string' ? robots : '')
  })
  return { base, asked }
}

/** A redirect to an address. */
export const to =
  (location: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location }).end()

/** Visits by a clock that moves only while somebody sleeps. */
export function setUp(changed: Partial<Politeness> = {}, options: AddressOptions = {}) {
  const clock = new VirtualClock()
  const fetcher = localFetcher({ clock, ...options })
  return { clock, ...politeVisits({ clock, fetcher, politeness: { delay: 5, ...changed } }) }
}

/** One process that makes visits without a lease, and the store that it shares with others. */
export function politeVisits({
  clock,
  fetcher,
  politeness = {},
  store = openMemoryStore(),
  worker = 'w',
  ...more
}: {
  readonly clock: Clock
  readonly fetcher: Fetcher
  readonly politeness?: Partial<Politeness>
  readonly store?: Store
  readonly worker?: string
  readonly renderer?: NonNullable<PoliteVisitorOptions['renderer']>
}) {
  const gate = new HostGate({ clock, politeness })
  const visitor = new PoliteVisitor({ ...more, fetcher, gate })
  /** What is kept of a host once nobody holds it. */
  const kept = async (host: string) => hostFrom(host, await store.getHost(host))
  return {
    gate,
    store,
    kept,
    /** When a host that nobody holds may be asked. */
    readyAt: async (host: string) => gate.facts(host, await store.getHost(host)).readyAt,
    /** Says that a host is not to be asked before then. */
    async rests(host: string, until: UnixSeconds) {
      const state = { ...(await kept(host)), nextAllowedAt: until } as unknown as Json
      await store.putHosts([{ host, state, blockedUntil: until }])
    },
    /** A visit, made again within the patience when its host is to be asked later; with what is then kept of the hosts it met. */
    async visit(
      request: FetchRequest,
      more: {
        readonly patience?: Seconds
        readonly signal?: AbortSignal
        readonly book?: HostAccess['book']
      } = {},
    ) {
      const { patience = 0, signal } = more
      const access = storeHostAccess({ store, clock }, { worker, ttl: 600, signal })
      const met: string[] = []
      const hostAccess: HostAccess = {
        ...access,
        book: more.book ?? access.book,
        hold(host) {
          if (!met.includes(host)) met.push(host)
          return access.hold(host)
        },
      }
      const until = clock.now() + patience
      for (;;) {
        const made = await visitOnce(visitor, request, { hostAccess })
        const isOver = made.kind !== 'wait' || made.until > until || clock.now() >= until
        if (isOver) return { ...made, hosts: await Promise.all(met.map(kept)) }
        await clock.sleep(made.until - clock.now())
      }
    },
  }
}
