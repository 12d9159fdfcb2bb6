import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Cycle } from '../../src/crawler/loop.js'
import { malcolmArmitageLearner } from '../../src/estimators/rate/malcolm-armitage.js'
import type { Timeline } from '../../src/lab/process/change-process.js'
import { poisson } from '../../src/lab/process/poisson.js'
import { Scores } from '../../src/lab/scores.js'
import { reportsNothing, reportsTruth, visitPage } from '../../src/lab/visit-loop.js'
import type { FetchAnswer, PoliteVisit } from '../../src/model/fetcher.js'
import type { Reader } from '../../src/model/reader.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import { defaultChangeLaw } from '../../src/planner/prior/default-prior.js'
import { PageState, type Planner } from '../../src/planner/step.js'
import { nutch } from '../../src/policies/crawlers.js'
import { malcolmArmitage } from '../../src/policies/malcolm-armitage.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'
import { visitorOf, type WholeVisits } from '../fixtures/whole-visits.js'

const start = 1_700_000_000
const address = (page: number) => `http://host-${page % 50}.example/page-${page}`
const planners: Planner[] = [
  { policy: malcolmArmitage(), learner: malcolmArmitageLearner },
  { policy: nutch, learner: null },
]
const autoOptions = { price: 2 * HOUR, stagger: 0, clock: defaultChangeLaw.clock }
const autoPlanners: Planner[] = [
  { policy: autoPolicy(autoOptions), learner: autoLearner() },
  { policy: autoPolicy({ ...autoOptions, followsHints: true }), learner: autoLearner() },
]
/** Most pages are told their content age and visited daily, all at once; every hundredth goes its own way. */
const usualPlanner = (page: number) => planners[page % 200 === 100 ? 1 : 0]!
const autoPlanner = () => autoPlanners[0]!
const hintedPlanner = () => autoPlanners[1]!
const tellsAge = (page: number) => page % 100 !== 0
const timelineOf = (page: number) =>
  poisson({ period: HOUR * 1.0045 ** page }).timeline({ from: start, random: new Random(page) })

/** The page's present as a server would tell it: its last change is its content. */
class VirtualWeb implements WholeVisits {
  readonly #timelines = new Map<string, Timeline>()
  readonly #clock: VirtualClock

  constructor(pages: number, clock: VirtualClock) {
    for (let page = 0; page < pages; page++) this.#timelines.set(address(page), timelineOf(page))
    this.#clock = clock
  }

  async visit({ url }: { url: string }): Promise<PoliteVisit> {
    const timeline = this.#timelines.get(url)!
    timeline.advance(this.#clock.now())
    const body = new TextEncoder().encode(`changed at ${timeline.lastChange}`)
    const reported = tellsAge(Number(url.split('-').at(-1)))
    const headers: Record<string, string> = reported
      ? { 'last-modified': String(timeline.lastChange) }
      : {}
    const answer: FetchAnswer = {
      kind: 'content',
      status: 200,
      at: this.#clock.now(),
      url,
      headers,
      bytesReceived: body.length,
      body,
    }
    return { kind: 'answered', answer, hosts: [] }
  }
}

const reader: Reader = {
  read({ body, headers }) {
    const lastModified = headers['last-modified']
    const fingerprint = new TextDecoder().decode(body)
    return lastModified === undefined
      ? { fingerprint }
      : { fingerprint, lastModified: Number(lastModified) }
  },
  lastModified: () => undefined,
}

/** Visit times of a page by the simulator's loop. */
function simulated(
  page: number,
  { planner, until }: { planner: Planner; until: number },
): number[] {
  const times: number[] = []
  const timeline = timelineOf(page)
  const watched: Timeline = {
    advance(to) {
      if (to < until) times.push(to)
      return timeline.advance(to)
    },
    get lastChange() {
      return timeline.lastChange
    },
    get firstChange() {
      return timeline.firstChange
    },
    get changes() {
      return timeline.changes
    },
  }
  const state = new PageState({ learner: planner.learner, random: new Random(1) })
  const contentAge = tellsAge(page) ? reportsTruth : reportsNothing
  visitPage(planner, state, new Scores(), { timeline: watched, from: start, until, contentAge })
  return [start, ...times]
}

describe('the loop on a virtual clock', () => {
  it.each([
    { name: 'the policies of the papers', plannerOf: usualPlanner },
    { name: 'the default', plannerOf: autoPlanner },
    { name: 'the default that follows hints, where nobody tells any', plannerOf: hintedPlanner },
  ])('makes the same visits as the simulator, on 1,000 pages: $name', async ({ plannerOf }) => {
    const pages = 1000
    const until = start + 4 * DAY
    const clock = new VirtualClock(start)
    const folder = mkdtempSync(join(tmpdir(), 'revisit-cycle-'))
    const store = await openSqliteStore({ path: join(folder, 'revisit.db') })
    const urls = Array.from({ length: pages }, (_, page) => ({ url: address(page) }))
    await store.addPages({ collection: 'web', pages: urls, now: start })
    const number = (url: string) => Number(url.split('-').at(-1))
    const visits = new Map<number, number[]>()
    const cycle = new Cycle(
      {
        store,
        clock,
        reader,
        random: new Random(3),
        visitor: visitorOf(new VirtualWeb(pages, clock)),
        plannerFor: (page) => plannerOf(number(page.url)),
      },
      { collection: 'web', worker: 'test', concurrency: 1000, perHost: 1000, pollEvery: Infinity },
    )
    clock.busy = () => cycle.underWay > 0
    await cycle.run({
      until,
      onVisit: ({ visit, lease }) => {
        const page = number(lease.page.url)
        visits.set(page, [...(visits.get(page) ?? []), visit.at])
      },
    })
    await store.close()
    rmSync(folder, { recursive: true })
    let total = 0
    for (let page = 0; page < pages; page++) {
      const expected = simulated(page, { planner: plannerOf(page), until })
      expect(visits.get(page), address(page)).toEqual(expected)
      total += expected.length
    }
    expect(total).toBeGreaterThan(4_000)
  })
})
