import { ChosenPages } from '../../crawler/chosen-pages.js'
import { requireContactFor } from '../../crawler/contact.js'
import type { Crawler } from '../../crawler/open-crawler.js'
import type { SavedVisit } from '../../crawler/unsaved-visits.js'
import { shown } from '../../formats/printable-text.js'
import { humanTime } from '../../model/duration.js'
import type { PageRecord } from '../../model/page.js'
import type { Store } from '../../model/store.js'
import type { Json, UnixSeconds } from '../../model/units.js'
import { isKeptOnly } from '../../planner/collection/replan.js'
import { storeCommand } from '../command.js'
import { type Configured, configured, withStore } from '../configured.js'
import { exitCode } from '../environment.js'
import { interruption, spentText, withCrawler } from '../live/crawler-session.js'
import { visitLineWithReason, visitRecord } from '../live/visit-line.js'
import { namedPage, notWatched } from '../page-selection.js'
import { jsonArray } from '../text/json.js'
import { counted } from '../text/numbers.js'
import { timeAndMoment } from '../text/time.js'

/** A page that could not be visited now. */
interface Unvisited {
  /** As it is now. */
  readonly page: PageRecord
  readonly why: string
}

/** What is said of a page that another holds. */
const takenElsewhere = 'another process is visiting it'

/** Why a page was left out that nobody held when it was asked for. */
async function unvisited(store: Store, leftOut: LeftOut): Promise<Unvisited> {
  const { before } = leftOut
  const page = await store.getPage(before)
  if (page === null) return { page: before, why: 'it is no longer watched' }
  const host = await store.getHost(page.host)
  return { page, why: why({ ...leftOut, page, rests: host?.blockedUntil ?? null }) }
}

/** A page that was asked for, and how the asking went on. */
interface LeftOut {
  readonly before: PageRecord
  readonly now: UnixSeconds
  /** Whether a person stopped it. */
  readonly stopped: boolean
  /** What is said of the day's budget, where it is used up. */
  readonly budget: string | null
  /** Whether the page waits for itself. */
  readonly deferred: boolean
}

function why(
  leftOut: LeftOut & {
    readonly page: PageRecord
    /** Until when the host rests. */
    readonly rests: UnixSeconds | null
  },
): string {
  const { before, page, now, stopped, budget, deferred, rests } = leftOut
  if (page.lastVisit?.at !== before.lastVisit?.at) return 'another process has visited it meanwhile'
  const { at, reason } = page.due
  if (deferred) return `it waits until ${moment(at, now)}: ${shown(reason)}`
  if (stopped) return 'stopped before its turn'
  if (budget !== null) return budget
  if (rests !== null && rests > now)
    return `its host rests until ${moment(rests, now)}: for its delay, a budget, or because it asked for that`
  return 'another process is visiting its host'
}

function moment(at: UnixSeconds | 'never', now: UnixSeconds): string {
  return at === 'never' ? at : timeAndMoment(at, now)
}

/** One line, in the columns of a visit. */
function unvisitedLine({ page, why }: Unvisited, now: UnixSeconds): string {
  return `${humanTime(now)}  waiting    -     ${shown(page.url)}  ${why}`
}

/** The same for a program: an outcome that no visit has. */
function unvisitedRecord({ page, why }: Unvisited): Readonly<Record<string, Json>> {
  return { url: page.url, outcome: 'waiting', why, due: { ...page.due } }
}

interface Waiting {
  readonly store: Pick<Store, 'getHost'>
  readonly chosen: Pick<ChosenPages, 'waiting' | 'underWay'>
  readonly now: () => UnixSeconds
  readonly note: (text: string) => void
}

/** Milliseconds of silence before a note. */
const pause = 2000

/**
 * Says what is waited for where nothing else was said for a while, and again
 * when it is something else.
 */
class WaitingNotes {
  readonly #with: Waiting
  #timer: NodeJS.Timeout | undefined
  #reported: string | undefined

  constructor(waiting: Waiting) {
    this.#with = waiting
    this.#timer = this.#start()
  }

  /** A visit was reported. */
  visited(): void {
    this.end()
    this.#timer = this.#start()
  }

  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #start(): NodeJS.Timeout {
    // A note must end nothing: a store that is closing answers no more.
    return setInterval(() => void this.#check().catch(() => {}), pause)
  }

  async #check(): Promise<void> {
    const timer = this.#timer
    const { chosen, note } = this.#with
    const [next, ...others] = await this.#hosts(chosen.waiting)
    const { underWay } = chosen
    const key = next === undefined ? `${underWay}` : `${next.host} ${next.rests}`
    // A visit may have been reported meanwhile, or the last one.
    if (timer !== this.#timer || key === this.#reported || key === '0') return
    this.#reported = key
    if (next === undefined) note(`${underWay} under way`)
    else note(`waiting for ${next.host}${this.#why(next.rests)}${more(others.length)}`)
  }

  /** Of these pages, those that are free soonest first. */
  async #hosts(pages: readonly PageRecord[]): Promise<HostWait[]> {
    const { store, now } = this.#with
    const names = [...new Set(pages.map(({ host }) => host))]
    const waits = await Promise.all(
      names.map(async (host) => {
        const until = (await store.getHost(host))?.blockedUntil ?? 0
        return { host, rests: until > now() ? until : 0 }
      }),
    )
    return waits.sort((a, b) => a.rests - b.rests)
  }

  #why(rests: UnixSeconds): string {
    if (rests === 0) return ', which is being visited'
    return `, which rests until ${timeAndMoment(rests, this.#with.now())}`
  }
}

interface HostWait {
  readonly host: string
  /** Until when; 0 where it does not. */
  readonly rests: UnixSeconds
}

function more(hosts: number): string {
  return hosts === 0 ? '' : ` (and ${counted(hosts, 'more host')})`
}

/** `revisit visit URL...`: visits pages now, whatever their due time. */
export const visitCommand = storeCommand({
  description:
    'Visit watched pages now, whatever their due time, and say for each what came of it, when it is visited next and why. robots.txt, delays, budgets and hours hold as ever. A host that rests for no longer than longest-delay is waited for; a page whose host rests longer, or that another process is visiting, is reported as waiting. Exit code 1 where a page failed, was refused or waits.',
  arguments: [['<URL...>', 'addresses of pages; follow new ones with revisit watch first']],
  async run(environment, [addresses], flags) {
    const made = await configured(environment, flags)
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
  },
})

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
  readonly store: Store
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
        notes.visited()
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
  return unvisited(store, {
    before,
    now,
    stopped,
    budget,
    deferred: chosen.deferred.has(before.id),
  })
}

/** A page that is gone was visited too, and found so. */
function isVisited(end: End): boolean {
  return 'visit' in end && !['failed', 'refused'].includes(end.visit.outcome)
}
