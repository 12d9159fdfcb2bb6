import { InputError } from '../../model/errors.js'
import type { ChangeRecord, NewChange } from '../../model/inbox.js'
import type { LeaseRef } from '../../model/lease.js'
import type { ChangedPage, PageRecord } from '../../model/page.js'
import type { Store, Version } from '../../model/store.js'
import { DAY, type Json, type UnixSeconds } from '../../model/units.js'
import type { Content, LoggedVisit, VisitReport } from '../../model/visit-record.js'
import { listsSetting } from '../../planner/evidence/list-value.js'
import { type ListNames, listAddresses, renamedHints, renamedKeys } from './list-names.js'
import { moveChannels } from './move-channels.js'
import { inParts, pageSlices } from './slices.js'

/** Where the target keeps how far a move has come, so that one that was killed goes on. */
const moveSetting = 'move'
const worker = 'move'
/** Pages, and changes, moved at a time. */
const slice = 1_000
/** Visits: as many as a store writes in one commit. */
const visitSlice = 4_000
/** All pages are held from their first visit on; one that goes on with the move takes them back before. */
const holdTime = 30 * DAY

type Step = 'pages' | 'visits' | 'rest' | 'done'

interface Place {
  readonly step: Step
  /** Of the source's pages: where the last slice ended. */
  readonly pages: string | null
  /** The number of the last visit that was moved, in the source; and one of the target that those after it lie above. */
  readonly visit: number
  readonly moved: number
}

const beginning: Place = { step: 'pages', pages: null, visit: 0, moved: 0 }

export interface Move {
  readonly from: Store
  readonly to: Store
  readonly collection: string
  readonly now: () => UnixSeconds
  /** Called with how many rows of a step are done. */
  readonly progress?: (step: string, done: number) => void
}

/**
 * Moves a collection to another store, of whatever kind: its pages, the log of
 * their visits in order, versions with contents, hosts, settings, channels and
 * changes. What is written twice, after a kill, is there once: pages go by
 * address, visits by page and time. No page of the target is due before all is
 * there. Leases and deliveries that ended stay behind.
 */
export async function moveCollection(move: Move): Promise<void> {
  let place = await began(move)
  if (place.step === 'pages') place = await movePages(move, place)
  if (place.step === 'visits') place = await moveVisits(move, place)
  if (place.step === 'rest') await moveRest(move, place)
}

/** Refuses crawls of the frontier: their queues, leases and turns are not moved. */
export async function checkMovable(from: Store, collections: readonly string[]): Promise<void> {
  const crawls = await from.queues.crawls()
  const crawl = collections.find((each) => crawls.includes(each))
  if (crawl === undefined) return
  throw new InputError(
    'is-a-crawl',
    `the collection "${crawl}" is a crawl of the frontier, whose queues are not moved; move each other collection with --only, and copy the whole database for the crawl (\`revisit backup\` for a file)`,
  )
}

async function began({ from, to, collection }: Move): Promise<Place> {
  await checkMovable(from, [collection])
  const kept = (await to.getSetting(collection, moveSetting)) as unknown as Place | undefined
  if (kept !== undefined && kept.step !== 'done') return kept
  const pages = await to.countPages({ collection })
  if (pages === 0) return beginning
  throw new InputError(
    'not-empty',
    `the target has ${pages} pages in collection "${collection}" already; move to a store without it`,
  )
}

async function keepPlace({ to, collection }: Move, place: Place): Promise<Place> {
  await to.putSetting(collection, moveSetting, place as unknown as Json)
  return place
}

async function movePages(move: Move, before: Place): Promise<Place> {
  const { from, to, collection, now, progress } = move
  let place = before
  let done = await to.countPages({ collection })
  const after = place.pages === null ? {} : { after: place.pages }
  for await (const list of pageSlices(from, { collection, limit: slice, ...after })) {
    const pages = list.pages.map(({ url, addedAt }) => ({
      url,
      addedAt,
      // Visited by nobody before it is whole.
      due: { at: 'never' as const, reason: 'being moved' },
    }))
    done += (await to.addPages({ collection, pages, now: now() })).added
    progress?.('pages', done)
    if (list.next !== null) place = await keepPlace(move, { ...place, pages: list.next })
  }
  return keepPlace(move, { ...place, step: 'visits' })
}

