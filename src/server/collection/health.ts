/** For operators: /health, /ready, /api/status and /metrics. */

import { setTimeout as pause } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { Type } from 'typebox'
import { storeStatus } from '../../crawler/processes/store-status.js'
import type { LoggedVisit } from '../../model/visit-record.js'
import { requestsOf } from '../../planner/collection/budget.js'
import type { CollectionController } from '../../planner/collection/collection-controller.js'
import { followVisits } from '../events/visit-feed.js'
import { type Answer, Count, Done, done, orNull, refusals, Time, textOf } from '../schema.js'
import type { App, LoopState, ServiceParts } from '../service-parts.js'

export const LoopAnswer = Type.Object({ running: Type.Boolean(), underWay: Count })

/** The loop beside the service, as it is now; null where there is none. */
export function loopAnswer(loop: LoopState | undefined): Answer<typeof LoopAnswer> | null {
  return loop === undefined ? null : { running: loop.running, underWay: loop.underWay }
}

/** As the store counts it. */
export const storeHealth = {
  pages: Count,
  hosts: Count,
  dueNow: Count,
  inFlight: Count,
  oldestDue: orNull(Time),
}

const WorkerAnswer = Type.Object({
  name: Type.String(),
  role: Type.String({
    description: 'what it was started as: run, serve, worker, or frontier with its address',
  }),
  version: Type.String(),
  since: Time,
  lastSign: Time,
  leases: Type.Integer({ minimum: 0, description: 'pages that it holds' }),
  alive: Type.Boolean({ description: 'whether it gave a sign of life of late' }),
})

const ChoreAnswer = Type.Object({
  name: Type.String(),
  worker: Type.String(),
  since: Time,
  expiresAt: Time,
  held: Type.Boolean({ description: 'false where the holder is gone and another takes over' }),
})

export const StatusAnswer = Type.Object(
  {
    version: Type.String(),
    collection: Type.String(),
    now: Time,
    ...storeHealth,
    lag: Type.Number({ description: 'seconds that the page due the longest has waited' }),
    workers: Type.Array(WorkerAnswer),
    chores: Type.Array(ChoreAnswer),
    price: Type.Number({ description: 'what a request costs, in seconds of freshness' }),
    scannedAt: orNull(Time),
    predictedFreshness: orNull(Type.Number()),
    lastVisitNumber: Count,
    loop: orNull(LoopAnswer),
  },
  { title: 'Status' },
)

/** Milliseconds within which a store that can be worked with answers. */
const longestWait = 2000

/** Whether the service lives, whether it can work, and what it has to do. */
export function healthRoutes(app: App, parts: ServiceParts): void {
  const { store, collection, clock, version, loop, feed } = parts
  const tags = ['health']

  app.get(
    '/health',
    {
      schema: {
        operationId: 'health',
        summary: 'Whether the process answers',
        tags,
        response: { 200: Done, ...refusals },
      },
    },
    async () => done,
  )

  app.get(
    '/ready',
    {
      schema: {
        operationId: 'ready',
        summary: 'Whether the store can be read and the loop, if there is one, runs',
        tags,
        response: { 200: Done, 503: Type.Object({ status: Type.String() }), ...refusals },
      },
    },
    async (_, reply) => {
      // Calls wait for a database that is away, for minutes; who asks whether it is there does not.
      const late = pause(longestWait, null, { ref: false })
      if ((await Promise.race([store.lastVisitNumber(), late])) === null) {
        reply.code(503)
        return { status: 'the store does not answer' }
      }
      if (loop !== undefined && !loop.running) {
        reply.code(503)
        return { status: 'the loop does not run' }
      }
      return done
    },
  )

  app.get(
    '/api/status',
    {
      schema: {
        operationId: 'status',
        summary:
          'Pages, what is due and under way, who is at work on the store, and what a request costs',
        tags,
        response: { 200: StatusAnswer, ...refusals },
      },
    },
    async () => {
      return {
        version,
        ...(await storeStatus(store, { collection, now: clock.now() })),
        lastVisitNumber: feed.last,
        loop: loopAnswer(loop),
      }
    },
  )
}

/** Hosts counted one by one; more than this are given as this. */
const mostHosts = 10_000

/**
 * What operators watch. Visits are counted from the log, so that those of
 * other processes on the same store count too, from when this one started.
 */
class ServiceMetrics {
  readonly registry = new Registry()
  readonly #visits
  readonly #bytes
  readonly #notModified
  readonly #durations
  readonly #gauges
  readonly #optional

