import {
  hostOf,
  type Json,
  type LastVisit,
  outcomes,
  type PageRecord,
  type PageSettings,
  type Validators,
} from '../../model/index.js'
import { unpackNumbers } from '../sparse-numbers.js'

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
  'pages.host',
] as const

/** A row as an array: a thousand leased pages take half the time that objects would. */
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
  state: Uint8Array | null,
  collection: number,
  host: number,
]

export const hostColumn = 25
export const collectionColumn = 24

/** A page as the store's callers know it. */
export function pageFrom(row: PageRow, collection: string): PageRecord {
  const [id, url, due, reason, addedAt, group, importance, settings, etag, modified, ...more] = row
  const [fingerprint, hints, movedTo, lastAt, lastOutcome, lastStatus, ...counts] = more
  const [lastSeen, lastChange, visits, changes, failing, gone, learner, state] = counts
  return {
    id: String(id),
    collection,
    host: hostOf(url),
    url,
    ...(group === null ? {} : { group }),
    importance,
    addedAt,
    settings: settings === null ? {} : (JSON.parse(settings) as PageSettings),
    due: { at: due ?? 'never', reason },
    state: learner === null || state === null ? null : { learner, numbers: unpackNumbers(state) },
    validators: validatorsFrom({ etag, modified }),
    fingerprint,
    hints: hints === null ? null : (JSON.parse(hints) as Json),
    movedTo,
    lastVisit: lastVisitFrom({ at: lastAt, outcome: lastOutcome, status: lastStatus }),
    lastSeen,
    lastChange,
    visits,
    changes,
    failing,
    gone,
  }
}

/** How the last attempt ended, from its columns. */
export function lastVisitFrom({
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

function validatorsFrom(told: { etag: string | null; modified: string | null }): Validators {
  return {
    ...(told.etag === null ? {} : { etag: told.etag }),
    ...(told.modified === null ? {} : { lastModified: told.modified }),
  }
}