async function moveVisits(move: Move, before: Place): Promise<Place> {
  const { from, to, collection, progress } = move
  let place = before
  let done = 0
  await to.releaseWorker(worker)
  const underWay = { held: new Map(), oldest: new Map() }
  let read = from.visitLog({ collection, after: place.visit, limit: visitSlice })
  /** What was read before is written while the next is read and made ready. */
  let writing: Promise<void> = Promise.resolve()
  for (;;) {
    const visits = await read
    const last = visits.at(-1)
    if (last === undefined) break
    read = from.visitLog({ collection, after: last.number, limit: visitSlice })
    read.catch(() => {})
    // A call has one visit of a page at most, so that each finds the page as the one before left it.
    const all = [...stretches(visits)]
    const first = await readyReports(move, all[0]!, underWay)
    await writing
    writing = (async () => {
      for (const some of all) {
        // Those of a stretch that was begun before a kill are there already, and not written again.
        await to.recordVisits(some === all[0] ? first : await readyReports(move, some, underWay))
        await moveChanges(move, some, place)
      }
      const moved = await to.lastVisitNumber()
      place = await keepPlace(move, { ...place, visit: last.number, moved })
      done += visits.length
      progress?.('visits', done)
    })()
    writing.catch(() => {})
  }
  await writing
  await to.releaseWorker(worker)
  return keepPlace(move, { ...place, step: 'rest' })
}

/** What is known of pages while their visits are moved: no more than is needed, for there may be millions. */
interface UnderWay {
  /** Leases by address. */
  readonly held: Map<string, LeaseRef>
  /** By the id in the source: when the oldest content that is kept was seen; Infinity where none is. */
  readonly oldest: Map<string, UnixSeconds>
}

function* stretches(visits: readonly LoggedVisit[]): Generator<readonly LoggedVisit[]> {
  let some: LoggedVisit[] = []
  const pages = new Set<string>()
  for (const visit of visits) {
    if (pages.has(visit.page.id)) {
      yield some
      some = []
      pages.clear()
    }
    pages.add(visit.page.id)
    some.push(visit)
  }
  if (some.length > 0) yield some
}

async function readyReports(
  move: Move,
  visits: readonly LoggedVisit[],
  { held, oldest }: UnderWay,
): Promise<VisitReport[]> {
  await holdPages(move, visits, held)
  const contents = await inParts(visits, (visit) => contentOf(move, visit, oldest))
  return visits.map(({ number: _, page, ...visit }, at) => {
    const lease = held.get(page.url)
    if (lease === undefined)
      throw new InputError('page-gone', `${page.url} is gone from the target; begin the move anew`)
    const content = contents[at]
    return {
      lease,
      visit,
      due: { at: 'never' as const, reason: 'being moved' },
      keepLease: true,
      ...(content === undefined ? {} : { content }),
    }
  })
}

/** Leases pages that are met for the first time. */
async function holdPages(
  { to, now, collection }: Move,
  visits: readonly LoggedVisit[],
  held: UnderWay['held'],
): Promise<void> {
  const fresh = visits.flatMap(({ page: { url } }) => (held.has(url) ? [] : [{ collection, url }]))
  if (fresh.length === 0) return
  const leases = await to.leasePages({ pages: fresh, worker, now: now(), ttl: holdTime })
  for (const { page, token } of leases) held.set(page.url, { page: { id: page.id }, token })
}

/** What a visit kept; undefined where it kept nothing, or that was let go since. */
async function contentOf(
  { from }: Move,
  visit: LoggedVisit,
  oldest: UnderWay['oldest'],
): Promise<Content | undefined> {
  if (visit.outcome === 'failed' || visit.outcome === 'refused' || visit.outcome === 'gone')
    return undefined
  const isSame = visit.outcome === 'unchanged' && visit.fingerprint === null
  const { id } = visit.page
  if (isSame || visit.at < (oldest.get(id) ?? -Infinity)) return undefined
  const versions = await from.versionsOf(visit.page)
  oldest.set(id, Math.min(...versions.map(({ at }) => at)))
  const version = versions.find(({ at }) => at === visit.at)
  return version === undefined ? undefined : contentFrom(from, version)
}

async function contentFrom(from: Store, version: Version): Promise<Content | undefined> {
  const { digest, mediaType, headers } = version
  const body = await from.snapshot(digest)
  if (body === null) return undefined
  return {
    body,
    digest,
    ...(mediaType === null ? {} : { mediaType }),
    ...(headers === null ? {} : { headers }),
  }
}

