import { setImmediate } from 'node:timers/promises'
import type { SavedVisit } from '../../crawler/unsaved-visits.js'
import { VisitTally } from '../../crawler/visit-tally.js'
import { evidenceOf } from '../../estimators/rate/evidence.js'
import { irregularMle } from '../../estimators/rate/irregular-mle.js'
import { lastModified } from '../../estimators/rate/last-modified.js'
import type { Estimate } from '../../model/estimate.js'
import { type History, historyOf, succeeded } from '../../model/history.js'
import type { PageRecord } from '../../model/page.js'
import type { Store } from '../../model/store.js'
import { DAY, type Seconds, type UnixSeconds } from '../../model/units.js'
import type { VisitRecord } from '../../model/visit-record.js'
import { ownEstimate } from '../../planner/collection/page-posterior.js'
import type { AutoPlanners } from '../../planner/collection/planners.js'
import { type LawKind, lawKinds } from '../demo-web/change-laws.js'
import type { CopyMeter, RoundRobin } from '../demo-web/copy-meter.js'
import { type DemoWeb, demoOrigin } from '../demo-web/demo-web.js'
import type { PageTruth } from '../demo-web/web-truth.js'
import { Scores } from '../scores.js'
import type { DemoLoop } from './demo-loop.js'
import { collection } from './demo-store.js'

/** Pages that answer everybody, sooner or later: what the others would show, no schedule can. */
function canBeSeen({ access }: PageTruth): boolean {
  return access !== 'forbidden' && access !== 'disallowed'
}

/** How fresh copies were in one day: ours, and those of as many requests in turn. */
interface DayShare {
  readonly from: UnixSeconds
  readonly revisit: number
  readonly fixed: number
}

/** Days that are remembered one by one. */
const mostDays = 120

/**
 * How fresh the copies really are, and how fresh they would be had the same
 * number of requests gone round all pages in turn. That schedule is spared
 * failures, redirects and the pages that nobody may see.
 */
export class FreshnessMeter {
  readonly #web: DemoWeb
  readonly #meters: ReadonlyMap<string, CopyMeter>
  readonly #fixed: RoundRobin
  readonly #days: DayShare[] = []
  /** Where the day under way began, and the scores then. */
  #since: { at: UnixSeconds; revisit: Scores; fixed: Scores }

  constructor(web: DemoWeb) {
    const urls = web
      .truth()
      .filter(canBeSeen)
      .map(({ url }) => url)
    this.#web = web
    this.#meters = new Map(urls.map((url) => [url, web.meter(url)]))
    this.#fixed = web.roundRobin(urls)
    this.#since = { at: web.origin, revisit: new Scores(), fixed: new Scores() }
  }

  /** A visit that was recorded at a moment, not before the one that precedes it; now by default. */
  add({ visit, lease }: SavedVisit, at: UnixSeconds = this.#web.clock.now()): void {
    this.#closeDays(at)
    if (visit.fault !== 'robots') this.#fixed.request({ at })
    if (succeeded(visit.outcome))
      this.#meters.get(lease.page.url)?.visit({ at: visit.at, notModified: visit.status === 304 })
  }

  scores(): { readonly revisit: Scores; readonly fixed: Scores } {
    return this.#scores(this.#web.clock.now())
  }

  /** Day by day, the last ones of a long run; days without a copy are left out. */
  days(): readonly DayShare[] {
    this.#closeDays(this.#web.clock.now())
    return this.#days
  }

