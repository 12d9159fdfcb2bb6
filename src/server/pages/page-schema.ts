/** What a page is over HTTP: its answer, its settings, and what may be asked of pages. */

import { type TSchema, Type } from 'typebox'
import { mostSteps, stepForms } from '../../model/browser-steps.js'
import {
  type ChosenSettings,
  type Metadata,
  mostTags,
  type PageRecord,
  type PageSettings,
  pageSorts,
} from '../../model/page.js'
import type { Json } from '../../model/units.js'
import { objectives } from '../../planner/value/objective.js'
import {
  type Answer,
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

const Gap = (description: string) => Type.Number({ exclusiveMinimum: 0, description })
const Patterns = Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 50 }))

/** Every setting that a page can have of its own; `revisit watch` sets the same by its options. */
const settings = {
  policy: Type.String({ maxLength: 200, description: 'such as malcolm-armitage' }),
  objective: oneOf([...objectives]),
  hours: Type.String({ maxLength: 200, description: 'in UTC, such as mon-fri 8-18' }),
  shortest: Gap('seconds; never visited again sooner'),
  longest: Gap('seconds; never left longer'),
  title: Type.String({ minLength: 1, maxLength: 300, description: 'instead of its own' }),
  hideNewTexts: Type.Boolean({
    description: 'where several texts take turns, texts that are new there are noise, too',
  }),
  headers: Type.Record(Type.String(), Type.String({ maxLength: 8000 })),
  /** Its rules are checked by the crawler, which says what is wrong with them. */
  reading: Type.Unsafe<Json>({ ...AnyJson, description: 'what counts as a change; null: all' }),
  noiseCheck: Type.Boolean({ description: 'check twice to tell noise from change' }),
  mute: Type.Union([Type.Literal(true), Time], {
    description: 'notify nobody of it: true, or until this time',
  }),
  browser: Type.Boolean({ description: 'let a browser render the page' }),
  screenshot: Type.Boolean({ description: 'with browser, keep a screenshot with each version' }),
  proxy: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'address of a proxy of its own: http, https or socks5; its password is not shown',
  }),
  steps: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
    maxItems: mostSteps,
    description: `with browser, what to do before the page counts: ${stepForms}`,
  }),
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

const ChangedSettingsBody = Type.Unsafe<ChosenSettings>(
  Type.Partial(Type.Object(orNulls()), {
    additionalProperties: false,
    description: 'by name; null takes one away',
  }),
)

function orNulls(): Record<string, TSchema> {
  const all = Object.entries(settings).map(([name, schema]) => [name, orNull(schema)])
  return Object.fromEntries(all)
}

const DueTime = Type.Union([Time, Type.Literal('never')])
export const DueAnswer = Type.Object({ at: DueTime, reason: Type.String() })

/** All of a page's record but what its learner holds: a field that is left out does not compile. */
type PageAnswerFields = Record<
  Exclude<keyof PageRecord, 'state'> | 'learnedFrom' | 'changePeriod',
  TSchema
>

export const PageAnswer = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    host: Type.String(),
    collection: Type.String(),
    group: Type.Optional(Type.String()),
    tags: Type.Array(Type.String(), { description: 'further groups, to find it by' }),
    importance: Type.Number(),
    addedAt: Time,
    settings: Type.Unsafe<PageSettings>(Type.Record(Type.String(), AnyJson)),
    due: DueAnswer,
    validators: Type.Object({
      etag: Type.Optional(Type.String()),
      lastModified: Type.Optional(Type.String()),
    }),
    fingerprint: orNull(Type.String()),
    hints: AnyJson,
    noise: Type.Unsafe<Json>({
      description: 'what is left out of its comparison because it varies by itself',
    }),
    movedTo: orNull(Type.String()),
    title: orNull(Type.String({ description: 'of the content that was kept last' })),
    lastVisit: orNull(Type.Object({ at: Time, outcome: OutcomeWord, status: orNull(Count) })),
    lastSeen: orNull(Time),
    lastChange: orNull(Time),
    visits: Count,
    changes: Count,
    failing: Count,
    gone: Count,
    metadata: Type.Optional(
      Type.Unsafe<Metadata>({
        ...Type.Record(Type.String(), Type.Array(Type.String())),
        description: 'of an address in a queue of the frontier: what its client keeps with it',
      }),
    ),
    learnedFrom: orNull(
      Type.Object(
        { visits: Count, changes: Count },
        {
          description:
            'successful visits that its planner has learned from, and those that found a change: more than are recorded where a log was folded',
        },
      ),
    ),
    changePeriod: orNull(
      Type.Number({
        description:
          'seconds: what its learner has learned, or the estimate from its visits where it knows nothing',
      }),
    ),
  } satisfies PageAnswerFields,
  { title: 'Page' },
)
export type PageAnswer = Answer<typeof PageAnswer>

const filters = {
  host: Type.Optional(Type.String({ maxLength: 300, description: 'only pages of this host' })),
  group: Type.Optional(
    Type.String({ maxLength: 200, description: 'only pages of this group or with this tag' }),
  ),
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
export type PageListAnswer = Answer<typeof PageListAnswer>

const Importance = Type.Number({ minimum: 0, maximum: 1e9 })
const Group = Type.String({ minLength: 1, maxLength: 200 })
const Tags = Type.Array(Group, {
  maxItems: mostTags,
  description: 'further groups, to find it by; nothing is learned from them',
})
const Due = exactly({ at: DueTime, reason: Type.Optional(Type.String({ maxLength: 500 })) })

export const NewPageBody = exactly({
  url: Type.String({ minLength: 1, maxLength: 8000 }),
  group: Type.Optional(Group),
  tags: Type.Optional(Tags),
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
        again: Type.String({ description: 'the part of it on the visits after the first' }),
      },
      { description: 'null where no page is new, or nobody plans' },
    ),
  ),
  warning: orNull(
    Type.String({ description: 'set where own limits and policies ask for more than the budget' }),
  ),
})
export type AddPagesAnswer = Answer<typeof AddPagesAnswer>

export const PageChangeBody = exactly({
  group: Type.Optional(orNull(Group)),
  tags: Type.Optional(Tags),
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
export const PageParams = exactly({ id: PageId })
