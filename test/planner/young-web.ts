import { Cycle } from '../../src/crawler/loop.js'
import { guaranteedGap, limitsOf } from '../../src/crawler/page-planners.js'
import type { FetchAnswer, PoliteVisit } from '../../src/model/fetcher.js'
import type { NewPage, PageRecord } from '../../src/model/page.js'
import type { Reader } from '../../src/model/reader.js'
import type { Store } from '../../src/model/store.js'
import { HOUR, type UnixSeconds } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import type { Budget } from '../../src/planner/collection/budget.js'
import { CollectionController } from '../../src/planner/collection/collection-controller.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'
import { visitorOf, type WholeVisits } from '../fixtures/whole-visits.js'

export const start = 1_700_000_000
const collection = 'web'

const reader: Reader = {
  read: ({ body }) => ({ fingerprint: new TextDecoder().decode(body) }),
  lastModified: () => undefined,
}

/** Pages by address with the seconds between two changes; Infinity for one that never changes. */
export type Periods = ReadonlyMap<string, number>

/** A collection that was just begun, followed by the real loop as `run` follows it, on a clock of its own. */
export class YoungWeb implements WholeVisits {
  readonly store: Store
  readonly clock = new VirtualClock(start)
  /** Times of the visits that were answered, by address. */
  readonly seen = new Map<string, UnixSeconds[]>()
  /** Whether servers cannot be reached. */
  down = false
  readonly #periods: Periods
  readonly #controller: CollectionController
  readonly #cycle: Cycle
  #scanAt = start

  static async open(periods: Periods, { budget }: { budget: Budget }): Promise<YoungWeb> {
    const store = openMemoryStore()
    const random = new Random(11)
    const common = { store, collection, worker: 'test', random, pause: async () => {} }
    const limitsFor = limitsOf({})
    const controller = await CollectionController.open({
      ...common,
      budget,
      limitsFor,
      guaranteedGap,
    })
    return new YoungWeb(periods, { store, controller, random })
  }

  private constructor(
    periods: Periods,
    {
      store,
      controller,
      random,
    }: { store: Store; controller: CollectionController; random: Random },
  ) {
    const { clock } = this
    this.store = store
    this.#periods = periods
    this.#controller = controller
    const plannerFor = (page: PageRecord) => controller.plannerFor(page)
    this.#cycle = new Cycle(
      { store, clock, reader, visitor: visitorOf(this), random, plannerFor },
      { collection, worker: 'test', pollEvery: HOUR },
    )
    clock.busy = () => this.#cycle.underWay > 0
  }

  /** As the dashboard changes it. */
  async changeBudget(requestsPerDay: number): Promise<void> {
    await this.#controller.changeBudget(requestsPerDay)
    await this.#controller.settle({ now: this.clock.now() })
  }

  async visit({ url }: { url: string }): Promise<PoliteVisit> {
    const at = this.clock.now()
    return { kind: 'answered', answer: this.down ? unreachable(at) : this.#answer(url), hosts: [] }
  }

  #answer(url: string): FetchAnswer {
    const at = this.clock.now()
    this.seen.set(url, [...(this.seen.get(url) ?? []), at])
    const version = Math.floor((at - start) / this.#periods.get(url)!)
    const body = new TextEncoder().encode(`${version}`)
    const bytesReceived = body.length
    return { kind: 'content', status: 200, at, url, headers: {}, bytesReceived, body }
  }

  async watch(pages: readonly NewPage[]): Promise<void> {
    await this.store.addPages({ collection, pages, now: this.clock.now() })
  }

  /** As `run` begins. */
  async start(): Promise<void> {
    const now = this.clock.now()
    await this.#controller.begin(now)
    await this.#plan(now)
  }

  /** As `run` goes on: visits, and every hour a scan of all pages where it is due. */
  async run(hours: number): Promise<void> {
    const until = this.clock.now() + hours * HOUR
    for (;;) {
      const now = this.clock.now()
      if (now >= this.#scanAt) await this.#plan(now)
      if (now >= until) return
      await this.#cycle.run({ until: Math.min(until, this.#scanAt) })
    }
  }

  async #plan(now: UnixSeconds): Promise<void> {
    if (await this.#controller.isDue(now)) await this.#controller.refresh({ now })
    this.#scanAt = now + HOUR
  }

  async page(url: string): Promise<PageRecord> {
    return (await this.store.getPage({ collection, url }))!
  }

  /** Hours from the last visit of a page to the next that is planned. */
  async gap(url: string): Promise<number> {
    const { due, lastSeen } = await this.page(url)
    return (Number(due.at) - lastSeen!) / HOUR
  }

  /** The longest wait of a page so far, in hours, with the one that it is in. */
  async longestWait(url: string): Promise<number> {
    const seen = this.seen.get(url)!
    const waits = seen.slice(1).map((at, i) => (at - seen[i]!) / HOUR)
    return Math.max(...waits, await this.gap(url))
  }

  /** Hours from the start to each visit of a page. */
  visitsOf(url: string): number[] {
    return (this.seen.get(url) ?? []).map((at) => (at - start) / HOUR)
  }
}

function unreachable(at: UnixSeconds): FetchAnswer {
  return { kind: 'failed', fault: 'connect', message: 'nobody answers', at, bytesReceived: 0 }
}