  #scores(until: UnixSeconds): { readonly revisit: Scores; readonly fixed: Scores } {
    const revisit = new Scores()
    for (const meter of this.#meters.values()) revisit.add(meter.scores({ until }))
    return { revisit, fixed: this.#fixed.scores({ until }) }
  }

  #closeDays(now: UnixSeconds): void {
    for (let end = this.#since.at + DAY; end <= now; end += DAY) {
      const before = this.#since
      this.#since = { at: end, ...this.#scores(end) }
      const revisit = shareSince(this.#since.revisit, before.revisit)
      const fixed = shareSince(this.#since.fixed, before.fixed)
      if (revisit !== null && fixed !== null) this.#days.push({ from: before.at, revisit, fixed })
      if (this.#days.length > mostDays) this.#days.shift()
    }
  }

  /** Share of the copies that equal their pages now; 0 before there is any. */
  freshNow(): number {
    const copies = [...this.#meters.values()].flatMap((meter) => meter.freshNow() ?? [])
    return copies.length === 0 ? 0 : copies.filter(Boolean).length / copies.length
  }
}

/** Freshness of the time since earlier scores; null where none has passed. */
function shareSince(all: Scores, before: Scores): number | null {
  const time = all.time - before.time
  return time > 0 ? Math.min(1, Math.max(0, (all.freshTime - before.freshTime) / time)) : null
}

/** More visits than that would make the view slow and the estimate no better. */
const mostVisits = 2000

/** What is thought of a page, beside what is true of it. */
export interface PageFinding {
  readonly truth: PageTruth
  readonly page: PageRecord
  /** Null before the page was seen. */
  readonly estimate: Estimate | null
  /** Changes it was due to make since `from`, by its law. */
  readonly dueChanges: number
}

/** Reads a page and its visits from the store: what the default thinks of it, or what the visits tell where another policy follows it. */
async function pageFinding(
  { store, planners }: { readonly store: Store; readonly planners: AutoPlanners },
  { truth, from, now }: { truth: PageTruth; from: UnixSeconds; now: UnixSeconds },
  ref: { readonly collection: string },
): Promise<PageFinding | null> {
  const page = await store.getPage({ ...ref, url: truth.url })
  if (page === null) return null
  const history = historyOf(await store.visitsOf({ id: page.id }, { newest: mostVisits }))
  const own = ownEstimate(page, { planners, history, level: 0.95 })
  const lived = Math.min(now, truth.goneAt ?? Infinity) - from
  return {
    truth,
    page,
    estimate: own ?? estimateOf(history),
    dueChanges: Math.max(0, lived) / truth.changePeriod,
  }
}

function estimateOf(history: History | null): Estimate | null {
  if (history === null) return null
  return (tellsDates(history) ? lastModified : irregularMle).estimate(history)
}

/** A content age so far below its gap, every time, is that of the answer and not of the content. */
const ofTheAnswer = 0.01

/**
 * Dates are trusted only while every visit reported one that is possible, and
 * not always the time of the visit itself: so a server that lies is found out.
 */
function tellsDates(history: History): boolean {
  const { contentAges, visits } = evidenceOf(history)
  if (contentAges < visits) return false
  const { observations } = history
  return observations.some(({ gap, contentAge = 0 }) => contentAge > ofTheAnswer * gap)
}

/** The visits of a demo, and the real time that they took. */
class TimedTally extends VisitTally {
  readonly #wall: () => Seconds
  readonly #began: Seconds
  /** Real time from the start to the first recorded visit; null before it. */
  firstAfter: Seconds | null = null

  /** `wall`: real seconds from any origin on. */
  constructor(wall: () => Seconds) {
    super()
    this.#wall = wall
    this.#began = wall()
  }

  override add(visit: VisitRecord): void {
    this.firstAfter ??= this.elapsed
    super.add(visit)
  }

  /** Real time since the start. */
  get elapsed(): Seconds {
    return this.#wall() - this.#began
  }
}

/** Follows a demo while it runs: what was visited, what is estimated, what is true. */
export class DemoWatch {
  readonly loop: DemoLoop
  readonly tally: TimedTally
  readonly meter: FreshnessMeter

  constructor(loop: DemoLoop, { wall }: { readonly wall: () => Seconds }) {
    this.loop = loop
    this.tally = new TimedTally(wall)
    this.meter = new FreshnessMeter(loop.web)
    for (const saved of loop.past) this.#add(saved, saved.visit.at)
  }

  visited(saved: SavedVisit): void {
    this.#add(saved, this.loop.web.clock.now())
  }

  #add(saved: SavedVisit, at: UnixSeconds): void {
    this.tally.add(saved.visit)
    this.meter.add(saved, at)
  }

  /** What is thought of these pages. Visits go on in between: an estimate takes milliseconds. */
  async findings(truths: readonly PageTruth[]): Promise<PageFinding[]> {
    const now = this.loop.web.clock.now()
    const found: PageFinding[] = []
    for (const truth of truths) {
      const each = await pageFinding(
        { store: this.loop.store, planners: this.loop.crawler.controller.planners },
        { truth, from: demoOrigin, now },
        { collection },
      )
      if (each !== null) found.push(each)
      await setImmediate()
    }
    return found
  }
}

/** A page's truth and estimate as numbers; periods in demo seconds. */
export interface PageNumbers {
  readonly url: string
  readonly law: LawKind
  readonly truePeriod: Seconds
  readonly estimatedPeriod: Seconds | null
  /** Bounds of the change period at 95%; null where the data set none. */
  readonly shortest: Seconds | null
  readonly longest: Seconds | null
  readonly visits: number
  readonly changesSeen: number
  readonly changesReal: number
}

export function pageNumbers({ truth, page, estimate }: PageFinding): PageNumbers {
  const bounds = estimate?.bounds ?? null
  return {
    url: truth.url,
    law: truth.law,
    truePeriod: truth.changePeriod,
    estimatedPeriod: estimate?.changePeriod ?? null,
    shortest: bounds === null || bounds.high === null ? null : 1 / bounds.high,
    longest: bounds === null || bounds.low === 0 ? null : 1 / bounds.low,
    visits: page.visits,
    changesSeen: page.changes,
    changesReal: truth.changes,
  }
}

/** How many of the steady pages are known. */
export interface SteadyShare {
  /** Steady pages that can be seen and were due to change five times. */
  readonly due: number
  /** Those of them whose estimated change period is within a factor of 2 of the truth. */
  readonly within: number
  /** Null where none was due. */
  readonly share: number | null
}

const enoughChanges = 5
const factor = 2

/** All pages count that could have been known, those whose server lies among them. */
export function steadyShare(findings: readonly PageFinding[]): SteadyShare {
  const due = findings.filter(isDue)
  const within = due.filter(isKnown).length
  return { due: due.length, within, share: due.length === 0 ? null : within / due.length }
}

export function isDue({ truth, dueChanges }: PageFinding): boolean {
  return truth.law === 'steady' && canBeSeen(truth) && dueChanges >= enoughChanges
}

export function isKnown({ truth, estimate }: PageFinding): boolean {
  const ratio = (estimate?.changePeriod ?? 0) / truth.changePeriod
  return ratio >= 1 / factor && ratio <= factor
}

/** Of each law a faster and a slower page, law by law. */
export function samplePages(truths: readonly PageTruth[]): PageTruth[] {
  return Object.keys(lawKinds).flatMap((law) => {
    const alike = truths
      .filter((each) => each.law === law && canBeSeen(each) && each.goneAt === null)
      .sort((a, b) => a.changePeriod - b.changePeriod)
    const places = [0.2, 0.6].map((share) => Math.floor(share * alike.length))
    return [...new Set(places)].flatMap((place) => alike[place] ?? [])
  })
}
