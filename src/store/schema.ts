import type { Generated, GeneratedAlways } from 'kysely'
import { outcomes } from '../model/history.js'
import type {
  Metadata,
  NewPage,
  PageChange,
  PageRecord,
  PageSettings,
  PageUpdate,
} from '../model/page.js'
import type { Json } from '../model/units.js'
import { unpackNumbers } from './packed-numbers.js'

/**
 * The tables, each column once. Types of rows, the way of rows between threads,
 * and the SQL of pages and visits follow from the lists here. A new column of
 * pages needs its entry in `pageColumns`, with the step of each store that is
 * to add it, and in `pageFields`; its field in the model; and its line in the
 * API. What else the tables have comes from the `migrations.ts` of each store,
 * and a test holds them together.
 */

/** What a column holds: SQL's types, and `numbers`, a blob in the file (`packNumbers`) and a list elsewhere. */
interface Kinds {
  integer: number
  real: number
  text: string
  blob: Uint8Array
  numbers: Uint8Array | Float64Array
}

/** With a question mark where it may be null. */
export type ColumnType = keyof Kinds | `${keyof Kinds}?`
/** What a column can be that rows were there before: null in those, or nought. */
type AddedType = `${keyof Kinds}?` | 'integer' | 'real'
export type Columns = readonly (
  | readonly [name: string, type: ColumnType]
  | readonly [name: string, type: AddedType, since: Since]
)[]
/** With which step of each store a column came that its first tables had not. */
interface Since {
  readonly sqlite: number
  readonly postgres: number
}
/** What a cell can hold. */
export type Cell = Kinds[keyof Kinds] | null

type CellOf<T extends ColumnType> = T extends `${infer K extends keyof Kinds}?`
  ? Kinds[K] | null
  : T extends keyof Kinds
    ? Kinds[T]
    : never
/** A row as an object. */
export type RowObject<C extends Columns> = {
  -readonly [Entry in C[number] as Entry[0]]: CellOf<Entry[1]>
}
/** A row as an array: objects take far longer to make. */
export type RowArray<C extends Columns> = { readonly [P in keyof C]: CellOf<C[P][1]> }
/** The place of each column in such an array, by name. */
type Places<C extends Columns> = {
  readonly [P in Extract<keyof C, `${number}`> as C[P][0]]: P extends `${infer N extends number}`
    ? N
    : never
}

/** What a page's record is made of. Times are Unix seconds. */
export const pageColumns = [
  ['id', 'integer'],
  ['url', 'text'],
  // Null for never.
  ['due', 'real?'],
  ['reason', 'text'],
  ['added_at', 'real'],
  ['page_group', 'text?'],
  ['importance', 'real'],
  // JSON; null for none.
  ['settings', 'text?'],
  // JSON; null for none.
  ['tags', 'text?'],
  ['etag', 'text?'],
  ['last_modified', 'text?'],
  ['fingerprint', 'text?'],
  // JSON.
  ['hints', 'text?'],
  // JSON.
  ['noise', 'text?'],
  ['moved_to', 'text?'],
  ['title', 'text?'],
  // JSON.
  ['metadata', 'text?', { sqlite: 15, postgres: 2 }],
  ['last_at', 'real?'],
  // Place in `outcomes`.
  ['last_outcome', 'integer?'],
  ['last_status', 'integer?'],
  ['last_seen', 'real?'],
  ['last_change', 'real?'],
  ['visits', 'integer'],
  ['changes', 'integer'],
  ['failing', 'integer'],
  ['gone', 'integer'],
  ['learner', 'text?'],
  ['state', 'numbers?'],
  ['collection', 'integer'],
  ['host', 'integer'],
  // Head of the chain of this page's visits.
  ['newest_visit', 'integer?'],
] as const satisfies Columns

export type PageColumn = (typeof pageColumns)[number][0]
export type PageRow = RowArray<typeof pageColumns>

