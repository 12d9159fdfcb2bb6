import type { Store } from '../../model/store.js'
import type { VisitList, VisitRecord } from '../../model/visit-record.js'
import { csvField } from '../csv-table.js'

type UrlVisit = VisitList['visits'][number]

export interface VisitSpan {
  readonly collection: string
  readonly from?: number
  readonly until?: number
  /** Visits read at a time. */
  readonly stretch?: number
}

/** All visits of a collection, in the order they were recorded, by the stretch. */
export async function* visitStretches(
  store: Store,
  { stretch = 5000, ...span }: VisitSpan,
): AsyncGenerator<readonly UrlVisit[]> {
  let after: string | undefined
  do {
    const next = after === undefined ? {} : { after }
    const list = await store.listVisits({ ...span, limit: stretch, ...next })
    if (list.visits.length > 0) yield list.visits
    after = list.next ?? undefined
  } while (after !== undefined)
}

/** The columns: the first are those that `estimate` and `import` read. Times are Unix seconds. */
const columns: ReadonlyArray<readonly [string, (visit: UrlVisit) => string | number | null]> = [
  ['url', ({ url }) => url],
  ['at', ({ at }) => microseconds(at)],
  ['changed', ({ outcome }) => outcome],
  ['last_modified', ({ lastModified }) => lastModified ?? null],
  [
    'unchanged_for',
    ({ unchangedFor }) => (unchangedFor === undefined ? null : microseconds(unchangedFor)),
  ],
  ['status', ({ status }) => status],
  ['fault', ({ fault }) => fault],
  ['gap', ({ gap }) => (gap === null ? null : microseconds(gap))],
  ['content_age', ({ contentAge }) => (contentAge === null ? null : microseconds(contentAge))],
  ['fingerprint', ({ fingerprint }) => fingerprint],
  ['bytes', ({ bytes }) => bytes],
  ['duration', ({ duration }) => microseconds(duration)],
]

/** Clocks tell no more, and sums of such numbers would have long tails of digits. */
function microseconds(seconds: VisitRecord['at']): number {
  return Math.round(seconds * 1e6) / 1e6
}

export const csvHead = `${columns.map(([name]) => name).join(',')}\n`

export function csvRow(visit: UrlVisit): string {
  return `${columns.map(([, value]) => csvField(value(visit))).join(',')}\n`
}

export function jsonRow(visit: UrlVisit): string {
  const pairs = columns.map(([name, value]) => [name, value(visit)] as const)
  return `${JSON.stringify(Object.fromEntries(pairs.filter(([, value]) => value !== null)))}\n`
}
