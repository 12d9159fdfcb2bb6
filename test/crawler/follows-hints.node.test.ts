import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageReader } from '../../src/content/page-reader.js'
import { Cycle } from '../../src/crawler/loop.js'
import { irregularMle } from '../../src/estimators/rate/irregular-mle.js'
import type { FetchAnswer, PoliteVisit } from '../../src/model/fetcher.js'
import { historyOf } from '../../src/model/history.js'
import type { Store } from '../../src/model/store.js'
import { DAY, HOUR } from '../../src/model/units.js'
import type { VisitRecord } from '../../src/model/visit-record.js'
import { Random } from '../../src/numeric/random.js'
import { CollectionController } from '../../src/planner/collection/collection-controller.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { publisherReader } from '../../src/visit/discovery.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'
import { visitorOf, type WholeVisits } from '../fixtures/whole-visits.js'

const start = Math.floor(1_700_000_000 / DAY) * DAY
const days = 40
const pages = 16
const collection = 'web'
const host = 'a.example'
const address = (page: number) => `http://${host}/page-${page}`
const sitemap = `http://${host}/sitemap.xml`
type Publisher = 'honest' | 'lying' | 'stuck'

/** Change times of pages that change every 12 hours to 30 days. */
const lives = Array.from({ length: pages }, (_, page) => {
  const random = new Random(page + 1)
  const period = 0.5 * DAY * 60 ** (page / (pages - 1))
  const changes = [start - period]
  while (changes.at(-1)! < start + days * DAY)
    changes.push(changes.at(-1)! + period * random.exponential())
  return { period, changes }
})
const changesBy = (page: number, at: number) =>
  lives[page]!.changes.filter((each) => each <= at).length - 1

/** A site of one kind of publisher: pages with a tag, and a sitemap with dates. */
class Site implements WholeVisits {
  readonly #publisher: Publisher
  readonly #clock: VirtualClock
  readonly #random = new Random(9)
  /** Visits of pages by page: when, and which version was got. */
  readonly seen: { at: number; version: number }[][] = lives.map(() => [])
  polls = 0

  constructor(publisher: Publisher, clock: VirtualClock) {
    this.#publisher = publisher
    this.#clock = clock
  }

  async visit({ url }: { url: string }): Promise<PoliteVisit> {
    const at = this.#clock.now()
    const body = new TextEncoder().encode(url === sitemap ? this.#sitemap(at) : this.#page(url, at))
    const type = url === sitemap ? 'application/xml' : 'text/html'
    const headers = { 'content-type': type }
    const answer: FetchAnswer = {
      ...{ kind: 'content', status: 200, at, url, headers },
      bytesReceived: body.length,
      body,
    }
    return { kind: 'answered', answer, hosts: [{ host, state: null, blockedUntil: null }] }
  }

  #page(url: string, at: number): string {
    const page = Number(url.split('-').at(-1))
    const version = changesBy(page, at)
    this.seen[page]!.push({ at, version })
    return `<html><head><meta name="Change-Frequency" content="PERIODIC=${this.#declared(page)}"></head><body><p>version ${version} of page ${page}</p></body></html>`
  }

  #declared(page: number): number {
    const reported = lives[page]!.period / DAY
    if (this.#publisher === 'stuck') return 7
    return this.#publisher === 'honest' ? reported : reported < 4 ? 16 * reported : reported / 16
  }

  #sitemap(at: number): string {
    this.polls++
    const urls = lives.map(({ period, changes }, page) => {
      const honest = changes[changesBy(page, at)]!
      const lie = at - 2 * period * this.#random.exponential()
      const date = { honest, lying: lie, stuck: changes[0]! }[this.#publisher]
      return `<url><loc>${address(page)}</loc><lastmod>${new Date(1000 * Math.floor(date)).toISOString()}</lastmod></url>`
    })
    return `<urlset>${urls.join('')}</urlset>`
  }

  /** Share of the time since the first visits, or since a moment, in which copies equalled pages. */
  freshness(until: number, { from = start } = {}): number {
    let [fresh, time] = [0, 0]
    for (const [page, visits] of this.seen.entries())
      for (const [i, visit] of visits.entries()) {
        const next = visits[i + 1]?.at ?? until
        const at = Math.min(next, Math.max(from, visit.at))
        const stale = lives[page]!.changes[visit.version + 1] ?? Infinity
        fresh += Math.max(0, Math.min(next, stale) - at)
        time += next - at
      }
    return fresh / time
  }
}

interface Followed {
  readonly visits: number
  readonly polls: number
  readonly freshness: number
  /** After ten days: what was predicted at each poll, on the mean, and what came. */
  readonly late: { readonly predicted: number; readonly realised: number }
  readonly times: readonly (readonly number[])[]
  readonly reasons: readonly string[]
  /** What the store has of each page's visits. */
  readonly log: readonly (readonly VisitRecord[])[]
}

