import { Type } from 'typebox'
import { pageSorts } from '../../model/index.js'
import { EstimateAnswer } from './estimates.js'
import { ChangedSettingsBody, PageSettingsBody } from './page-settings.js'
import {
  AnyJson,
  Count,
  Duration,
  exactly,
  Limit,
  OutcomeWord,
  oneOf,
  orNull,
  PageId,
  Time,
} from './words.js'

export const DueTime = Type.Union([Time, Type.Literal('never')])

export const PageAnswer = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    host: Type.String(),
    collection: Type.String(),
    group: Type.Optional(Type.String()),
    importance: Type.Number(),
    addedAt: Time,
    settings: Type.Record(Type.String(), AnyJson),
    due: Type.Object({ at: DueTime, reason: Type.String() }),
    validators: Type.Object({
      etag: Type.Optional(Type.String()),
      lastModified: Type.Optional(Type.String()),
    }),
    fingerprint: orNull(Type.String()),
    hints: AnyJson,
    movedTo: orNull(Type.String()),
    lastVisit: orNull(Type.Object({ at: Time, outcome: OutcomeWord, status: orNull(Count) })),
    lastSeen: orNull(Time),
    lastChange: orNull(Time),
    visits: Count,
    changes: Count,
    failing: Count,
    gone: Count,
    changePeriod: orNull(
      Type.Number({
        description:
          'seconds: what its learner believes, or the estimate from its visits where it knows nothing',
      }),
    ),
  },
  { title: 'Page' },
)

const filters = {
  host: Type.Optional(Type.String({ maxLength: 300, description: 'only pages of this host' })),
  group: Type.Optional(Type.String({ maxLength: 200 })),
  outcome: Type.Optional(OutcomeWord),
  contains: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'only pages with this in their URL' }),
  ),
  due: Type.Optional(Type.Boolean({ description: 'only pages that are due now' })),
}

export const PageListQuery = exactly({
  ...filters,
  sort: Type.Optional(oneOf(pageSorts)),
  descending: Type.Optional(Type.Boolean()),
  limit: Limit(1000, 100),
  after: Type.Optional(
    Type.String({ maxLength: 20_000, description: '`next` of the stretch before' }),
  ),
  count: Type.Optional(
    Type.Boolean({ description: 'also tell how many pages pass the filter in all' }),
  ),
})

export const PageListAnswer = Type.Object({
  pages: Type.Array(PageAnswer),
  next: orNull(Type.String({ description: 'for `after`; null at the end' })),
  total: Type.Optional(Count),
})

const Importance = Type.Number({ minimum: 0, maximum: 1e9 })
const Group = Type.String({ minLength: 1, maxLength: 200 })
const Due = exactly({ at: DueTime, reason: Type.Optional(Type.String({ maxLength: 500 })) })

export const NewPageBody = exactly({
  url: Type.String({ minLength: 1, maxLength: 8000 }),
  group: Type.Optional(Group),
  importance: Type.Optional(Importance),
  settings: Type.Optional(PageSettingsBody),
})

export const AddPagesBody = exactly({
  pages: Type.Array(NewPageBody, { minItems: 1, maxItems: 10_000 }),
})

export const AddPagesAnswer = Type.Object({
  added: Count,
  already: Count,
  refused: Type.Array(
    Type.Object({ url: Type.String(), code: Type.String(), message: Type.String() }),
  ),
  next: orNull(
    Type.Object(
      {
        first: Time,
        againAfter: orNull(Duration),
        againWithin: orNull(Duration),
        text: Type.String({ description: 'when new pages are visited first and again, and why' }),
      },
      { description: 'null where no page is new, or nobody plans' },
    ),
  ),
  warning: orNull(
    Type.String({ description: 'said where own limits and policies ask for more than the budget' }),
  ),
})

export const PageChangeBody = exactly({
  group: Type.Optional(orNull(Group)),
  importance: Type.Optional(Importance),
  settings: Type.Optional(ChangedSettingsBody),
  due: Type.Optional(Due),
  forget: Type.Optional(
    Type.Boolean({ description: 'forget what its learner has learned of the page' }),
  ),
})

export const RemovePagesBody = exactly({
  pages: Type.Array(PageId, { minItems: 1, maxItems: 10_000 }),
})
export const RemovedAnswer = Type.Object({ removed: Count })
export const PageParams = exactly({ id: PageId })

export const WhyAnswer = Type.Object(
  {
    due: Type.Object({ at: DueTime, reason: Type.String() }),
    policy: Type.Object({ name: Type.String(), summary: Type.String() }),
    learner: orNull(Type.Object({ name: Type.String(), summary: Type.String() })),
    /** What its learner believes, or the estimate from its visits where it has none. */
    changePeriod: orNull(Duration),
    /** When its host may be asked. */
    hostRestsUntil: orNull(Time),
    hours: orNull(Type.String()),
    /** How often it changes, by the default, as `revisit show` says. */
    estimate: EstimateAnswer,
    /** What the default believes of the page, whichever policy follows it. */
    belief: orNull(
      Type.Object({
        law: Type.String({ description: 'in words' }),
        changedByNow: Type.Number({ description: 'chance that the copy is stale by now' }),
        bounds: Type.Object({
          low: Type.Number(),
          high: orNull(Type.Number()),
          level: Type.Number(),
        }),
      }),
    ),
    price: orNull(Type.Number({ description: 'seconds of freshness that a request costs now' })),
  },
  { title: 'Why' },
)
