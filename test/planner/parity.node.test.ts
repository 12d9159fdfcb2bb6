import { describe, expect, it } from 'vitest'
import { Cycle } from '../../src/crawler/loop.js'
import { AutoReplay } from '../../src/lab/evaluate/auto-replay.js'
import { replayCollection } from '../../src/lab/evaluate/collection.js'
import type { FetchAnswer, PoliteVisit } from '../../src/model/fetcher.js'
import type { RecordedChanges } from '../../src/model/history.js'
import type { Reader } from '../../src/model/reader.js'
import { DAY, HOUR, type RandomSource } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { CollectionController } from '../../src/planner/collection/collection-controller.js'
import { Neighbours } from '../../src/planner/collection/siblings.js'
import { defaultChangeLaw } from '../../src/planner/prior/default-prior.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'
import { visitorOf, type WholeVisits } from '../fixtures/whole-visits.js'

/** A Thursday, 0 h UTC, as weeks of Unix time begin: the replay's clock begins there too. */
const start = 7 * DAY * 2800
const days = 45
const perPage = 1
/** Pages are met one after another: of two that are due at one moment either may come first. */
const metAt = (page: number) => start + 97 * page
const collection = 'web'

/** No chance on either side: crawler and replay draw in different orders. */
const middle: RandomSource = {
  uniform: () => 0.5,
  exponential: () => 1,
  normal: () => 0,
  gamma: (shape) => shape,
}

/** Three hosts of 14 pages: one publishes all pages at once, one in bursts, one in working hours. */
function objects(): RecordedChanges[] {
  const random = new Random(21)
  const times = (next: () => number): number[] => {
    const found: number[] = []
    for (let at = start + next(); at < start + days * DAY; at += next()) found.push(at)
    return found
  }
  const pushes = times(() => 2 * DAY * random.exponential())
  return Array.from({ length: 42 }, (_, page) => {
    const host = ['pushed', 'bursts', 'hours'][page % 3]!
    const period = DAY * 2 ** (page % 5)
    const own =
      host === 'bursts'
        ? times(() => period * random.exponential() * (random.uniform() < 0.6 ? 0.1 : 1.5))
        : times(() => DAY * Math.ceil(3 * random.uniform())).map(
            (at) => at - (at % DAY) + 15 * HOUR + 2 * HOUR * random.uniform(),
          )
    const changes = host === 'pushed' ? pushes : own
    return {
      id: `http://${host}.example/${page}`,
      source: `${host}.example`,
      from: metAt(page),
      until: start + days * DAY,
      cadence: 0,
      changes: Float64Array.from(changes),
    }
  })
}

/** The web as it is at the clock's time: a page's content is its last change. */
class RecordedWeb implements WholeVisits {
  readonly visits = new Map<string, number[]>()
  readonly #changes: ReadonlyMap<string, Float64Array>
  readonly #clock: VirtualClock

  constructor(pages: readonly RecordedChanges[], clock: VirtualClock) {
    this.#changes = new Map(pages.map(({ id, changes }) => [id, changes]))
    this.#clock = clock
  }

  async visit({ url }: { url: string }): Promise<PoliteVisit> {
    const at = this.#clock.now()
    this.visits.set(url, [...(this.visits.get(url) ?? []), at])
    const version = this.#changes.get(url)!.filter((time) => time <= at).length
    const body = new TextEncoder().encode(`version ${version}`)
    const answer: FetchAnswer = {
      kind: 'content',
      status: 200,
      at,
      url,
      headers: {},
      bytesReceived: body.length,
      body,
    }
    return { kind: 'answered', answer, hosts: [] }
  }
}

const reader: Reader = {
  read: ({ body }) => ({ fingerprint: new TextDecoder().decode(body) }),
  lastModified: () => undefined,
}

/** Times of all visits by page, by the crawler's own loop with its controller once a day. */
async function crawled(pages: readonly RecordedChanges[]) {
  const store = openMemoryStore()
  const clock = new VirtualClock(start)
  const web = new RecordedWeb(pages, clock)
  const listed = pages.map(({ id, from }) => ({ url: id, due: { at: from, reason: 'new' } }))
  await store.addPages({ collection, pages: listed, now: start })
  const common = { store, collection, worker: 'test', random: middle, pause: async () => {} }
  const controller = await CollectionController.open({ ...common, budget: { perPage } })
  const neighbours = new Neighbours({
    store,
    random: middle,
    planners: controller.planners,
    follows: (page) => controller.follows(page),
    price: () => controller.price,
  })
  const cycle = new Cycle(
    {
      ...common,
      clock,
      reader,
      visitor: visitorOf(web),
      neighbours,
      plannerFor: (page) => controller.plannerFor(page),
    },
    { collection, worker: 'test', concurrency: 1000, perHost: 1000, pollEvery: HOUR },
  )
  clock.busy = () => cycle.underWay > 0
  const prices: number[] = []
  for (let day = 0; day < days; day++) {
    // All pages are there from the second day on.
    if (day > 0) await controller.refresh({ now: clock.now() })
    prices.push(controller.price)
    await cycle.run({ until: start + (day + 1) * DAY })
  }
  return { visits: web.visits, prices }
}

/** The same by the replay that `evaluate` runs. */
function replayed(pages: readonly RecordedChanges[]) {
  const recorded = replayCollection(pages, { seed: 1, length: days * DAY })
  const visits = new Map<string, number[]>()
  const replay = new AutoReplay(recorded, {
    seed: 1,
    warmUp: 0,
    perDay: perPage,
    lawFor: () => defaultChangeLaw,
    random: middle,
    onVisit({ page, at }) {
      const url = recorded.ids[page]!
      visits.set(url, [...(visits.get(url) ?? []), start + at])
    },
  })
  const prices: number[] = []
  for (let day = 0; day < days; day++) {
    if (day > 0) replay.controller.scan(day * DAY)
    prices.push(replay.price)
    replay.visitUntil((day + 1) * DAY)
  }
  return { visits, prices, replay }
}

describe('what evaluate measures is what runs', () => {
  it('the loop on a virtual clock and the replay make identical visits under a budget', async () => {
    const pages = objects()
    const crawl = await crawled(pages)
    const replay = replayed(pages)
    crawl.prices.forEach((price, day) => {
      expect(replay.prices[day]! / price, `price of day ${day}`).toBeCloseTo(1, 6)
    })
    let total = 0
    for (const { id } of pages) {
      const expected = replay.visits.get(id)!
      const made = crawl.visits.get(id)!
      expect(made.length, id).toBe(expected.length)
      made.forEach((at, i) => {
        expect(Math.abs(at - expected[i]!), `${id}, visit ${i}`).toBeLessThan(0.01)
      })
      total += made.length
    }
    // The budget steers: as many visits as it allows, give or take some.
    expect(total / (days * pages.length)).toBeGreaterThan(0.8)
    expect(total / (days * pages.length)).toBeLessThan(1.2)
    // Something is learned on the way: laws and hours, and news of a site are kept.
    expect(replay.replay.learnerOf(0).law.masses).not.toEqual(defaultChangeLaw.masses)
    expect(replay.replay.changeSignal!.of(0).at).not.toBeNull()
  }, 120_000)
})
