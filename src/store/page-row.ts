import { hostOf, type NewPage, type PageChange, type PageRecord } from '../model/page.js'
import type { Due } from '../model/policy.js'
import type { UnixSeconds } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'
import { afterVisit, type CountedBefore } from './rules.js'
import {
  type Cell,
  column,
  type PageColumn,
  type PageRow,
  type Place,
  pageColumns,
  pageFields,
  type RecordField,
} from './schema.js'

/** Between pages' records and their rows, by the fields of `schema.ts`. */

/** A field, whatever its type is: each value is read and written by the entry of its own field. */
interface AnyField {
  readonly name: RecordField
  readonly columns: readonly PageColumn[]
  readonly read: (row: PageRow) => unknown
  readonly write: (value: never) => readonly Cell[]
  readonly initial: unknown
  readonly added?: true
  readonly changed?: true
  readonly reported?: true
}

const fields: readonly AnyField[] = Object.entries(pageFields).map(([name, field]) => ({
  name: name as RecordField,
  ...field,
}))
/** Those that every record has. */
const always = fields.filter(({ initial }) => initial !== undefined)
const optional = fields.filter(({ initial }) => initial === undefined)

/** Fields that a visit may bring; the place of one here is its bit in `given`. */
const reportedFields = fields.filter(({ reported }) => reported)
const addedFields = fields.filter(({ added }) => added)
const changedFields = fields.filter(({ changed }) => changed)

/** A record with all its fields in place, so that all records have one shape. */
const blank = {
  id: '',
  collection: '',
  host: '',
  ...Object.fromEntries(always.map(({ name, initial }) => [name, initial])),
} as unknown as PageRecord

/** A page as the store's callers know it; one plain object, since each lease makes one. */
export function pageFrom(
  row: PageRow,
  collection: string,
  host: string = hostOf(row[column.url]),
  id: string = String(row[column.id]),
): PageRecord {
  const page: Record<string, unknown> = { ...blank, id, collection, host }
  for (const { name, read } of always) page[name] = read(row)
  for (const { name, read } of optional) {
    const value = read(row)
    if (value !== undefined) page[name] = value
  }
  return page as unknown as PageRecord
}

/** Of a page that was never visited, where nobody says. */
function firstDue(now: UnixSeconds): Due {
  return { at: now, reason: 'never visited before' }
}

/** A page that was never visited. */
export function newRecord(
  page: NewPage,
  { collection, now }: { readonly collection: string; readonly now: UnixSeconds },
): Omit<PageRecord, 'id'> {
  const { id: _, ...record } = blank
  const host = hostOf(page.url)
  return { ...record, collection, host, addedAt: now, due: firstDue(now), ...page }
}

/** A page once a visit to it is recorded. */
export function recordAfter<R extends PageRecord>(record: R, report: VisitReport): R {
  const given = reportedFields.flatMap((field) => {
    const value = givenValue(field, report)
    return value === undefined ? [] : [[field.name, value]]
  })
  const counted = afterVisit(record, report.visit)
  return { ...record, ...counted, due: report.due, ...Object.fromEntries(given) }
}

/** What a report brings of a field; undefined where it leaves it out. The fingerprint is the visit's. */
function givenValue({ name }: AnyField, report: VisitReport): unknown {
  if (name === 'fingerprint') return report.visit.fingerprint ?? undefined
  return report[name as keyof VisitReport]
}

/** What a person changed, as it is written, by column. */
export function changedCells(change: PageChange): Record<string, Cell> {
  const cells = changedFields.flatMap(({ name, columns, write }) => {
    const value: unknown = change[name as keyof PageChange]
    if (value === undefined) return []
    const written = write(value as never)
    return columns.map((column, place) => [column, written[place]!])
  })
  return Object.fromEntries(cells)
}

/** The columns that a new page is written with; the others are empty, or nought by the schema. */
export const addedColumns: readonly PageColumn[] = [
  'collection',
  'host',
  ...addedFields.flatMap(({ columns }) => columns),
]

/** A new page as it is written, in the order of `addedColumns`. */
export function addedCells(
  page: NewPage,
  { collection, host, now }: Place & { readonly now: UnixSeconds },
): Cell[] {
  const cells: Cell[] = [collection, host]
  const byDefault: Partial<Record<RecordField, unknown>> = { addedAt: now, due: firstDue(now) }
  for (const { name, write, initial } of addedFields) {
    const value: unknown = page[name as keyof NewPage] ?? byDefault[name] ?? initial
    cells.push(...write(value as never))
  }
  return cells
}

/** Columns of `reportedFields`, in their order, with their types. */
export const reportedColumns = reportedFields.flatMap(({ columns }) =>
  columns.map((name) => pageColumns[column[name]]!),
)
const notReported = reportedColumns.map(() => null)
/** Where the columns of each of `reportedFields` begin. */
const reportedPlaces = reportedFields.map((_, bit) =>
  reportedFields.slice(0, bit).reduce((sum, { columns }) => sum + columns.length, 0),
)

/** What a report brings for its page, as it is written: `given` has a bit for each field that it brings. */
export interface ReportedCells {
  readonly given: number
  /** One for each of `reportedColumns`; null where nothing was given. */
  readonly cells: readonly Cell[]
}

export function reportedCells(report: VisitReport): ReportedCells {
  const cells: Cell[] = notReported.slice()
  let given = 0
  for (let bit = 0; bit < reportedFields.length; bit++) {
    const field = reportedFields[bit]!
    const value = givenValue(field, report)
    if (value === undefined) continue
    given |= 1 << bit
    const written = field.write(value as never)
    const from = reportedPlaces[bit]!
    for (let place = 0; place < written.length; place++) cells[from + place] = written[place]!
  }
  return { given, cells }
}

/** Of each set of fields that was met: reports bring few. */
const knownPlaces = new Map<number, readonly number[]>()

/** Places in `reportedColumns` of the fields that were given. */
export function givenPlaces(given: number): readonly number[] {
  const known = knownPlaces.get(given)
  if (known !== undefined) return known
  const places = reportedFields.flatMap(({ columns }, bit) =>
    given & (1 << bit) ? columns.map((_, place) => reportedPlaces[bit]! + place) : [],
  )
  knownPlaces.set(given, places)
  return places
}

/** What a page's row counted before a visit, where it stands, and the head of its chain of visits. */
export interface PageBefore extends CountedBefore, Place {
  readonly lastAt: number | null
  readonly newest: number | null
  /** When its lease runs out, where that is known. */
  readonly leasedUntil?: number | null
  /** Set by somebody while the page was leased: it stays, whatever the visit says. */
  readonly set?: { readonly due: number | null; readonly reason: string }
}

/** What a row counted, for the visit that comes next. */
export function countsOf(row: PageRow): PageBefore {
  return {
    lastAt: row[column.last_at],
    lastSeen: row[column.last_seen],
    lastChange: row[column.last_change],
    visits: row[column.visits],
    changes: row[column.changes],
    failing: row[column.failing],
    gone: row[column.gone],
    collection: row[column.collection],
    host: row[column.host],
    newest: row[column.newest_visit],
  }
}

/** An id that no page has where the text is not one of ours. */
export function rowId(id: string): number {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
}
