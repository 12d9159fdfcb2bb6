import { type TSchema, Type } from 'typebox'
import { pageSorts } from '../../model/page.js'
import { rateEstimators } from '../../planner/registry.js'
import { objectives } from '../../planner/value/objective.js'
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
} from '../schema.js'

export const EstimateQuery = exactly({
  method: Type.Optional(oneOf(rateEstimators.map(({ name }) => name))),
  level: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, description: '0.95 by default' }),
  ),
})

export const EstimatesQuery = exactly({ level: EstimateQuery.properties.level })

const numbers = {
  changeRate: orNull(Type.Number({ description: 'changes a second' })),
  changePeriod: orNull(Duration),
  bounds: orNull(
    Type.Object({ low: Type.Number(), high: orNull(Type.Number()), level: Type.Number() }),
  ),
}

export const EstimateAnswer = Type.Object(
  {
    method: Type.String(),
    ...numbers,
    group: Type.Optional(
      Type.Object(numbers, {
        description: 'what pages like it do, where it was not seen twice and has no number',
      }),
    ),
    evidence: Type.Object({
      visits: Count,
      observations: Count,
      changes: Count,
      samplingPeriod: Duration,
      unchangedTime: Duration,
      contentAges: Count,
    }),
    verdict: Type.String({ description: 'only ok needs no caution' }),
  },
  { title: 'Estimate' },
)

export const EstimatesAnswer = Type.Object({ estimates: Type.Array(EstimateAnswer) })

const Gap = (description: string) => Type.Number({ exclusiveMinimum: 0, description })
const Patterns = Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 50 }))

/** Every setting that a page can have of its own; `revisit watch` sets the same by its options. */
const settings = {
  policy: Type.String({ maxLength: 200, description: 'such as malcolm-armitage' }),
  objective: oneOf([...objectives]),
  hours: Type.String({ maxLength: 200, description: 'in UTC, such as mon-fri 8-18' }),
  shortest: Gap('seconds; never visited again sooner'),
  longest: Gap('seconds; never left longer'),
  headers: Type.Record(Type.String(), Type.String({ maxLength: 8000 })),
  /** Its rules are checked by the crawler, which says what is wrong with them. */
  reading: Type.Unsafe<unknown>({ ...AnyJson, description: 'what counts as a change; null: all' }),
  noiseCheck: Type.Boolean({ description: 'check twice to tell noise from change' }),
  browser: Type.Boolean({ description: 'let a browser render the page' }),
  discover: orNull(
    exactly({
      depth: Type.Optional(Count),
      pages: Type.Optional(Count),
      include: Patterns,
      exclude: Patterns,
    }),
  ),
  role: oneOf(['list']),
  found: Type.Boolean({ description: 'found by itself, not asked for by a person' }),
} as const

export const PageSettingsBody = Type.Partial(Type.Object(settings), {
  additionalProperties: false,
  description: 'settings of this page alone',
})

const ChangedSettingsBody = Type.Partial(Type.Object(orNulls()), {
  additionalProperties: false,
  description: 'by name; null takes one away',
})

function orNulls(): Record<string, TSchema> {
  const all = Object.entries(settings).map(([name, schema]) => [name, orNull(schema)])
  return Object.fromEntries(all)
}

const DueTime = Type.Union([Time, Type.Literal('never')])

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
          'seconds: what its learner has learned, or the estimate from its visits where it knows nothing',
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
    /** What its learner has learned, or the estimate from its visits where it has none. */
    changePeriod: orNull(Duration),
    /** When its host may be asked. */
    hostRestsUntil: orNull(Time),
    hours: orNull(Type.String()),
    /** How often it changes, by the default, as `revisit show` says. */
    estimate: EstimateAnswer,
    /** What the default's posterior of the page, whichever policy follows it. */
    posterior: orNull(
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
