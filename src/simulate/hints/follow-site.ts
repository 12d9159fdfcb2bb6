import {
  dueByNews,
  firstStep,
  type Heard,
  heardHints,
  heardObservation,
  hintsView,
  type Mind,
  noHints,
  noHostHints,
  type Step,
  step,
  taken,
} from '../../engine/index.js'
import type {
  Due,
  Hint,
  HostHints,
  Observation,
  PageHints,
  RandomSource,
  Seconds,
  UnixSeconds,
} from '../../model/index.js'
import { listedKinds, listName } from './listed-kinds.js'
import { changesBy, type KnownPage } from './publisher.js'

/** A page of a site, followed from a time on. */
export interface SitePage {
  readonly page: KnownPage
  readonly from: UnixSeconds
  readonly tells: (at: UnixSeconds) => readonly Hint[]
}

export interface SiteStudy {
  readonly mind: Mind
  readonly pages: readonly SitePage[]
  readonly random: RandomSource
  readonly until: UnixSeconds
  /** How often its list is looked at; a look costs no visit. */
  readonly looksEvery: Seconds
}

export interface SiteResult {
  /** Visits after each page's first. */
  readonly visits: number
  /** Share of the time since each page's first visit in which copies equalled pages. */
  readonly freshness: number
}

/**
 * Visits the pages of one site by the engine's own steps, hints and news, all
 * beside each other, so that what is learned of the site's hints on one page
 * is known on the next. O(pages) an event.
 */
export function followSite(study: SiteStudy): SiteResult {
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
  #look: UnixSeconds
  #fresh = 0
  #time = 0

  constructor(study: SiteStudy) {
    this.#study = study
    this.#look = study.looksEvery
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
    return this.#followers.reduce((least, each) => Math.min(least, at(each.due)), this.#look)
  }

  live(now: UnixSeconds): void {
    if (this.#look <= now) this.#lookAtList(now)
    for (const each of this.#followers) if (at(each.due) <= now) this.#visit(each, now)
  }

  result(): SiteResult {
    const { until } = this.#study
    for (const each of this.#followers) if (each.visits > 0) this.#count(each, until)
    const visits = this.#followers.reduce((sum, each) => sum + Math.max(0, each.visits - 1), 0)
    return { visits, freshness: this.#fresh / this.#time }
  }

  #lookAtList(now: UnixSeconds): void {
    this.#look = now + this.#study.looksEvery
    this.#host = { ...this.#host, looked: { [listName]: now } }
    for (const each of this.#followers) {
      if (each.from > now) continue
      const hints = each.tells(now).filter(({ kind }) => listedKinds.has(kind))
      if (hints.length > 0) this.#tell(each, { hints, now })
    }
  }

  #tell(each: Follower, { hints, now }: { hints: readonly Hint[]; now: UnixSeconds }): void {
    each.hints = taken(each.hints, {
      hints,
      source: listName,
      now,
      before: now - this.#study.looksEvery,
    })
    if (each.step === null) return
    const { mind } = this.#study
    const { state } = each.step
    const waiting = {
      lastSeen: each.seenAt,
      plannedGap: state.plannedGap,
      visits: each.visits,
      now,
    }
    const heard = { page: each.hints, host: this.#host }
    const told = hintsView(heard, { visits: each.visits })
    const due = dueByNews(mind, state, { hints: told, waiting, due: each.due })
    if (due === null) return
    each.due = due
    each.hints = { ...each.hints, early: true }
  }

  #visit(each: Follower, now: UnixSeconds): void {
    const { mind, random } = this.#study
    const before = each.step
    const observation: Observation | null =
      before === null ? null : { at: now, gap: now - each.seenAt, changed: isChanged(each, now) }
    if (before !== null) this.#count(each, now)
    const told = each.tells(now).filter(({ kind }) => !listedKinds.has(kind))
    const plannedGap = before?.state.plannedGap ?? 0
    const known: Heard = { page: each.hints, host: this.#host }
    const heard = heardHints(known, { at: now, observation, told, whole: true, plannedGap })
    this.#host = heard.host
    each.visits++
    const publishers = { declared: null, hints: hintsView(heard, { visits: each.visits }) }
    if (before !== null) Object.assign(before.state, publishers)
    each.step =
      before === null || observation === null
        ? firstStep(mind, { at: now }, random, publishers)
        : step(
            mind,
            before.state,
            mind.policy.called === undefined
              ? observation
              : heardObservation(observation, known.page),
          )
    each.hints = { ...heard.page, early: each.step.early }
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
