import type { Validators } from '../model/fetcher.js'
import { outcomes } from '../model/history.js'
import {
  hostOf,
  type LastVisit,
  type LearnerState,
  type PageRecord,
  type PageSettings,
} from '../model/page.js'
import type { Json } from '../model/units.js'
import type { CountedBefore } from './rules.js'
import type { Place } from './sqlite/frontier.js'

/**
 * A learner's numbers as bytes, to the bit, without its zeros: most bins of a
 * page's state are empty, and a million pages keep one each. A bit map tells
 * which numbers follow, eight bytes each, lowest byte first; O(n).
 */
export function packNumbers(numbers: Float64Array): Uint8Array {
  let kept = 0
  for (let at = 0; at < numbers.length; at++) if (!Object.is(numbers[at], 0)) kept++
  let offset = headerLength + Math.ceil(numbers.length / 8)
  // From Node's pool where they are few: an array with memory of its own costs more than filling it.
  const bytes = Buffer.allocUnsafe(offset + 8 * kept)
  bytes.writeUInt32LE(numbers.length, 0)
  bytes.fill(0, headerLength, offset)
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!
    if (Object.is(number, 0)) continue
    bytes[headerLength + (at >> 3)]! |= 1 << (at & 7)
    offset = bytes.writeDoubleLE(number, offset)
  }
  return bytes
}

/** What `packNumbers` packed. */
export function unpackNumbers(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const numbers = new Float64Array(view.getUint32(0, true))
  let offset = headerLength + Math.ceil(numbers.length / 8)
  for (let at = 0; at < numbers.length; at++) {
    if ((bytes[headerLength + (at >> 3)]! & (1 << (at & 7))) === 0) continue
    numbers[at] = view.getFloat64(offset, true)
    offset += 8
  }
  return numbers
}

const headerLength = 4

/** The columns a page's record is made of, in the order of `PageRow`. */
export const pageColumns = [
  'pages.id',
  'pages.url',
  'pages.due',
  'pages.reason',
  'pages.added_at',
  'pages.page_group',
  'pages.importance',
  'pages.settings',
  'pages.etag',
  'pages.last_modified',
  'pages.fingerprint',
  'pages.hints',
  'pages.moved_to',
  'pages.last_at',
  'pages.last_outcome',
  'pages.last_status',
  'pages.last_seen',
  'pages.last_change',
  'pages.visits',
  'pages.changes',
  'pages.failing',
  'pages.gone',
  'pages.learner',
  'pages.state',
  'pages.collection',
  'pages.noise',
  'pages.host',
  'pages.newest_visit',
] as const

/** A row as an array, read by place: objects take far longer to make. */
export type PageRow = readonly [
  id: number,
  url: string,
  due: number | null,
  reason: string,
  addedAt: number,
  group: string | null,
  importance: number,
  settings: string | null,
  etag: string | null,
  lastModified: string | null,
  fingerprint: string | null,
  hints: string | null,
  movedTo: string | null,
  lastAt: number | null,
  lastOutcome: number | null,
  lastStatus: number | null,
  lastSeen: number | null,
  lastChange: number | null,
  visits: number,
  changes: number,
  failing: number,
  gone: number,
  learner: string | null,
  /** Packed, as the row has it, or unpacked on the way to another thread. */
  state: Uint8Array | Float64Array | null,
  collection: number,
  noise: string | null,
  host: number,
  newest: number | null,
]

/** What a page's row counted before a visit, where it stands, and the head of its chain of visits. */
export interface PageBefore extends CountedBefore, Place {
  readonly lastAt: number | null
  readonly newest: number | null
  /** Set by somebody while the page was leased: it stays, whatever the visit says. */
  readonly set?: { readonly due: number | null; readonly reason: string }
}

/** What a row counted, for the visit that comes next. */
export function countsOf(row: PageRow): PageBefore {
  return {
    lastAt: row[13],
    lastSeen: row[16],
    lastChange: row[17],
    visits: row[18],
    changes: row[19],
    failing: row[20],
    gone: row[21],
    collection: row[collectionColumn],
    host: row[hostColumn],
    newest: row[27],
  }
}

export const collectionColumn = 24
export const hostColumn = 26

/** Of the many pages without settings or validators all have the same. */
const none = Object.freeze({})

/** A page as the store's callers know it; one plain object, since each lease makes one. */
export function pageFrom(
  row: PageRow,
  collection: string,
  host: string = hostOf(row[1]),
): PageRecord {
  const settings = row[7]
  const hints = row[11]
  const noise = row[25]
  const page = {
    id: String(row[0]),
    collection,
    host,
    url: row[1],
    importance: row[6],
    addedAt: row[4],
    settings: settings === null ? none : (JSON.parse(settings) as PageSettings),
    due: { at: row[2] ?? ('never' as const), reason: row[3] },
    state: stateFrom(row[22], row[23]),
    validators: validatorsFrom({ etag: row[8], modified: row[9] }),
    fingerprint: row[10],
    hints: hints === null ? null : (JSON.parse(hints) as Json),
    noise: noise === null ? null : (JSON.parse(noise) as Json),
    movedTo: row[12],
    lastVisit: lastVisitFrom({ at: row[13], outcome: row[14], status: row[15] }),
    lastSeen: row[16],
    lastChange: row[17],
    visits: row[18],
    changes: row[19],
    failing: row[20],
    gone: row[21],
  }
  return row[5] === null ? page : { ...page, group: row[5] }
}

/** How the last attempt ended, from its columns. */
function lastVisitFrom({
  at,
  outcome,
  status,
}: {
  readonly at: number | null
  readonly outcome: number | null
  readonly status: number | null
}): LastVisit | null {
  return at === null || outcome === null ? null : { at, outcome: outcomes[outcome]!, status }
}

function stateFrom(learner: string | null, state: PageRow[23]): LearnerState | null {
  const numbers = numbersIn(state)
  return learner === null || numbers === null ? null : { learner, numbers }
}

/** The numbers of a learner's state. */
export function numbersIn(state: PageRow[23]): Float64Array | null {
  return state instanceof Uint8Array ? unpackNumbers(state) : state
}

function validatorsFrom(stored: { etag: string | null; modified: string | null }): Validators {
  const { etag, modified } = stored
  if (modified === null) return etag === null ? none : { etag }
  return etag === null ? { lastModified: modified } : { etag, lastModified: modified }
}

/** An id that no page has where the text is not one of ours. */
export function rowId(id: string): number {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
}