/** One step from a schema to the next; `version` is the schema it leads to. */
export interface Step {
  readonly version: number
  readonly sql: string
}

/** The steps of a store as they are written, each with the columns that came with it. */
export function stepsWith(
  written: readonly Step[],
  columns: Columns,
  {
    store,
    add,
  }: {
    readonly store: keyof Since
    /** A statement that adds a column. */
    readonly add: (name: string, type: ColumnType) => string
  },
): readonly Step[] {
  const steps = new Map(written.map(({ version, sql }) => [version, [sql]]))
  for (const [name, type, since] of columns) {
    if (since === undefined) continue
    const version = since[store]
    steps.set(version, [`${add(name, type)};`, ...(steps.get(version) ?? [])])
  }
  return Array.from(steps, ([version, sql]) => ({ version, sql: sql.join('\n') })).sort(
    (a, b) => a.version - b.version,
  )
}

/** The place of a column in a `PageRow`. */
export const column = placesOf(pageColumns)

function placesOf<const C extends Columns>(columns: C): Places<C> {
  return Object.fromEntries(columns.map(([name], place) => [name, place])) as Places<C>
}

/**
 * A field of a page's record: the columns it lies in, its value there and back,
 * what it is at first, and who sets it beside the store itself: whoever adds
 * the page, changes it by hand, or reports a visit to it.
 */
interface Field<T> {
  readonly columns: readonly PageColumn[]
  readonly read: (row: PageRow) => T
  readonly write: (value: T) => readonly Cell[]
  readonly initial: T
  readonly added?: true
  readonly changed?: true
  readonly reported?: true
}

/** The model says who sets a field, and this that its entry says the same. */
type SetBy<F> = (F extends keyof NewPage ? { added: true } : { added?: never }) &
  (F extends keyof PageChange ? { changed: true } : { changed?: never }) &
  (F extends keyof PageUpdate | 'fingerprint' ? { reported: true } : { reported?: never })

/** Names that stand for numbers in a row. */
type Named = 'id' | 'collection' | 'host'
export type RecordField = Exclude<keyof PageRecord, Named>

/** Of the many pages without settings or validators all have the same. */
const none = Object.freeze({})
const noTags: readonly string[] = Object.freeze([])

/** One column that holds the value as it is. */
function plain<C extends PageColumn>(name: C, initial: PageRow[(typeof column)[C]]) {
  const place = column[name]
  return {
    columns: [name],
    read: (row: PageRow): PageRow[(typeof column)[C]] => row[place],
    write: (value: PageRow[(typeof column)[C]]): readonly Cell[] => [value],
    initial,
  } as const
}

function json(name: 'hints' | 'noise') {
  return {
    columns: [name],
    read: (row: PageRow) => parsed(row[column[name]]),
    write: (value: Json) => [value === null ? null : JSON.stringify(value)],
    initial: null,
  } as const
}

function parsed(text: string | null): Json {
  return text === null ? null : (JSON.parse(text) as Json)
}

