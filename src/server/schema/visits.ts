import { Type } from 'typebox'
import { Count, Duration, exactly, Limit, OutcomeWord, orNull, Time } from './words.js'

const CalmFor = Type.Number({
  description:
    'seconds after the visit before for which the page had not changed, by a list that proved right',
})

const visit = {
  at: Time,
  outcome: OutcomeWord,
  status: orNull(Count),
  gap: orNull(Duration),
  contentAge: orNull(Duration),
  lastModified: Type.Optional(Time),
  calmFor: Type.Optional(CalmFor),
  fingerprint: orNull(Type.String()),
  bytes: Count,
  duration: Duration,
  fault: orNull(Type.String()),
}

export const VisitAnswer = Type.Object(visit, { title: 'Visit' })

export const LoggedVisitAnswer = Type.Object(
  {
    ...visit,
    number: Count,
    page: Type.Object({
      id: Type.String(),
      url: Type.String(),
      group: Type.Optional(Type.String()),
    }),
  },
  { title: 'LoggedVisit' },
)

const Number_ = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const VisitLogParams = exactly({
  after: Type.Optional(Number_),
  before: Type.Optional(Number_),
  changes: Type.Optional(Type.Boolean({ description: 'only visits that found a change' })),
  order: Type.Optional(Type.Unsafe<'oldest' | 'newest'>({ enum: ['oldest', 'newest'] })),
  limit: Limit(1000, 100),
})

export const VisitLogAnswer = Type.Object({
  visits: Type.Array(LoggedVisitAnswer),
  last: Type.Integer({ description: 'number of the last visit of the store' }),
})

export const PageVisitsQuery = exactly({
  from: Type.Optional(Time),
  until: Type.Optional(Time),
  newest: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
})
export const PageVisitsAnswer = Type.Object({ visits: Type.Array(VisitAnswer) })

export const HistoryAnswer = Type.Object(
  {
    start: orNull(Type.Object({ at: Time, contentAge: Type.Optional(Duration) })),
    observations: Type.Array(
      Type.Object({
        at: Time,
        gap: Duration,
        changed: Type.Boolean(),
        contentAge: Type.Optional(Duration),
        calmFor: Type.Optional(CalmFor),
      }),
    ),
  },
  { title: 'History' },
)