  constructor() {
    const registers = [this.registry]
    collectDefaultMetrics({ register: this.registry })
    this.#visits = new Counter({
      name: 'revisit_visits_total',
      help: 'Visits recorded, by outcome',
      labelNames: ['outcome'],
      registers,
    })
    this.#bytes = new Counter({
      name: 'revisit_bytes_received_total',
      help: 'Bytes of content received by visits',
      registers,
    })
    this.#notModified = new Counter({
      name: 'revisit_not_modified_total',
      help: 'Visits answered with 304; over revisit_visits_total it is their share',
      registers,
    })
    this.#durations = new Histogram({
      name: 'revisit_visit_seconds',
      help: 'How long visits took',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    })
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
    this.#gauges = {
      pages: gauge('revisit_pages', 'Pages that are followed'),
      hosts: gauge('revisit_hosts', 'Hosts of those pages'),
      dueNow: gauge('revisit_due_pages', 'Pages that are due'),
      inFlight: gauge('revisit_leases', 'Pages that are held for a visit'),
      lag: gauge('revisit_due_lag_seconds', 'How long the page that is due the longest has waited'),
      resting: gauge('revisit_resting_hosts', 'Hosts that are not to be asked now'),
    }
    // Without a budget, or before the first scan, there is no number to give, and 0 would be a lie.
    const some = (name: string, help: string) => new Gauge({ name, help, registers: [] })
    this.#optional = {
      predicted: some(
        'revisit_predicted_freshness',
        'Share of copies that are predicted to be fresh, by importance, at the last scan',
      ),
      budget: some('revisit_budget_requests_per_day', 'Requests a day that the budget allows'),
      price: some('revisit_request_price_seconds', 'Seconds of freshness that a request costs'),
    }
  }

  count(visit: LoggedVisit): void {
    this.#visits.inc({ outcome: visit.outcome })
    this.#bytes.inc(visit.bytes)
    if (visit.status === 304) this.#notModified.inc()
    this.#durations.observe(visit.duration)
  }

  /** All of it as Prometheus reads it. */
  async text({ store, collection, clock, controller }: ServiceParts): Promise<string> {
    const now = clock.now()
    const { oldestDue, ...counts } = await store.health({ collection, now })
    const { pages, hosts, dueNow, inFlight, lag, resting } = this.#gauges
    pages.set(counts.pages)
    hosts.set(counts.hosts)
    dueNow.set(counts.dueNow)
    inFlight.set(counts.inFlight)
    lag.set(Math.max(0, now - (oldestDue ?? now)))
    const list = await store.listHosts({ collection, restingAt: now, limit: mostHosts })
    resting.set(list.hosts.length)
    if (controller !== undefined) this.#setOptional(controller, counts.pages)
    return this.registry.metrics()
  }

  #setOptional(
    { predicted, budget, mostPerDay, price }: CollectionController,
    pages: number,
  ): void {
    this.#set(this.#optional.predicted, predicted)
    this.#set(this.#optional.budget, requestsOf(budget, { pages, most: mostPerDay }))
    this.#set(this.#optional.price, price)
  }

  #set(gauge: Gauge, value: number | null): void {
    const { name } = gauge as unknown as { name: string }
    const isThere = this.registry.getSingleMetric(name) !== undefined
    if (value === null) this.registry.removeSingleMetric(name)
    else if (!isThere) this.registry.registerMetric(gauge)
    gauge.set(value ?? 0)
  }
}

/** Numbers for Prometheus. */
export function metricRoutes(app: App, parts: ServiceParts): void {
  const metrics = new ServiceMetrics()
  const end = new AbortController()
  app.addHook('onClose', async () => end.abort())
  const { feed } = parts
  followVisits(feed, {
    after: feed.last,
    take: (visit) => metrics.count(visit),
    signal: end.signal,
  }).catch((error: unknown) => app.log.error({ err: error }, 'visits are no longer counted'))

  app.get(
    '/metrics',
    {
      schema: {
        operationId: 'metrics',
        summary: 'Numbers for Prometheus',
        tags: ['health'],
        response: { 200: textOf('text/plain'), ...refusals },
      },
    },
    async (_, reply) => {
      reply.type(metrics.registry.contentType)
      const own = await metrics.text(parts)
      return parts.metrics === undefined ? own : `${own}${await parts.metrics.text()}`
    },
  )
}
