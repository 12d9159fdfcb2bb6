import { Type } from 'typebox'
import { type Answer, Count, Duration, orNull, refusals, Share, Time } from '../schema.js'
import type { App } from '../service-parts.js'

const SharesOfBoth = { revisit: Share, fixedSchedule: Share }

export const DemoAnswer = Type.Object(
  {
    now: Time,
    origin: Time,
    speed: Type.Number(),
    visits: Count,
    requests: Count,
    freshness: Type.Object(SharesOfBoth, {
      description:
        'share of the time in which copies equalled their pages: ours, and with as many requests in turn',
    }),
    learning: Type.Boolean({
      description: 'not yet ahead of the fixed schedule, over all time so far',
    }),
    day: Type.Integer({
      minimum: 0,
      description: 'days that it has followed its pages, this one included',
    }),
    byDay: Type.Array(Type.Object({ from: Time, ...SharesOfBoth }), {
      description: 'the same shares day by day, full days alone',
    }),
    freshNow: Type.Number({ description: 'share of the copies that equal their pages now' }),
    predicted: orNull(
      Type.Object(
        { share: Share, measured: Share },
        {
          description:
            'share of copies that should be fresh by what is known of each page, and that was at the same moments, mean of about a day',
        },
      ),
    ),
    steady: Type.Object(
      { due: Count, within: Count, share: orNull(Share) },
      {
        description: 'steady pages due to change five times, and those known within a factor of 2',
      },
    ),
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
export type DemoAnswer = Answer<typeof DemoAnswer>

/** What a demo web knows of itself; the command line makes it from the lab's, which this room does not use. */
export interface DemoTruth {
  /** Demo seconds in a real one. */
  readonly speed: number
  report(): Promise<DemoAnswer>
}

/** The truth of the demo web; a service that follows real pages has no such route. */
export function demoRoutes(app: App, demo: DemoTruth): void {
  app.get(
    '/api/demo',
    {
      schema: {
        operationId: 'demoTruth',
        summary: 'What is true of the demo web, beside what is estimated of it',
        tags: ['health'],
        response: { 200: DemoAnswer, ...refusals },
      },
    },
    () => demo.report(),
  )
}