/** The numbers of visits in the target, by those in the source. */
async function movedNumbers(
  { to, collection }: Move,
  visits: readonly LoggedVisit[],
  after: number,
): Promise<ReadonlyMap<number, number>> {
  const source = new Map(visits.map(({ number, page, at }) => [`${at} ${page.url}`, number]))
  const numbers = new Map<number, number>()
  let last = after
  while (numbers.size < source.size) {
    const logged = await to.visitLog({ collection, after: last, limit: 2 * slice })
    for (const { number, page, at } of logged) {
      const known = source.get(`${at} ${page.url}`)
      if (known !== undefined) numbers.set(known, number)
      last = number
    }
    // The end of the log waits for writers that are not done yet.
    if (logged.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return numbers
}

/** What a person has not seen yet, or has. */
async function moveChanges(
  move: Move,
  visits: readonly LoggedVisit[],
  { moved }: Place,
): Promise<void> {
  const { from, to, collection } = move
  const ours = await changesOf(from, collection, visits)
  if (ours.length === 0) return
  const numbersThere = await movedNumbers(move, visits, moved)
  const added = await inParts(ours, async ({ page, seen: _, ...change }): Promise<NewChange[]> => {
    const there = await to.getPage({ collection, url: page.url })
    const number = numbersThere.get(change.number)!
    const text = `${change.removed} ${change.added}`
    return there === null ? [] : [{ ...change, number, page: there.id, text }]
  })
  await to.inbox.add(collection, added.flat())
  const numbers = ours.filter(({ seen }) => seen).map(({ number }) => numbersThere.get(number)!)
  if (numbers.length > 0) await to.inbox.mark({ collection, seen: true, numbers })
}

/** The changes that visits of the source found. */
async function changesOf(from: Store, collection: string, visits: readonly LoggedVisit[]) {
  const numbers = new Set(visits.map(({ number }) => number))
  const first = visits[0]!.number
  const found: ChangeRecord[] = []
  let before = visits[visits.length - 1]!.number + 1
  for (;;) {
    const { changes } = await from.inbox.list({ collection, before, limit: slice })
    found.push(...changes.filter(({ number }) => numbers.has(number)))
    const oldest = changes.at(-1)
    if (oldest === undefined || oldest.number < first) return found
    before = oldest.number
  }
}

async function moveRest(move: Move, place: Place): Promise<void> {
  const { from, to, collection, progress } = move
  const lists = await otherIds(move)
  let done = 0
  for await (const { pages } of pageSlices(from, { collection, limit: slice })) {
    await to.changePages(pages.map((page) => settledPage(page, lists)))
    done += pages.length
    progress?.('states and next visits', done)
  }
  await moveHosts(move)
  const { [moveSetting]: _, ...settings } = await from.settings(collection)
  for (const [name, value] of Object.entries(settings))
    await to.putSetting(collection, name, name === listsSetting ? renamedKeys(value, lists) : value)
  await moveChannels(move)
  await keepPlace(move, { ...place, step: 'done' })
}

/** The lists' ids in the target, by those in the source. */
async function otherIds({ from, to, collection }: Move): Promise<ListNames> {
  const addresses = await listAddresses(from, collection)
  const ids = new Map<string, string>()
  for (const [id, url] of addresses) {
    const there = await to.getPage({ collection, url })
    if (there !== null) ids.set(id, there.id)
  }
  return ids
}

function settledPage(record: PageRecord, lists: ListNames): ChangedPage {
  const { collection, url, importance, tags, settings, due } = record
  const { state, noise, validators, movedTo, title } = record
  const hints = renamedHints(record.hints, lists)
  const learned = { state, hints, noise, validators, movedTo, title }
  const change = { group: record.group ?? null, importance, tags, settings, due, ...learned }
  return { page: { collection, url }, change }
}

/** The order of their records begins anew: tokens are each store's own. */
async function moveHosts({ from, to, collection }: Move): Promise<void> {
  let after: string | undefined
  do {
    const next = after === undefined ? {} : { after }
    const list = await from.listHosts({ collection, limit: slice, ...next })
    const records = await inParts(list.hosts, ({ host }) => from.getHost(host))
    await to.putHosts(
      records.flatMap((record) => {
        if (record === null) return []
        const { fence: _, ...rest } = record
        return [rest]
      }),
    )
    after = list.next ?? undefined
  } while (after !== undefined)
}
