import { Type } from 'typebox'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { Count, Duration, orNull, refusals, Time } from '../schema.js'
import type { App } from '../service-parts.js'

/** What a demo web knows of itself; the command line makes it from `demo/`, which this room does not use. */
export interface DemoTruth {
  /** Demo seconds in a real one. */
  readonly speed: number
  report(): Promise<DemoReport>
}

/** The truth beside what is believed. */
export interface DemoReport {
  readonly now: UnixSeconds
  readonly origin: UnixSeconds
  readonly speed: number
  readonly visits: number
  readonly requests: number
  /** Share of the time in which copies equalled their pages: ours, and as many requests in turn. */
  readonly freshness: { readonly revisit: number; readonly fixedSchedule: number }
  /** Whether it is not yet ahead of the fixed schedule, over all time so far. */
  readonly learning: boolean
  /** Days that it has followed its pages, this one included. */
  readonly day: number
  /** The same shares day by day, full days alone. */
  readonly byDay: readonly {
    readonly from: UnixSeconds
    readonly revisit: number
    readonly fixedSchedule: number
  }[]
  /** Share of the copies that equal their pages now. */
  readonly freshNow: number
  /** Share of copies that should be fresh by what is believed, and that was at the same moments, mean of about a day; null before there is any. */
  readonly predicted: { readonly share: number; readonly measured: number } | null
  /** Steady pages due to change five times, and those known within a factor of 2. */
  readonly steady: { readonly due: number; readonly within: number; readonly share: number | null }
  readonly pages: readonly DemoPageReport[]
}

export interface DemoPageReport {
  readonly url: string
  readonly law: string
  readonly truePeriod: Seconds
  readonly estimatedPeriod: Seconds | null
  readonly shortest: Seconds | null
  readonly longest: Seconds | null
  readonly visits: number
  readonly changesSeen: number
  readonly changesReal: number
}

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
      const report = await demo.report()
      return { ...report, pages: [...report.pages], byDay: [...report.byDay] }
    },
  )
}