/** In the order of a record. */
export const pageFields = {
  url: { ...plain('url', ''), added: true },
  importance: { ...plain('importance', 1), added: true, changed: true },
  addedAt: { ...plain('added_at', 0), added: true },
  tags: {
    columns: ['tags'],
    read: (row) => tagsIn(row[column.tags]),
    write: (tags) => [tags.length === 0 ? null : JSON.stringify(tags)],
    initial: noTags,
    added: true,
    changed: true,
  },
  settings: {
    columns: ['settings'],
    read(row) {
      const settings = row[column.settings]
      return settings === null ? none : (JSON.parse(settings) as PageSettings)
    },
    write: (settings) => [settings === none ? null : JSON.stringify(settings)],
    initial: none,
    added: true,
    changed: true,
  },
  due: {
    columns: ['due', 'reason'],
    read: (row) => ({ at: row[column.due] ?? 'never', reason: row[column.reason] }),
    write: (due) => [due.at === 'never' ? null : due.at, due.reason],
    initial: { at: 'never', reason: '' },
    added: true,
    changed: true,
  },
  state: {
    columns: ['learner', 'state'],
    read(row) {
      const learner = row[column.learner]
      const numbers = numbersIn(row[column.state])
      return learner === null || numbers === null ? null : { learner, numbers }
    },
    write: (state) => (state === null ? [null, null] : [state.learner, state.numbers]),
    initial: null,
    changed: true,
    reported: true,
  },
  validators: {
    columns: ['etag', 'last_modified'],
    read(row) {
      const etag = row[column.etag]
      const lastModified = row[column.last_modified]
      if (lastModified === null) return etag === null ? none : { etag }
      return etag === null ? { lastModified } : { etag, lastModified }
    },
    write: ({ etag, lastModified }) => [etag ?? null, lastModified ?? null],
    initial: none,
    changed: true,
    reported: true,
  },
  fingerprint: { ...plain('fingerprint', null), reported: true },
  hints: { ...json('hints'), added: true, changed: true, reported: true },
  noise: { ...json('noise'), changed: true, reported: true },
  movedTo: { ...plain('moved_to', null), changed: true, reported: true },
  title: { ...plain('title', null), changed: true, reported: true },
  lastVisit: {
    columns: ['last_at', 'last_outcome', 'last_status'],
    read(row) {
      const time = row[column.last_at]
      const outcome = row[column.last_outcome]
      if (time === null || outcome === null) return null
      return { at: time, outcome: outcomes[outcome]!, status: row[column.last_status] }
    },
    write: (last) =>
      last === null ? [null, null, null] : [last.at, outcomes.indexOf(last.outcome), last.status],
    initial: null,
  },
  lastSeen: plain('last_seen', null),
  lastChange: plain('last_change', null),
  visits: plain('visits', 0),
  changes: plain('changes', 0),
  failing: plain('failing', 0),
  gone: plain('gone', 0),
  group: {
    columns: ['page_group'],
    read: (row) => row[column.page_group] ?? undefined,
    write: (group) => [group ?? null],
    initial: undefined,
    added: true,
    changed: true,
  },
  metadata: {
    columns: ['metadata'],
    read(row) {
      const metadata = row[column.metadata]
      return metadata === null ? undefined : (JSON.parse(metadata) as Metadata)
    },
    write: (metadata) => [metadata === undefined ? null : JSON.stringify(metadata)],
    initial: undefined,
    added: true,
    reported: true,
  },
} as const satisfies { [F in RecordField]-?: Field<PageRecord[F]> & SetBy<F> }

/** A page's tags in its row. */
export function tagsIn(text: string | null): readonly string[] {
  return text === null ? noTags : (JSON.parse(text) as string[])
}

/** The numbers of a learner's state, packed as in the file or not. */
export function numbersIn(state: Kinds['numbers'] | null): Float64Array | null {
  return state instanceof Uint8Array ? unpackNumbers(state) : state
}

/** How long the page had not changed after the visit before; the column's name as stores of 0.1 have it. */
export const unchangedForColumn = 'calm_for'

/** What is kept of a visit. */
export const visitColumns = [
  ['page', 'integer'],
  ['at', 'real'],
  // Place in `outcomes`.
  ['outcome', 'integer'],
  ['status', 'integer?'],
  ['gap', 'real?'],
  ['content_age', 'real?'],
  ['last_modified', 'real?'],
  ['bytes', 'integer'],
  ['duration', 'real'],
  ['fault', 'text?'],
  ['fingerprint', 'text?'],
  [unchangedForColumn, 'real?'],
] as const satisfies Columns

export type VisitRow = RowArray<typeof visitColumns>
/** The place of a column in a `VisitRow`. */
export const visitColumn = placesOf(visitColumns)

export interface VisitsTable extends RowObject<typeof visitColumns> {
  id: Generated<number>
  /** The page's visit before this one. */
  previous: number | null
}

