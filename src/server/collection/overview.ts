/** GET /api/overview: all that the first view of the dashboard shows, in one answer. */

import { Type } from 'typebox'
import type { Store } from '../../model/store.js'
import { DAY, HOUR, type UnixSeconds } from '../../model/units.js'
import { requestsOf } from '../../planner/collection/budget.js'
import type { CollectionController } from '../../planner/collection/collection-controller.js'
import { sessionOf } from '../safety/sessions.js'
import { type Answer, Count, Duration, oneOf, orNull, refusals, Time } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { type Beside, besideKinds } from './beside.js'
import type { DemoTruth } from './demo.js'
import { ForecastAnswer, Forecaster } from './forecast.js'
import { LoopAnswer, loopAnswer, storeHealth } from './health.js'

/** Visits of one hour. */
interface Hour {
  visits: number
  changes: number
  /** Failed or refused; a page that is found gone has answered. */
  failures: number
}

const ActivityAnswer = Type.Object(
  {
    from: Time,
    bucket: Duration,
    visits: Type.Array(Count),
    changes: Type.Array(Count),
    failures: Type.Array(Count, {
      description: 'failed or refused; a page that is found gone has answered',
    }),
    since: orNull(
      Type.Number({
        description: 'when the first visit of all was made; null before there is one',
      }),
    ),
  },
  { description: 'visits by hour, the oldest first' },
)
export type ActivityAnswer = Answer<typeof ActivityAnswer>

/** Of the last 24 hours. */
function visitsOfDay({ visits, bucket }: ActivityAnswer): number {
  return visits.slice(-Math.round(DAY / bucket)).reduce((sum, count) => sum + count, 0)
}

const hours = 7 * 24
/** Read at a time, and in all when the service starts. */
const stretch = 1000
const mostRead = 50_000

/**
 * How many visits each of the last 168 hours had, and since when there are
 * visits. Counts each visit once: when asked, it reads on from the last visit
 * that it counted.
 */
class Activity {
  readonly #store: Store
  readonly #collection: string
  readonly #hours = new Map<number, Hour>()
  #last: number | undefined
  #since: UnixSeconds | null = null
  #reading: Promise<void> | undefined

  constructor({ store, collection }: { readonly store: Store; readonly collection: string }) {
    this.#store = store
    this.#collection = collection
  }

  async counts(now: UnixSeconds): Promise<ActivityAnswer> {
    this.#reading ??= this.#read(now).finally(() => {
      this.#reading = undefined
    })
    await this.#reading
    const newest = Math.floor(now / HOUR)
    const all = Array.from({ length: hours }, (_, i) => this.#hours.get(newest - hours + 1 + i))
    for (const hour of this.#hours.keys()) if (hour <= newest - hours) this.#hours.delete(hour)
    return {
      from: (newest - hours + 1) * HOUR,
      bucket: HOUR,
      visits: all.map((hour) => hour?.visits ?? 0),
      changes: all.map((hour) => hour?.changes ?? 0),
      failures: all.map((hour) => hour?.failures ?? 0),
      since: this.#since,
    }
  }

  async #read(now: UnixSeconds): Promise<void> {
    if (this.#last === undefined) await this.#readBack(now)
    else await this.#readOn(this.#last)
  }

  async #readOn(from: number): Promise<void> {
    let after = from
    for (;;) {
      const visits = await this.#store.visitLog({
        collection: this.#collection,
        after,
        limit: stretch,
      })
      for (const visit of visits) this.#count(visit)
      after = visits[visits.length - 1]?.number ?? after
      this.#last = after
      if (visits.length < stretch) return
    }
  }

  /** From the newest visit back, until they are too old or enough; and the first of all. */
  async #readBack(now: UnixSeconds): Promise<void> {
    const last = await this.#store.lastVisitNumber()
    const [first] = await this.#store.visitLog({ collection: this.#collection, limit: 1 })
    this.#since = first?.at ?? null
    let before = last + 1
    for (let read = 0; read < mostRead; read += stretch) {
      const visits = await this.#store.visitLog({
        collection: this.#collection,
        before,
        newestFirst: true,
        limit: stretch,
      })
      for (const visit of visits) this.#count(visit)
      const oldest = visits[visits.length - 1]
      if (oldest === undefined || visits.length < stretch || oldest.at < now - hours * HOUR) break
      before = oldest.number
    }
    this.#last = last
  }

  #count({ at, outcome }: { readonly at: UnixSeconds; readonly outcome: string }): void {
    this.#since = Math.min(this.#since ?? at, at)
    const key = Math.floor(at / HOUR)
    const hour = this.#hours.get(key) ?? { visits: 0, changes: 0, failures: 0 }
    this.#hours.set(key, hour)
    hour.visits++
    if (outcome === 'changed') hour.changes++
    if (outcome === 'failed' || outcome === 'refused') hour.failures++
  }
}

export const OverviewAnswer = Type.Object(
  {
    now: Time,
    speed: Type.Number({ description: 'seconds of its clock in a real second' }),
    version: Type.String(),
    collection: Type.String(),
    demo: Type.Boolean(),
    beside: orNull(oneOf(besideKinds, { description: 'what POST /api/beside leads to' })),
    session: Type.Boolean({
      description:
        'whether this was asked by a browser that is logged in; DELETE /api/session ends that',
    }),
    health: Type.Object(storeHealth),
    loop: orNull(LoopAnswer),
    forecast: orNull(ForecastAnswer),
    budget: orNull(
      Type.Object({
        requestsPerDay: orNull(Type.Number({ description: 'null where there is no budget' })),
        predicted: orNull(
          Type.Number({ description: 'freshness that the default predicted at its last scan' }),
        ),
      }),
    ),
    activity: ActivityAnswer,
  },
  { title: 'Overview' },
)
export type OverviewAnswer = Answer<typeof OverviewAnswer>

/** All that the first view of the dashboard shows, in one answer. */
export function overviewRoutes(
  app: App,
  parts: ServiceParts & {
    readonly demo?: DemoTruth | undefined
    readonly beside?: Beside | undefined
  },
): void {
  const { store, collection, clock, version, loop, demo, beside, controller } = parts
  const activity = new Activity(parts)
  const forecaster = new Forecaster(parts)
  app.get(
    '/api/overview',
    {
      schema: {
        operationId: 'overview',
        summary: 'How the collection is doing: freshness, requests, changes, what is due',
        tags: ['health'],
        response: { 200: OverviewAnswer, ...refusals },
      },
    },
    async (request) => {
      const now = clock.now()
      const health = await store.health({ collection, now })
      const counts = await activity.counts(now)
      const spent = { pages: health.pages, visitsPerDay: visitsOfDay(counts) }
      return {
        now,
        speed: demo?.speed ?? 1,
        version,
        collection,
        demo: demo !== undefined,
        beside: beside?.kind ?? null,
        session: sessionOf(request) !== undefined,
        health,
        loop: loopAnswer(loop),
        forecast: await forecaster.newest(spent),
        budget: controller === undefined ? null : spending(controller, health.pages),
        activity: counts,
      }
    },
  )
}

function spending({ budget, mostPerDay, predicted }: CollectionController, pages: number) {
  return { requestsPerDay: requestsOf(budget, { pages, most: mostPerDay }), predicted }
}
