import { onTestFinished } from 'vitest'
import { VersionDiffs } from '../../src/content/bounded/version-diffs.js'
import { pageAddresses } from '../../src/crawler/incoming/page-addresses.js'
import { ownPlanners } from '../../src/crawler/page-planners.js'
import type { Fetcher } from '../../src/model/fetcher.js'
import type { PageRecord } from '../../src/model/page.js'
import type { Store } from '../../src/model/store.js'
import type { Clock } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import type { Budget } from '../../src/planner/collection/budget.js'
import { CollectionController } from '../../src/planner/collection/collection-controller.js'
import { VisitFeed } from '../../src/server/events/visit-feed.js'
import { buildService } from '../../src/server/service.js'
import type { ServiceOptions, ServiceParts } from '../../src/server/service-parts.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { BoundedReading } from '../../src/visit/bounded-reading.js'
import { publisherReader } from '../../src/visit/discovery.js'
import { SharedBudget } from '../../src/visit/politeness/day-budget.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { type HostState, hostFrom, recordOf } from '../../src/visit/politeness/host-state.js'
import { PoliteVisitor } from '../../src/visit/politeness/polite-visitor.js'
import { VisitSession } from '../../src/visit/session.js'
import type { SessionParts } from '../../src/visit/session-parts.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { checkAnswers } from './checked-answers.js'

export interface AService {
  readonly app: Awaited<ReturnType<typeof buildService>>
  readonly parts: ServiceParts
  readonly store: Store
  readonly clock: Clock
  /** What politeness knows of a host, as the store has it. */
  readonly hostState: (host: string) => Promise<HostState>
  readonly putState: (state: HostState) => Promise<unknown>
  /** Sends a request as a program on this machine does. */
  ask(method: string, url: string, body?: unknown): Promise<{ status: number; json: never }>
}

export const collection = 'default'

/** Whoever serves clients asks no server itself. */
function noFetch(): never {
  throw new Error('the service asked a server')
}

/** A service on a store of its own, with the crawler's real rules, not listening. Its answers are held against their schemas. */
export async function aService(
  more: {
    readonly store?: Store
    readonly clock?: Clock
    readonly delay?: number
    readonly requestsPerDay?: number
    /** 0.05 by default. */
    readonly unconditionalShare?: number
    readonly allowedNetworks?: readonly string[]
    /** me@example.org by default. */
    readonly contact?: string | null
    /** Of all pages; malcolm-armitage by default. */
    readonly policy?: string
    readonly budget?: Budget
    /** For a preview, the one thing that the service itself asks a server for; it fails the test by default. */
    readonly fetcher?: Fetcher
    readonly options?: ServiceOptions
    readonly parts?: Partial<ServiceParts>
    /** What clients' visits are made with. */
    readonly session?: Partial<SessionParts>
  } = {},
): Promise<AService> {
  const store = more.store ?? openMemoryStore()
  const clock = more.clock ?? new VirtualClock()
  const { delay = 5, requestsPerDay = null } = more
  const politeness = { delay, requestsPerDay }
  const gate = new HostGate({ clock, politeness })
  const { allowedNetworks = [], contact = 'me@example.org' } = more
  const policy = more.policy ?? 'malcolm-armitage'
  const rules = { allowedNetworks, contact, dropTracking: false }
  const controller = await CollectionController.open({
    store,
    collection,
    worker: 'service',
    random: new Random(2),
    budget: more.budget ?? { perPage: 1 },
    ownPlanner: ownPlanners({ policy }),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  })
  const feed = await VisitFeed.open({ store, collection, pollEvery: 0.05 })
  const random = new Random(1)
  const plannerFor = (page: PageRecord) => controller.plannerFor(page)
  const fetcher = more.fetcher ?? { fetch: async () => noFetch(), close: async () => {} }
  const budget =
    requestsPerDay === null
      ? null
      : new SharedBudget({
          gate,
          clock,
          claimEvery: 0,
          add: (add) => store.addToDay(collection, 'requests-today', add),
        })
  const session = new VisitSession(
    {
      store,
      clock,
      random,
      plannerFor,
      visitor: new PoliteVisitor({ fetcher, gate, budget }),
      reader: new BoundedReading().reader,
      publisher: publisherReader(),
      ...more.session,
    },
    {
      worker: 'service',
      leaseTime: 300,
      unconditionalShare: more.unconditionalShare ?? 0.05,
      unsavedHost: () => undefined,
      rest: async () => {},
    },
  )
  const parts: ServiceParts = {
    store,
    clock,
    random,
    version: '0.0.0',
    collection,
    addresses: pageAddresses(() => rules, { crawling: true }),
    longestRetryAfter: 86_400,
    session,
    gate,
    diffs: new VersionDiffs(),
    plannerFor,
    controller,
    settings: { policy },
    feed,
    ...more.parts,
  }
  const app = await buildService(parts, { log: false, requestsPerSecond: 1e6, ...more.options })
  checkAnswers(app)
  onTestFinished(async () => {
    feed.close()
    await app.close()
    await store.close()
  })
  const ask = async (method: string, url: string, body?: unknown) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: { host: 'localhost' },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const json = /^application\/json/.test(String(answer.headers['content-type']))
      ? answer.json()
      : answer.body
    return { status: answer.statusCode, json: json as never }
  }
  const hostState = async (host: string) => hostFrom(host, await store.getHost(host))
  const putState = (state: HostState) => store.putHosts([recordOf(state, clock.now())])
  return { app, parts, store, clock, hostState, putState, ask }
}