/**
 * The tables as Kysely sees them. Within one file a page's integer stands for
 * collection, host and address, and a host's for its name: a visit's row then
 * costs tens of bytes instead of hundreds.
 */
export interface Tables {
  collections: {
    id: Generated<number>
    name: string
    /** 1 for a crawl of the frontier. */
    queued: Generated<number>
  }
  hosts: {
    id: Generated<number>
    name: string
    state: string | null
    blocked_until: number | null
    /** JSON. */
    hints: string | null
    /** Fence of the record. */
    token: number | null
    step: number | null
  }
  pages: RowObject<typeof pageColumns> & {
    /** Of the lease under which the last visit was recorded. */
    last_token: number | null
  }
  frontier: FrontierTable
  queues: QueuesTable
  leases: LeasesTable
  visits: VisitsTable
  versions: VersionsTable
  snapshots: SnapshotsTable
  settings: { collection: number; name: string; value: string }
  channels: ChannelsTable
  deliveries: DeliveriesTable
  changes: ChangesTable
  counters: { name: string; value: number }
  workers: { name: string; role: string; version: string; since: number; last_sign: number }
  chores: { name: string; worker: string; since: number; expires: number }
}

/** One host of one collection. */
export interface Place {
  readonly collection: number
  readonly host: number
}

/** One row for each host of a collection: since when it could be visited. */
interface FrontierTable {
  collection: number
  host: number
  /** The earliest due time of its pages. */
  due: number | null
  /** Copy of the host's `blocked_until`. */
  blocked: number | null
  /** When a page of it was last visited. */
  served: number | null
  pages: number
  /** The latest of the three; null while nothing is due ever. */
  ready: GeneratedAlways<number | null>
}

/** One row for each host of a crawl: what holds for it as a queue, and when it may next give. */
interface QueuesTable {
  collection: number
  host: number
  /** Null for the default of all. */
  delay: number | null
  blocked: number | null
  /** Addresses that may be completed; 0 for any number. */
  quota: Generated<number>
  /** When it last gave, and when a lease of it last ended. */
  given: number | null
  ended: number | null
  /** Leases of the frontier that have not ended; those that ran out end at the next turn. */
  in_flight: Generated<number>
  /** The earliest due time of its pages without such a lease. */
  due: number | null
  /** From when on it may give; null while there is nothing to give. */
  ready: number | null
}

/** Pages that are leased; and hosts that are held for themselves, as the lease of a page below zero. */
interface LeasesTable {
  page: number
  collection: number
  host: number
  token: number
  expires: number
  worker: string
  /** 1 if the page's due time was set since the lease was given: it outlives the visit. */
  due_set: Generated<number>
}

interface VersionsTable {
  page: number
  at: number
  snapshot: number
  media_type: string | null
  /** JSON. */
  headers: string | null
}

interface SnapshotsTable {
  id: Generated<number>
  digest: Uint8Array
  bytes: number
  packing: number
  /** How many versions have this content. */
  refs: number
  body: Uint8Array
}

interface ChannelsTable {
  id: Generated<number>
  collection: number
  name: string
  /** JSON. */
  settings: string
  enabled: number
  added_at: number
  /** The last visit looked at. */
  cursor: number
  failing_since: number | null
  failures: Generated<number>
  rests_until: number | null
  error: string | null
  holder: string | null
  held_until: number | null
}

interface DeliveriesTable {
  id: Generated<number>
  channel: number
  page: number
  /** JSON. */
  event: string
  made_at: number
  /** Place in `deliveryStates`. */
  state: Generated<number>
  attempts: Generated<number>
  first_at: number | null
  next_at: number
  ended_at: number | null
  error: string | null
}

/** Changes as a person reads them, by the number of the visit that found each. */
interface ChangesTable {
  number: number
  collection: number
  page: number
  at: number
  previous: number | null
  title: string | null
  removed: string
  added: string
  share: number | null
  note: string | null
  seen: number
}
