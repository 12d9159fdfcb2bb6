import {
  dueByNews,
  firstStep,
  type Heard,
  heardHints,
  hintsView,
  type Mind,
  noHints,
  noHostHints,
  type Step,
  step,
  taken,
} from '../../engine/index.js'
import type { Hint, Observation, RandomSource, Seconds, UnixSeconds } from '../../model/index.js'
import { listedKinds, listName } from './listed-kinds.js'
import { changesBy, type KnownPage } from './publisher.js'

export interface Following {
  readonly mind: Mind
  readonly page: KnownPage
  readonly tells: (at: UnixSeconds) => readonly Hint[]
  readonly random: RandomSource
  readonly until: UnixSeconds
  /** How often lists are looked at. */
  readonly looksEvery: Seconds
  readonly maxVisits?: number
}

export interface Followed {
  readonly visits: number
  readonly heard: Heard
  /** Share of the time in which the copy equalled the page. */
  readonly freshness: number
}

/**
 * Visits one page from 0 on by the engine's own steps, hints and news: what is
 * measured here is what runs. Looks at lists cost no visit of the page.
 */
export function followPage(following: Following): Followed {
  const { mind, page, random, until, looksEvery, maxVisits = Infinity } = following
  let heard: Heard = { page: noHints, host: noHostHints }
  let state = null as Step | null
  let [seenAt, fresh, visits] = [0, 0, 0]
  let at: UnixSeconds = 0
  while (at <= until && visits < maxVisits) {
    const before: Step | null = state
    const observation: Observation | null =
      before === null ? null : { at, gap: at - seenAt, changed: changed(page, seenAt, at) }
    const told = following.tells(at).filter(({ kind }) => !listedKinds.has(kind))
    const plannedGap = before?.state.plannedGap ?? 0
    heard = heardHints(heard, { at, observation, told, whole: true, plannedGap })
    visits++
    const publishers = { declared: null, hints: hintsView(heard, { visits }) }
    if (before !== null) Object.assign(before.state, publishers)
    state =
      before === null || observation === null
        ? firstStep(mind, { at }, random, publishers)
        : step(mind, before.state, observation)
    heard = { ...heard, page: { ...heard.page, early: state.early } }
    seenAt = at
    const wait = waited(following, { heard, state, at, visits })
    heard = wait.heard
    fresh += freshTime(page, { from: at, to: Math.min(wait.at, until) })
    at = wait.at
    if (!(looksEvery > 0)) break
  }
  return { visits, heard, freshness: fresh / Math.min(Math.max(at, 1), until) }
}

/** Looks at lists until the page is due, or until one of them calls for it. */
function waited(
  { mind, tells, looksEvery, until }: Following,
  now: { heard: Heard; state: Step; at: UnixSeconds; visits: number },
): { at: UnixSeconds; heard: Heard } {
  const { state, at: seenAt, visits } = now
  let { heard } = now
  const { reason } = state.due
  let due = state.due.at === 'never' ? Infinity : state.due.at
  const { plannedGap } = state.state
  for (let at = nextLook(seenAt, looksEvery); at < Math.min(due, until); at += looksEvery) {
    const hints = tells(at).filter(({ kind }) => listedKinds.has(kind))
    if (hints.length === 0) break
    const page = taken(heard.page, { hints, source: listName, now: at })
    heard = { page, host: { ...heard.host, looked: { [listName]: at } } }
    const told = hintsView(heard, { visits })
    const waiting = { lastSeen: seenAt, plannedGap, now: at }
    const called = dueByNews(mind, state.state, { hints: told, waiting, due: { at: due, reason } })
    if (called !== null) due = called.at === 'never' ? due : called.at
    if (called !== null) heard = { ...heard, page: { ...page, early: true } }
  }
  return { at: due, heard }
}

function nextLook(after: UnixSeconds, every: Seconds): UnixSeconds {
  return (Math.floor(after / every) + 1) * every
}

function changed(page: KnownPage, from: UnixSeconds, to: UnixSeconds): boolean {
  return changesBy(page, to) > changesBy(page, from)
}

function freshTime(page: KnownPage, { from, to }: { from: UnixSeconds; to: UnixSeconds }): Seconds {
  const next = page.changes[changesBy(page, from) + 1] ?? Infinity
  return Math.max(0, Math.min(next, to) - from)
}
