import { adjustedObservation } from '../../hints/hints-after-visit.js'
import { taken } from '../../hints/list-signals.js'
import { type HintState, hintsView, updatedHints } from '../../hints/weighed-hints.js'
import { type Hint, type HostHints, hintKinds, type PageHints } from '../../model/hint.js'
import type { Observation } from '../../model/history.js'
import type { Due, Policy } from '../../model/policy.js'
import { noHints, noHostHints } from '../../model/stored-hints.js'
import { DAY, HOUR, type RandomSource, type Seconds, type UnixSeconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import { dueBySignal } from '../../planner/evidence/due-by-signal.js'
import { withHints } from '../../planner/evidence/with-hints.js'
import { autoPolicy } from '../../planner/policy.js'
import { autoLearner } from '../../planner/posterior/learner.js'
import { firstStep, type Planner, type Step, step } from '../../planner/step.js'
import {
  changesBy,
  type KnownPage,
  knownPage,
  listedKinds,
  listName,
  type Publisher,
  reportedBy,
} from './publisher.js'

/** A page of a site, followed from a time on. */
interface SitePage {
  readonly page: KnownPage
  readonly from: UnixSeconds
  readonly tells: (at: UnixSeconds) => readonly Hint[]
}

interface SiteStudy {
  readonly planner: Planner
  readonly pages: readonly SitePage[]
  readonly random: RandomSource
  readonly until: UnixSeconds
  /** How often its list is polled; a poll costs no visit. */
  readonly pollsEvery: Seconds
}

interface SiteResult {
  /** Visits after each page's first. */
  readonly visits: number
  /** Share of the time since each page's first visit in which copies equalled pages. */
  readonly freshness: number
}

/**
 * Visits the pages of one site by the planner's own steps, hints and change signals, all
 * beside each other, so that what is learned of the site's hints on one page
 * is known on the next. O(pages) an event.
 */
function followSite(study: SiteStudy): SiteResult {
  const site = new Site(study)
  for (;;) {
    const next = site.next()
    if (next >= study.until) break
    site.live(next)
  }
  return site.result()
}

interface Follower extends SitePage {
  hints: PageHints
  step: Step | null
  due: Due
  visits: number
  seenAt: UnixSeconds
}

class Site {
  readonly #study: SiteStudy
  readonly #followers: Follower[]
  #host: HostHints = noHostHints
  #nextPoll: UnixSeconds
  #fresh = 0
  #time = 0

  constructor(study: SiteStudy) {
    this.#study = study
    this.#nextPoll = study.pollsEvery
    this.#followers = study.pages.map((page) => ({
      ...page,
      hints: noHints,
      step: null,
      due: { at: page.from, reason: 'new' },
      visits: 0,
      seenAt: page.from,
    }))
  }

  /** When something happens next. */
  next(): UnixSeconds {
    return this.#followers.reduce((least, each) => Math.min(least, at(each.due)), this.#nextPoll)
  }

  live(now: UnixSeconds): void {
    if (this.#nextPoll <= now) this.#pollList(now)
    for (const each of this.#followers) if (at(each.due) <= now) this.#visit(each, now)
  }

  result(): SiteResult {
    const { until } = this.#study
    for (const each of this.#followers) if (each.visits > 0) this.#count(each, until)
    const visits = this.#followers.reduce((sum, each) => sum + Math.max(0, each.visits - 1), 0)
    return { visits, freshness: this.#fresh / this.#time }
  }

  #pollList(now: UnixSeconds): void {
    this.#nextPoll = now + this.#study.pollsEvery
    this.#host = { ...this.#host, polled: { [listName]: now } }
    for (const each of this.#followers) {
      if (each.from > now) continue
      const hints = each.tells(now).filter(({ kind }) => listedKinds.has(kind))
      if (hints.length > 0) this.#addSignal(each, { hints, now })
    }
  }

  #addSignal(each: Follower, { hints, now }: { hints: readonly Hint[]; now: UnixSeconds }): void {
    each.hints = taken(each.hints, {
      hints,
      source: listName,
      now,
      before: now - this.#study.pollsEvery,
    })
    if (each.step === null) return
    const { planner } = this.#study
    const { state } = each.step
    const waiting = {
      lastSeen: each.seenAt,
      plannedGap: state.plannedGap,
      visits: each.visits,
      now,
    }
    const hintState = { page: each.hints, host: this.#host }
    const reported = hintsView(hintState, { visits: each.visits })
    const due = dueBySignal(planner, state, { hints: reported, waiting, due: each.due })
    if (due === null) return
    each.due = due
    each.hints = { ...each.hints, early: true }
  }

  #visit(each: Follower, now: UnixSeconds): void {
    const { planner, random } = this.#study
    const before = each.step
    const observation: Observation | null =
      before === null ? null : { at: now, gap: now - each.seenAt, changed: isChanged(each, now) }
    if (before !== null) this.#count(each, now)
    const reported = each.tells(now).filter(({ kind }) => !listedKinds.has(kind))
    const plannedGap = before?.state.plannedGap ?? 0
    const known: HintState = { page: each.hints, host: this.#host }
    const hintState = updatedHints(known, {
      at: now,
      observation,
      reported,
      whole: true,
      plannedGap,
    })
    this.#host = hintState.host
    each.visits++
    const publishers = { declared: null, hints: hintsView(hintState, { visits: each.visits }) }
    if (before !== null) Object.assign(before.state, publishers)
    each.step =
      before === null || observation === null
        ? firstStep(planner, { at: now }, random, publishers)
        : step(
            planner,
            before.state,
            planner.policy.called === undefined
              ? observation
              : adjustedObservation(observation, known.page),
          )
    each.hints = { ...hintState.page, early: each.step.early }
    each.due = each.step.due
    each.seenAt = now
  }

  #count({ page, seenAt }: Follower, to: UnixSeconds): void {
    const next = page.changes[changesBy(page, seenAt) + 1] ?? Infinity
    this.#fresh += Math.max(0, Math.min(next, to) - seenAt)
    this.#time += to - seenAt
  }
}

function at({ at: when }: Due): UnixSeconds {
  return when === 'never' ? Infinity : when
}

function isChanged({ page, seenAt }: Follower, now: UnixSeconds): boolean {
  return changesBy(page, now) > changesBy(page, seenAt)
}

/** Ways in which the default may follows hints: not at all, by moved gaps, or as evidence. */
export const hearings = ['none', 'moved', 'evidence'] as const
export type HintUse = (typeof hearings)[number]

export interface SiteStudyOptions {
  readonly publisher: Publisher
  readonly hintUse: HintUse
  readonly seed: number
  /** Pages of the site: half from the start, half in the course of the first two thirds; 30 by default. */
  readonly pages?: number
  /** 150 by default. */
  readonly days?: number
  /** What a request costs; 6 hours of freshness by default. */
  readonly price?: Seconds
}

const policies: Readonly<Record<HintUse, (price: Seconds) => Policy>> = {
  none: (price) => autoPolicy({ price }),
  moved: (price) => withHints(autoPolicy({ price })),
  evidence: (price) => autoPolicy({ price, followsHints: true }),
}

/**
 * The default on a site whose pages change every 6 hours to 40 days, all six
 * kinds of hints sent by one kind of publisher; lists are visited every 12
 * hours, for nothing.
 */
export function siteStudy(options: SiteStudyOptions): SiteResult {
  const { hintUse, seed, days = 150, price = 6 * HOUR } = options
  return followSite({
    planner: { policy: policies[hintUse](price), learner: autoLearner() },
    pages: sitePages(options),
    random: new Random(seed * 104_729),
    until: days * DAY,
    pollsEvery: DAY / 2,
  })
}

/** The same at the price at which it makes about so many visits: what hints bring for the same requests. */
export function siteStudyAt(
  options: SiteStudyOptions,
  { visits, rounds = 8 }: { readonly visits: number; readonly rounds?: number },
): SiteResult {
  let [low, high] = [Math.log(HOUR / 2), Math.log(30 * DAY)]
  let best: SiteResult | null = null
  for (let round = 0; round < rounds; round++) {
    const middle = (low + high) / 2
    const found = siteStudy({ ...options, price: Math.exp(middle) })
    if (best === null || off(found, visits) < off(best, visits)) best = found
    if (found.visits > visits) low = middle
    else high = middle
  }
  return best!
}

function off({ visits }: SiteResult, wanted: number): number {
  return Math.abs(visits - wanted)
}

function sitePages({ publisher, seed, pages = 30, days = 150 }: SiteStudyOptions): SitePage[] {
  const chance = new Random(seed * 7717)
  const until = days * DAY
  return Array.from({ length: pages }, (_, i) => {
    const period = 6 * HOUR * 160 ** chance.uniform()
    const from = i % 2 === 0 ? 0 : (2 / 3) * until * chance.uniform()
    const page = knownPage(period, { until, random: new Random(seed * 1000 + i) })
    const random = new Random(seed * 31 + i)
    const tells = (at: number) =>
      hintKinds.flatMap((kind) => reportedBy({ kind, publisher }, page, { at, random }) ?? [])
    return { page, from, tells }
  })
}
