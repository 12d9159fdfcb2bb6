import { taken, withListSignal } from '../hints/list-signals.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { FoundPage, Hint } from '../model/hint.js'
import { succeeded } from '../model/history.js'
import type { HostRecord } from '../model/lease.js'
import type { NewPage, PageRecord } from '../model/page.js'
import type { PublisherReader } from '../model/reader.js'
import { changeSetting, type Store } from '../model/store.js'
import { noHints, pageHintsJson } from '../model/stored-hints.js'
import type { Json, RandomSource, UnixSeconds } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'
import type { Planner } from '../planner/step.js'
import { ofPage } from './deferred.js'

/** How many pages were found on a host, in all and of each shape. */
interface FoundTally {
  pages: number
  readonly shapes: Record<string, number>
}

/** Shapes told apart; the rest share one. */
const mostShapes = 500
const usualLimit = 1000
/** One shape (a calendar, say) takes this share of the room at most, but a few in any case. */
const shapeShare = 0.5
const shapeLeast = 20

function foundTally(json: Json | undefined): FoundTally {
  const { pages, shapes } = (json ?? {}) as { pages?: Json; shapes?: Json }
  const known = typeof shapes === 'object' && shapes !== null ? Object.entries(shapes) : []
  const counts = known.filter((each): each is [string, number] => typeof each[1] === 'number')
  return { pages: typeof pages === 'number' ? pages : 0, shapes: Object.fromEntries(counts) }
}

/** Whether one more page may be added; counts it if so. */
function roomFor({ shape, settings }: FoundPage, tally: FoundTally): boolean {
  const limit = limitOf(settings)
  const known = Object.hasOwn(tally.shapes, shape)
  const name = known || Object.keys(tally.shapes).length < mostShapes ? shape : 'others'
  const alike = Object.hasOwn(tally.shapes, name) ? tally.shapes[name]! : 0
  const most = name === 'others' ? limit : Math.max(shapeLeast, shapeShare * limit)
  if (tally.pages >= limit || alike >= most) return false
  tally.pages++
  Object.defineProperty(tally.shapes, name, {
    value: alike + 1,
    enumerable: true,
    writable: true,
    configurable: true,
  })
  return true
}

function limitOf(settings: FoundPage['settings']): number {
  const { discover } = settings ?? {}
  const { pages } = (discover ?? {}) as { pages?: Json }
  return typeof pages === 'number' && pages >= 0 ? pages : usualLimit
}

/** Pages added in one transaction. */
const batch = 500
/** Dates of lists are often whole days. */
const daySlack = 2 * 86_400

export interface FindingsParts {
  readonly store: Store
  readonly publisher?: PublisherReader
  readonly plannerFor: (page: PageRecord) => Planner
  readonly random: RandomSource
}

interface Answered {
  readonly answer: FetchAnswer
  readonly page: PageRecord
  readonly host: HostRecord | undefined
  readonly report: VisitReport
}

/**
 * What answers tell of other pages, taken into the store: pages found are
 * added, each once; what lists say of known pages is kept with them, and makes
 * them due where such change signals proved right. One answer after another, so that
 * counts are kept.
 */
export class Findings {
  readonly #parts: FindingsParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: FindingsParts) {
    this.#parts = parts
  }

  /** The hints of an answer for its own page's report; undefined where nobody listens. */
  hintsIn(answer: FetchAnswer): readonly Hint[] | undefined {
    if (answer.kind !== 'content' && answer.kind !== 'not-modified') return undefined
    return this.#parts.publisher?.hints(answer)
  }

  /** Takes in what an answer tells of others; the report to record, which noindex may alter. */
  async take(answered: Answered): Promise<VisitReport> {
    const { publisher } = this.#parts
    const { answer, page, host, report } = answered
    const { outcome } = report.visit
    if (publisher === undefined || answer.kind !== 'content') return report
    if (!succeeded(outcome)) return report
    if (page.settings.found === true && ofPage(() => publisher.unlisted(answer)))
      return leftAlone(report)
    if (outcome === 'unchanged') return report
    const found = ofPage(() => publisher.found(answer, { page, host }))
    if (found.length === 0) return report
    const done = this.#last.then(() => this.#taken(found, answered))
    this.#last = done.catch(() => undefined)
    await done
    return report
  }

  async #taken(found: readonly FoundPage[], { page, report }: Answered): Promise<void> {
    const { store } = this.#parts
    const { collection } = page
    const now = report.visit.at
    const fresh: FoundPage[] = []
    for (const each of found) {
      if (each.settings === null && !isChangeSignal(each, page)) continue
      const known = await store.getPage({ collection, url: each.url })
      if (known === null) {
        if (each.settings !== null) fresh.push(each)
      } else if (each.hints.length > 0 && isChangeSignal(each, page))
        await this.#addSignal(known, { each, list: page, hostHints: report.host?.hints, now })
    }
    if (fresh.length > 0) await this.#add(fresh, { page, now })
  }

  async #add(
    fresh: readonly FoundPage[],
    { page, now }: { readonly page: PageRecord; readonly now: UnixSeconds },
  ): Promise<void> {
    const { store } = this.#parts
    const { collection } = page
    const name = `found ${page.host}`
    let room: readonly FoundPage[] = []
    // Their room is taken before they are added: two processes must not both take the last of it.
    await changeSetting(store, { collection, name }, (before) => {
      const tally = foundTally(before)
      room = fresh.filter((each) => roomFor(each, tally))
      return room.length === 0 ? undefined : (tally as unknown as Json)
    })
    const pages = room.map((each) => newPage(each, page, now))
    for (let i = 0; i < pages.length; i += batch)
      await store.addPages({ collection, pages: pages.slice(i, i + batch), now })
  }

  async #addSignal(
    known: PageRecord,
    reported: {
      readonly each: FoundPage
      readonly list: PageRecord
      readonly hostHints: Json | undefined
      readonly now: UnixSeconds
    },
  ): Promise<void> {
    const { each, list, hostHints, now } = reported
    const changeSignal = { hints: each.hints, source: list.id, now, before: list.lastSeen }
    const { plannerFor, random } = this.#parts
    const change = withListSignal(known, {
      ...changeSignal,
      hostHints,
      planner: plannerFor(known),
      random,
    })
    await this.#parts.store.changePage(known, change)
  }
}

/** A page that was found and asks not to be listed: no copy is kept, and it is rarely visited. */
function leftAlone({ content: _, ...report }: VisitReport): VisitReport {
  const reason = 'found by itself, and asks not to be indexed (noindex); visited again in 90 days'
  return { ...report, due: { at: report.visit.at + 90 * 86_400, reason } }
}

/** Listed for the first time, or reported changed since the list was last polled. */
function isChangeSignal({ hints }: FoundPage, { lastSeen }: PageRecord): boolean {
  if (lastSeen === null) return hints.length > 0
  return hints.some(({ claim }) => claim.says === 'changed-at' && claim.at > lastSeen - daySlack)
}

function newPage({ url, hints, settings }: FoundPage, from: PageRecord, now: UnixSeconds): NewPage {
  const reported = taken(noHints, { hints, source: from.id, now })
  const inherited = from.settings.policy === undefined ? {} : { policy: from.settings.policy }
  const { headers } = from.settings
  return {
    url,
    ...(from.group === undefined ? {} : { group: from.group }),
    settings: { ...inherited, ...(headers === undefined ? {} : { headers }), ...settings },
    due: { at: now, reason: `found at ${from.url}` },
    ...(hints.length === 0 ? {} : { hints: pageHintsJson(reported) }),
  }
}
