import { Type } from 'typebox'
import { requestsOf, type Steward } from '../../engine/index.js'
import type { App } from '../app.js'
import type { DemoTruth } from '../demo-truth.js'
import { Activity, visitsOfDay } from '../overview/activity.js'
import { Forecaster } from '../overview/forecaster.js'
import { Count, Duration, orNull, refusals, Time } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

const ForecastAnswer = Type.Object(
  {
    at: Time,
    freshness: orNull(
      Type.Number({
        description: 'predicted share of copies that are fresh; null while no page is known',
      }),
    ),
    freshnessError: orNull(Type.Number({ description: 'its standard error' })),
    foretold: orNull(
      Type.Number({
        description: 'share of copies that should equal their pages, mean of about a day',
      }),
    ),
    pagesKnown: Count,
    pagesUnknown: Count,
    requestsPerDay: Type.Number(),
    fixedRequestsPerDay: orNull(
      Type.Number({ description: 'what one gap for all pages needs for the same freshness' }),
    ),
    fixedFreshness: orNull(
      Type.Number({
        description: 'what one gap for all pages keeps fresh with the visits of the last 24 hours',
      }),
    ),
  },
  { title: 'Forecast' },
)

const OverviewAnswer = Type.Object(
  {
    now: Time,
    speed: Type.Number({ description: 'seconds of its clock in a real second' }),
    version: Type.String(),
    collection: Type.String(),
    demo: Type.Boolean(),
    health: Type.Object({
      pages: Count,
      hosts: Count,
      dueNow: Count,
      inFlight: Count,
      oldestDue: orNull(Time),
    }),
    loop: orNull(Type.Object({ running: Type.Boolean(), underWay: Count })),
    forecast: orNull(ForecastAnswer),
    budget: orNull(
      Type.Object({
        requestsPerDay: orNull(Type.Number({ description: 'null where there is no budget' })),
        predicted: orNull(
          Type.Number({ description: 'freshness that the default foretold at its last look' }),
        ),
      }),
    ),
    activity: Type.Object({
      from: Time,
      bucket: Duration,
      visits: Type.Array(Count),
      changes: Type.Array(Count),
      failures: Type.Array(Count, {
        description: 'failed or refused; a page that is found gone has answered',
      }),
    }),
  },
  { title: 'Overview' },
)

/** All that the first view of the dashboard shows, in one answer. */
export function overviewRoutes(
  app: App,
  parts: ServiceParts & { readonly demo?: DemoTruth | undefined },
): void {
  const { store, collection, clock, version, loop, demo, steward } = parts
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
    async () => {
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
        health,
        loop: loop === undefined ? null : { running: loop.running, underWay: loop.underWay },
        forecast: await forecaster.newest(spent),
        budget: steward === undefined ? null : spending(steward, health.pages),
        activity: counts,
      }
    },
  )
}

function spending({ budget, mostPerDay, predicted }: Steward, pages: number) {
  return { requestsPerDay: requestsOf(budget, { pages, most: mostPerDay }), predicted }
}
