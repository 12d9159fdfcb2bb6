import { ChosenPages, isKeptOnly, type SavedVisit } from '../../../engine/index.js'
import type { FileStore, PageRecord, Store, UnixSeconds } from '../../../model/index.js'
import { exitCode } from '../../exit-code.js'
import { visitLineWithReason, visitRecord } from '../../live/visit-line.js'
import { jsonArray } from '../../text/json-array.js'
import type { World } from '../../world.js'
import { type Configured, type CrawlerFlags, configured } from '../configured.js'
import type { Crawler } from '../open-crawler.js'
import { withStore } from '../open-store.js'
import { namedPage, notWatched } from '../pages/named-page.js'
import { interruption } from '../run/interruption.js'
import { requireContactFor } from '../run/require-contact.js'
import { withCrawler } from '../run/with-crawler.js'
import { spentText } from '../spent-budget.js'
import {
  type LeftOut,
  takenElsewhere,
  type Unvisited,
  unvisited,
  unvisitedLine,
  unvisitedRecord,
} from './unvisited.js'
import { WaitingNotes } from './waiting-notes.js'

/** `revisit visit URL...`: visits pages now, whatever their due time. */
export async function visitCommand(
  world: World,
  { addresses, flags }: { addresses: readonly string[]; flags: CrawlerFlags },
): Promise<number> {
  const made = await configured(world, flags)
  return withStore(made, async (store) => {
    const pages = await watchedPages(made, { store, addresses })
    requireContactFor(pages, made.config)
    const free = await freePages(made, { store, pages })
    const chosen = new ChosenPages(store, { pages: free, patience: made.config.longestDelay })
    const ends = await withCrawler(made, { store, chosen }, (crawler) =>
      visitAll(made, { store, crawler, pages, free, chosen, json: flags.json === true }),
    )
    return ends.every(isVisited) ? exitCode.done : exitCode.notAllVisited
  })
}

/** Each once, in the order given. */
async function watchedPages(
  made: Configured,
  { store, addresses }: { readonly store: Store; readonly addresses: readonly string[] },
): Promise<readonly PageRecord[]> {
  const pages = new Map<string, PageRecord>()
  for (const address of addresses) {
    const page = await namedPage(made, { store, address })
    if (isKeptOnly(page)) throw notWatched(made, page.url)
    pages.set(page.id, page)
  }
  return [...pages.values()]
}

/** Those that nobody holds: asked for at once, and given back to be leased when their hosts allow it. */
async function freePages(
  { crawler, config }: Configured,
  { store, pages }: { readonly store: Store; readonly pages: readonly PageRecord[] },
): Promise<readonly PageRecord[]> {
  const { worker, clock } = crawler
  const terms = { worker, now: clock.now(), ttl: config.leaseTime }
  const leases = await store.leasePages({ ...terms, pages: pages.map(({ id }) => ({ id })) })
  await store.releaseLeases(leases)
  return leases.map(({ page }) => page)
}

/** What became of a page. */
type End = SavedVisit | Unvisited

interface Visiting {
  readonly store: FileStore
  readonly crawler: Crawler
  /** All that were asked for. */
  readonly pages: readonly PageRecord[]
  /** Those that nobody held. */
  readonly free: readonly PageRecord[]
  readonly chosen: ChosenPages
  readonly json: boolean
}

async function visitAll(made: Configured, visiting: Visiting): Promise<readonly End[]> {
  const { store, crawler, pages, chosen, json } = visiting
  const { clock, say, tell } = made.crawler
  const note = (text: string) => tell(`${text}\n`)
  const visits = new Map<string, SavedVisit>()
  let spent: UnixSeconds | null = null
  const stop = interruption(made, { store, crawler, note })
  const notes = new WaitingNotes({ store, chosen, note, now: () => clock.now() })
  try {
    await crawler.run({
      signal: stop.signal,
      once: true,
      patience: made.config.longestDelay,
      onSpent(opens) {
        spent = opens
      },
      onVisit(saved) {
        visits.set(saved.lease.page.id, saved)
        notes.heard()
        if (!json) say(`${visitLineWithReason(saved)}\n`)
      },
    })
  } finally {
    notes.end()
    stop.end()
  }
  const now = clock.now()
  const { requestsPerDay } = made.config
  const budget = spent === null ? null : spentText({ requestsPerDay, opens: spent, now })
  const about = { ...visiting, now, stopped: stop.signal.aborted, budget }
  const ends = await Promise.all(pages.map((page) => visits.get(page.id) ?? leftOut(page, about)))
  if (json)
    say(jsonArray(ends.map((end) => ('visit' in end ? visitRecord(end) : unvisitedRecord(end)))))
  else for (const end of ends) if (!('visit' in end)) say(`${unvisitedLine(end, about.now)}\n`)
  return ends
}

async function leftOut(
  before: PageRecord,
  about: Visiting & Pick<LeftOut, 'now' | 'stopped' | 'budget'>,
): Promise<Unvisited> {
  const { store, free, chosen, now, stopped, budget } = about
  if (!free.some(({ id }) => id === before.id)) return { page: before, why: takenElsewhere }
  return unvisited(store, { before, now, stopped, budget, putOff: chosen.putOff.has(before.id) })
}

/** A page that is gone was visited too, and found so. */
function isVisited(end: End): boolean {
  return 'visit' in end && !['failed', 'refused'].includes(end.visit.outcome)
}