/** The loop itself, with its controller, for forty days with a visit every two days and page. */
async function followed(
  store: Store,
  about: { publisher: Publisher; followsHints: boolean; days?: number },
): Promise<Followed> {
  const clock = new VirtualClock(start)
  const site = new Site(about.publisher, clock)
  const settings = { role: 'list' }
  const list = [{ url: sitemap, settings }, ...lives.map((_, page) => ({ url: address(page) }))]
  await store.addPages({ collection, pages: list, now: start })
  const random = new Random(3)
  const controller = await CollectionController.open({
    ...{ store, collection, worker: 'test', random, budget: { perPage: 0.5 } },
    followsHints: () => about.followsHints,
    pause: async () => {},
  })
  const reader = pageReader
  const plannerFor: CollectionController['plannerFor'] = (page) => controller.plannerFor(page)
  const parts = {
    store,
    clock,
    reader,
    random,
    visitor: visitorOf(site),
    plannerFor,
    publisher: publisherReader(),
  }
  const cycle = new Cycle(parts, { collection, worker: 'test', concurrency: 1, pollEvery: HOUR })
  clock.busy = () => cycle.underWay > 0
  const reasons: string[] = []
  const reported: number[] = []
  for (let day = 2; day <= (about.days ?? days); day += 2) {
    await controller.refresh({ now: clock.now() })
    if (day > 10) reported.push(controller.predicted!)
    await cycle.run({ until: start + day * DAY, onVisit: ({ due }) => reasons.push(due.reason) })
  }
  const times = site.seen.map((visits) => visits.map(({ at }) => at))
  const log = await Promise.all(
    lives.map((_, page) => store.visitsOf({ collection, url: address(page) })),
  )
  await store.close()
  const { polls } = site
  const visits = times.reduce((sum, each) => sum + each.length, polls)
  const until = start + days * DAY
  const predicted = reported.reduce((a, b) => a + b) / reported.length
  const late = { predicted, realised: site.freshness(until, { from: start + 10 * DAY }) }
  return { visits, polls, freshness: site.freshness(until), late, times, reasons, log }
}

const inMemoryBefore = new Map<string, Promise<Followed>>()
/** Nothing of a run is left to chance, so several tests look at the same one. */
function inMemory(publisher: Publisher, followsHints: boolean): Promise<Followed> {
  const name = `${publisher} ${followsHints}`
  const run = inMemoryBefore.get(name) ?? followed(openMemoryStore(), { publisher, followsHints })
  inMemoryBefore.set(name, run)
  return run
}

/** The change period by the log, and by its gaps alone, beside that which really was. */
function periodsBy(visits: readonly VisitRecord[], changePeriod: number) {
  const bare = visits.map(({ unchangedFor: _, ...visit }) => visit)
  const [reported, gapsAlone] = [visits, bare].map(
    (log) => irregularMle.estimate(historyOf(log)!).changePeriod! / changePeriod,
  )
  return { reported: reported!, gapsAlone: gapsAlone! }
}

describe('the loop on a virtual clock, hearing hints', () => {
  it('keeps copies fresher for no more requests where they are honest, polls of the sitemap counted', async () => {
    const withoutHints = await inMemory('honest', false)
    const withHints = await inMemory('honest', true)
    expect(withHints.visits).toBeLessThan(1.05 * withoutHints.visits)
    expect(withHints.freshness).toBeGreaterThan(withoutHints.freshness + 0.05)
    expect(withHints.reasons.some((each) => each.includes('since its sitemap says'))).toBe(true)
    expect(withoutHints.reasons.some((each) => each.includes('since its'))).toBe(false)
  })

  // Sixteen pages for thirty days: their freshness scatters by a point or two.
  it('predicts how fresh copies will be, whether it hears or not', async () => {
    for (const followsHints of [false, true]) {
      const { predicted, realised } = (await inMemory('honest', followsHints)).late
      expect(Math.abs(predicted - realised)).toBeLessThan(0.03)
    }
  })

  it.each(['lying', 'stuck'] as const)('loses little where they are %s', async (publisher) => {
    const withoutHints = await inMemory(publisher, false)
    const withHints = await inMemory(publisher, true)
    expect(withHints.visits).toBeLessThanOrEqual(1.05 * withoutHints.visits)
    expect(withHints.freshness).toBeGreaterThan(withoutHints.freshness - 0.03)
  })

  it('keeps a log by which pages change as often as they do', async () => {
    const { log } = await inMemory('honest', true)
    const byPage = log.flatMap((visits, page) => {
      const changes = changesBy(page, start + days * DAY) - changesBy(page, start)
      return changes < 10 ? [] : [{ changes, ...periodsBy(visits, (days * DAY) / changes) }]
    })
    expect(byPage).toHaveLength(10)
    // Within three standard errors of a page's own changes, and of all changes together.
    for (const { changes, reported, gapsAlone } of byPage) {
      expect(Math.abs(Math.log(reported))).toBeLessThan(3 / Math.sqrt(changes))
      expect(gapsAlone).toBeLessThan(0.9)
    }
    const all = byPage.reduce((sum, { changes }) => sum + changes, 0)
    const off =
      byPage.reduce((sum, { changes, reported }) => sum + changes * Math.log(reported), 0) / all
    expect(Math.abs(off)).toBeLessThan(3 / Math.sqrt(all))
    // By gaps alone most look more than twice as fast: pages are visited when they have changed.
    expect(byPage.filter(({ gapsAlone }) => gapsAlone < 0.5).length).toBeGreaterThan(5)
  })

  it('makes the same visits in SQLite as in memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'revisit-hearing-'))
    const store = await openSqliteStore({ path: join(folder, 'revisit.db') })
    const about = { publisher: 'honest', followsHints: true, days: 12 } as const
    const stored = await followed(store, about)
    rmSync(folder, { recursive: true })
    const kept = await followed(openMemoryStore(), about)
    expect(stored.times).toEqual(kept.times)
    expect(stored.log).toEqual(kept.log)
    expect(stored.log.flat().some(({ unchangedFor }) => unchangedFor !== undefined)).toBe(true)
    expect(stored.polls).toBe(kept.polls)
  })
})
