import { InputError, OptionError } from '../../model/errors.js'
import { historyOf, type RecordedChanges, splitUnchanged } from '../../model/history.js'
import { DAY, type Seconds, type UnixSeconds, WEEK } from '../../model/units.js'
import type { VisitRecord } from '../../model/visit-record.js'
import { Random } from '../../numeric/random.js'

/** Recorded histories on one common clock that starts at 0, ready to be visited. */
export interface ReplayCollection {
  readonly ids: readonly string[]
  /** Index into `sourceNames` for each page. */
  readonly sources: Uint16Array
  readonly sourceNames: readonly string[]
  /** 1 where change times are exact. */
  readonly exact: Uint8Array
  /** When each page appears and ends, on the common clock. */
  readonly from: Float64Array
  readonly until: Float64Array
  /** Changes of page i: times[offsets[i]] to times[offsets[i + 1] - 1]. */
  readonly offsets: Uint32Array
  readonly times: Float64Array
  /** The last change before the page's window, or its start: what its content age counts from. */
  readonly before: Float64Array
  /** Length of the common clock. */
  readonly length: Seconds
}

export interface CollectionOptions {
  /** How long a stretch of each source is replayed; a year by default. */
  readonly length?: Seconds
  /** Seeds the draws by which polled changes are spread back. */
  readonly seed: number
}

/**
 * Lays recorded objects on one clock. Of each source the stretch that holds
 * most object-days is taken, and moved by whole weeks, so that objects of one
 * source keep their alignment and every hour of the week stays what it was.
 * A polled change happened somewhere in the poll's cadence before it was
 * recorded: it is put there by a seeded uniform draw, never before the change
 * that precedes it.
 */
export function replayCollection(
  objects: readonly RecordedChanges[],
  options: CollectionOptions,
): ReplayCollection {
  const length = options.length ?? 365 * DAY
  if (!(length > 0))
    throw new OptionError('bad-length', `the stretch to replay must be positive; got ${length}`)
  const sourceNames = [...new Set(objects.map((each) => each.source))]
  const starts = new Map(
    sourceNames.map((name) => [
      name,
      densestStart(
        objects.filter((each) => each.source === name),
        length,
      ),
    ]),
  )
  const pages = objects
    .map((object) =>
      windowed(object, { start: starts.get(object.source)!, length, seed: options.seed }),
    )
    .filter((page) => page !== null)
  if (pages.length === 0)
    throw new InputError('no-history', 'no recorded object has any time to replay')
  return gathered(pages, { sourceNames, length })
}

interface WindowedPage {
  readonly object: RecordedChanges
  readonly from: number
  readonly until: number
  readonly before: number
  readonly times: Float64Array
}

/** The week-aligned start whose window holds most object time. O(starts x objects). */
function densestStart(objects: readonly RecordedChanges[], length: Seconds): UnixSeconds {
  const first = Math.min(...objects.map((each) => each.from))
  const last = Math.max(...objects.map((each) => each.until))
  const latest = weekFloor(Math.max(first, last - length))
  let best = latest
  let most = -1
  for (let start = latest; start > first - WEEK; start -= WEEK) {
    let covered = 0
    for (const { from, until } of objects)
      covered += Math.max(0, Math.min(until, start + length) - Math.max(from, start))
    if (covered > most * 1.0001) {
      most = covered
      best = start
    }
  }
  return best
}

function weekFloor(at: UnixSeconds): UnixSeconds {
  return Math.floor(at / WEEK) * WEEK
}

function windowed(
  object: RecordedChanges,
  w: { start: UnixSeconds; length: Seconds; seed: number },
): WindowedPage | null {
  const from = Math.max(0, object.from - w.start)
  const until = Math.min(w.length, object.until - w.start)
  if (!(until > from)) return null
  const spread = spreadBack(object, w)
  const times: number[] = []
  let before = object.from - w.start
  for (const at of spread) {
    const here = at - w.start
    if (here <= from) before = here
    else if (here <= until) times.push(here)
  }
  return { object, from, until, before, times: Float64Array.from(times) }
}

/** Each object draws from a stream of its own, so that adding objects moves no other's changes. */
export function spreadBack(
  { id, changes, cadence, from }: RecordedChanges,
  { seed }: { readonly seed: number },
): Float64Array {
  if (cadence === 0) return changes
  const random = Random.stream({ seed, index: hash(id) })
  let recorded = from
  return changes.map((at) => {
    const room = Math.min(cadence, at - recorded)
    recorded = at
    return at - room * random.uniform()
  })
}

/** FNV-1a over the characters of an id. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

function gathered(
  pages: readonly WindowedPage[],
  more: { sourceNames: readonly string[]; length: Seconds },
): ReplayCollection {
  const offsets = new Uint32Array(pages.length + 1)
  pages.forEach((page, i) => {
    offsets[i + 1] = offsets[i]! + page.times.length
  })
  const times = new Float64Array(offsets[pages.length]!)
  pages.forEach((page, i) => {
    times.set(page.times, offsets[i])
  })
  return {
    ...more,
    ids: pages.map((page) => page.object.id),
    sources: Uint16Array.from(pages, (page) => more.sourceNames.indexOf(page.object.source)),
    exact: Uint8Array.from(pages, (page) => (page.object.cadence === 0 ? 1 : 0)),
    from: Float64Array.from(pages, (page) => page.from),
    until: Float64Array.from(pages, (page) => page.until),
    before: Float64Array.from(pages, (page) => page.before),
    offsets,
    times,
  }
}

export interface RecordedFrom {
  readonly id: string
  readonly source: string
  /** The same seed puts the same changes at the same times. */
  readonly seed: number
}

/**
 * When a page changed, as far as its visits tell: each change that a visit
 * found happened somewhere in the gap before it, at the time that a believable
 * Last-Modified tells, else by a seeded uniform draw. Several changes in one
 * gap are one. Null where the page was not seen twice. O(visits).
 */
export function recordedFrom(
  visits: readonly VisitRecord[],
  { id, source, seed }: RecordedFrom,
): RecordedChanges | null {
  const history = historyOf(visits)
  const last = history?.observations.at(-1)
  if (history === null || last === undefined) return null
  const random = Random.stream({ seed, index: hash(id) })
  const changes = splitUnchanged(history)
    .observations.filter(({ changed }) => changed)
    .map(({ at, gap, contentAge }) =>
      contentAge !== undefined && contentAge < gap ? at - contentAge : at - gap * random.uniform(),
    )
  const from = history.start.at
  const times = Float64Array.from(changes.filter((at) => at > from))
  return { id, source, from, until: last.at, cadence: 0, changes: times }
}
