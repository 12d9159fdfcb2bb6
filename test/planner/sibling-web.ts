import { Cycle } from '../../src/crawler/loop.js'
import type { FetchAnswer, PoliteVisit } from '../../src/model/fetcher.js'
import { hostOf } from '../../src/model/page.js'
import type { Reader } from '../../src/model/reader.js'
import type { Store } from '../../src/model/store.js'
import { DAY, HOUR } from '../../src/model/units.js'
import type { VisitReport } from '../../src/model/visit-record.js'
import { Random } from '../../src/numeric/random.js'
import { CollectionController } from '../../src/planner/collection/collection-controller.js'
import { Neighbours } from '../../src/planner/collection/siblings.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'
import { visitorOf, type WholeVisits } from '../fixtures/whole-visits.js'

export const start = 1_700_000_000
export const collection = 'web'
export const together = 'together.example'
export const apart = 'apart.example'

/** Times of change by address. */
export type Changes = ReadonlyMap<string, readonly number[]>

function poissonTimes(random: Random, { period, days }: { period: number; days: number }) {
  const times: number[] = []
  let at = start
  while (at < start + days * DAY) {
    at += period * random.exponential()
    times.push(at)
  }
  return times
}

/** One site that republishes all of its pages at once, and one whose pages change by themselves, as often. */
export function twoSites(about: { pages: number; days: number; period: number; seed: number }) {
  const { pages, seed, ...terms } = about
  const random = new Random(seed)
  const shared = poissonTimes(random, terms)
  const changes = new Map<string, readonly number[]>()
  for (let page = 0; page < pages; page++) {
    changes.set(`http://${together}/${page}`, shared)
    changes.set(`http://${apart}/${page}`, poissonTimes(random, terms))
  }
  return changes
}

/** Serves the pages as they are at the clock's time; remembers when each was asked for. */
export class SiblingWeb implements WholeVisits {
  readonly visits = new Map<string, number[]>()
  readonly #changes: Changes
  readonly #clock: VirtualClock

  constructor(changes: Changes, clock: VirtualClock) {
    this.#changes = changes
    this.#clock = clock
  }

  async visit({ url }: { url: string }): Promise<PoliteVisit> {
    const at = this.#clock.now()
    this.visits.set(url, [...(this.visits.get(url) ?? []), at])
    const version = this.#changes.get(url)!.filter((time) => time <= at).length
    const body = new TextEncoder().encode(`${version}`)
    const answer: FetchAnswer = {
      kind: 'content',
      status: 200,
      at,
      url,
      headers: {},
      bytesReceived: body.length,
      body,
    }
    return {
      kind: 'answered',
      answer,
      hosts: [{ host: hostOf(url), state: {}, blockedUntil: null }],
    }
  }

  visitsOf(host: string): number {
    return [...this.visits].reduce(
      (sum, [url, each]) => sum + (hostOf(url) === host ? each.length : 0),
      0,
    )
  }

  /** Share of the time from the tenth day on in which copies of a host were fresh. */
  freshness(host: string, { days }: { days: number }): number {
    const [from, until] = [start + 10 * DAY, start + days * DAY]
    let [fresh, pages] = [0, 0]
    for (const [url, visits] of this.visits) {
      if (hostOf(url) !== host) continue
      pages++
      const bounds = visits.filter((at) => at < until)
      bounds.forEach((at, i) => {
        const stale = this.#changes.get(url)!.find((time) => time > at) ?? Infinity
        const end = Math.min(bounds[i + 1] ?? until, stale, until)
        fresh += Math.max(0, end - Math.max(at, from))
      })
    }
    return fresh / (pages * (until - from))
  }
}

const reader: Reader = {
  read: ({ body }) => ({ fingerprint: new TextDecoder().decode(body) }),
  lastModified: () => undefined,
}

export interface Following {
  readonly changes: Changes
  readonly days: number
  /** Whether the loop follows change signals of neighbours. */
  readonly neighbours: boolean
  readonly perPage: number
  /** The day to begin with, where an earlier run ended. */
  readonly fromDay?: number
  /** Whether the process dies when it is about to record its n-th visit. */
  readonly diesAt?: (visit: number) => boolean
}

/** Follows the sites by the real loop, refreshed every other day; a process that died is started again. */
export async function follow(
  store: Store,
  { changes, days, neighbours: isOn, perPage, fromDay = 0, diesAt }: Following,
): Promise<{ web: SiblingWeb; controller: CollectionController }> {
  const clock = new VirtualClock(start + fromDay * DAY)
  const web = new SiblingWeb(changes, clock)
  const pages = [...changes.keys()].map((url) => ({ url }))
  await store.addPages({ collection, pages, now: start })
  const random = new Random(11)
  const common = { store, collection, worker: 'test', random, pause: async () => {} }
  const controller = await CollectionController.open({ ...common, budget: { perPage } })
  const neighbours = new Neighbours({
    store,
    random,
    planners: controller.planners,
    follows: (page) => controller.follows(page),
    price: () => controller.price,
  })
  const mortal = diesAt === undefined ? store : dying(store, diesAt)
  const opened = () => {
    const cycle = new Cycle(
      {
        ...common,
        store: mortal,
        clock,
        reader,
        visitor: visitorOf(web),
        plannerFor: (page) => controller.plannerFor(page),
        ...(isOn ? { neighbours } : {}),
      },
      { collection, worker: 'test', pollEvery: HOUR },
    )
    clock.busy = () => cycle.underWay > 0
    return cycle
  }
  let cycle = opened()
  for (let day = fromDay; day < days; ) {
    if (day % 2 === 0) await controller.refresh({ now: clock.now() })
    const alive = await cycle.run({ until: start + (day + 1) * DAY }).then(
      () => true,
      (error: unknown) => {
        if (error !== death) throw error
        return false
      },
    )
    if (alive) day++
    else cycle = opened()
  }
  return { web, controller }
}

const death = new Error('killed')

/** A store whose process is killed before a visit is recorded, with all else it wrote on the disk. */
function dying(store: Store, diesAt: (visit: number) => boolean): Store {
  let visits = 0
  return new Proxy(store, {
    get(target, name) {
      if (name === 'recordVisits')
        return async (reports: readonly VisitReport[]) => {
          if (diesAt(visits++)) throw death
          return target.recordVisits(reports)
        }
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
