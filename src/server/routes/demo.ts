import { Type } from 'typebox'
import type { App } from '../app.js'
import type { DemoTruth } from '../demo-truth.js'
import { Count, Duration, orNull, refusals, Time } from '../schema/words.js'

const Share = Type.Number({ minimum: 0, maximum: 1 })

const DemoAnswer = Type.Object(
  {
    now: Time,
    origin: Time,
    speed: Type.Number(),
    visits: Count,
    requests: Count,
    freshness: Type.Object({ revisit: Share, fixedSchedule: Share }),
    learning: Type.Boolean({
      description: 'not yet ahead of the fixed schedule, over all time so far',
    }),
    day: Count,
    byDay: Type.Array(Type.Object({ from: Time, revisit: Share, fixedSchedule: Share })),
    freshNow: Share,
    predicted: orNull(Type.Object({ share: Share, measured: Share })),
    steady: Type.Object({ due: Count, within: Count, share: orNull(Share) }),
    pages: Type.Array(
      Type.Object({
        url: Type.String(),
        law: Type.String(),
        truePeriod: Duration,
        estimatedPeriod: orNull(Duration),
        shortest: orNull(Duration),
        longest: orNull(Duration),
        visits: Count,
        changesSeen: Count,
        changesReal: Count,
      }),
    ),
  },
  { title: 'DemoTruth' },
)

/** The truth of the demo web; a service that follows real pages has no such route. */
export function demoRoutes(app: App, demo: DemoTruth): void {
  app.get(
    '/api/demo',
    {
      schema: {
        operationId: 'demoTruth',
        summary: 'What is true of the demo web, beside what is believed of it',
        tags: ['health'],
        response: { 200: DemoAnswer, ...refusals },
      },
    },
    async () => {
      const told = await demo.told()
      return { ...told, pages: [...told.pages], byDay: [...told.byDay] }
    },
  )
}
