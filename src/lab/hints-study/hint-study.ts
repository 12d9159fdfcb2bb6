import { taken } from '../../hints/list-signals.js'
import { reliabilityOf } from '../../hints/reliability.js'
import { type HintState, hintsView, updatedHints, weighedHints } from '../../hints/weighed-hints.js'
import { type Hint, type HintKind, hintKinds } from '../../model/hint.js'
import type { Observation } from '../../model/history.js'
import type { Policy } from '../../model/policy.js'
import { noHints, noHostHints } from '../../model/stored-hints.js'
import { DAY, HOUR, type RandomSource, type Seconds, type UnixSeconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import { dueBySignal } from '../../planner/evidence/due-by-signal.js'
import { withHints } from '../../planner/evidence/with-hints.js'
import { learnerNamed } from '../../planner/registry.js'
import { firstStep, type Planner, type Step, step } from '../../planner/step.js'
import { fixed } from '../../policies/fixed-and-random.js'
import {
  changesBy,
  type KnownPage,
  knownPage,
  listedKinds,
  listName,
  type Publisher,
  publishers,
  reportedBy,
} from './publisher.js'

interface Following {
  readonly planner: Planner
  readonly page: KnownPage
  readonly tells: (at: UnixSeconds) => readonly Hint[]
  readonly random: RandomSource
  readonly until: UnixSeconds
  /** How often lists are polled. */
  readonly pollsEvery: Seconds
  readonly maxVisits?: number
}

interface Followed {
  readonly visits: number
  readonly hintState: HintState
  /** Share of the time in which the copy equalled the page. */
  readonly freshness: number
}

/**
 * Visits one page from 0 on by the planner's own steps, hints and change signals:
 * what is measured here is what runs. Polls of lists cost no visit of the page.
 */
function followPage(following: Following): Followed {
  const { planner, page, random, until, pollsEvery, maxVisits = Infinity } = following
  let hintState: HintState = { page: noHints, host: noHostHints }
  let state = null as Step | null
  let [seenAt, fresh, visits] = [0, 0, 0]
  let at: UnixSeconds = 0
  while (at <= until && visits < maxVisits) {
    const before: Step | null = state
    const observation: Observation | null =
      before === null ? null : { at, gap: at - seenAt, changed: changed(page, seenAt, at) }
    const reported = following.tells(at).filter(({ kind }) => !listedKinds.has(kind))
    const plannedGap = before?.state.plannedGap ?? 0
    hintState = updatedHints(hintState, { at, observation, reported, whole: true, plannedGap })
    visits++
    const publishers = { declared: null, hints: hintsView(hintState, { visits }) }
    if (before !== null) Object.assign(before.state, publishers)
    state =
      before === null || observation === null
        ? firstStep(planner, { at }, random, publishers)
        : step(planner, before.state, observation)
    hintState = { ...hintState, page: { ...hintState.page, early: state.early } }
    seenAt = at
    const wait = waited(following, { hintState, state, at, visits })
    hintState = wait.hintState
    fresh += freshTime(page, { from: at, to: Math.min(wait.at, until) })
    at = wait.at
    if (!(pollsEvery > 0)) break
  }
  return { visits, hintState, freshness: fresh / Math.min(Math.max(at, 1), until) }
}

/** Polls lists until the page is due, or until one of them calls for it. */
function waited(
  { planner, tells, pollsEvery, until }: Following,
  now: { hintState: HintState; state: Step; at: UnixSeconds; visits: number },
): { at: UnixSeconds; hintState: HintState } {
  const { state, at: seenAt, visits } = now
  let { hintState } = now
  const { reason } = state.due
  let due = state.due.at === 'never' ? Infinity : state.due.at
  const { plannedGap } = state.state
  for (let at = nextPoll(seenAt, pollsEvery); at < Math.min(due, until); at += pollsEvery) {
    const hints = tells(at).filter(({ kind }) => listedKinds.has(kind))
    if (hints.length === 0) break
    const page = taken(hintState.page, { hints, source: listName, now: at })
    hintState = { page, host: { ...hintState.host, polled: { [listName]: at } } }
    const reported = hintsView(hintState, { visits })
    const waiting = { lastSeen: seenAt, plannedGap, now: at }
    const called = dueBySignal(planner, state.state, {
      hints: reported,
      waiting,
      due: { at: due, reason },
    })
    if (called !== null) due = called.at === 'never' ? due : called.at
    if (called !== null) hintState = { ...hintState, page: { ...page, early: true } }
  }
  return { at: due, hintState }
}

function nextPoll(after: UnixSeconds, every: Seconds): UnixSeconds {
  return (Math.floor(after / every) + 1) * every
}

function changed(page: KnownPage, from: UnixSeconds, to: UnixSeconds): boolean {
  return changesBy(page, to) > changesBy(page, from)
}

function freshTime(page: KnownPage, { from, to }: { from: UnixSeconds; to: UnixSeconds }): Seconds {
  const next = page.changes[changesBy(page, from) + 1] ?? Infinity
  return Math.max(0, Math.min(next, to) - from)
}

/** What one kind of hint by one kind of publisher came to. */
export interface ReliabilityRow {
  readonly kind: HintKind
  readonly publisher: Publisher
  /** Means over the pages. */
  readonly reliability: number
  readonly predicted: number
  readonly right: number
  /** Share of the pages on which it is trusted. */
  readonly trusted: number
}

export interface HintStudyOptions {
  readonly pages: number
  readonly seed: number
}

/** Change periods from six hours to forty days, spread evenly over the orders between. */
function pagesOf(
  { pages, seed }: HintStudyOptions,
  until: (period: Seconds) => number,
): KnownPage[] {
  return Array.from({ length: pages }, (_, i) => {
    const share = pages === 1 ? 0.5 : i / (pages - 1)
    const period = 6 * HOUR * 160 ** share
    return knownPage(period, { until: until(period), random: new Random(seed * 1000 + i) })
  })
}

/**
 * The reliability of each kind of hint, for each kind of publisher, after so
 * many visits at 0.7 of the page's change period; lists are polled ten times
 * between two visits.
 */
export function hintReliabilities(
  options: HintStudyOptions & { readonly visits: number },
): ReliabilityRow[] {
  const { visits, seed } = options
  const gap = (period: Seconds) => 0.7 * period
  const pages = pagesOf(options, (period) => gap(period) * (visits + 1))
  return hintKinds.flatMap((kind) =>
    publishers.map((publisher) => {
      const followed = pages.map((page, i) => {
        const random = new Random(seed * 7919 + i)
        const revisit = gap(page.changePeriod)
        const until = revisit * (visits + 1)
        const planner: Planner = { policy: fixed({ gap: revisit }), learner: null }
        const tells = teller([{ kind, publisher }], { page, random })
        const pollsEvery = revisit / 10
        return followPage({ planner, page, tells, random, until, pollsEvery, maxVisits: visits })
      })
      return rowOf({ kind, publisher }, followed)
    }),
  )
}

function teller(
  cases: readonly { kind: HintKind; publisher: Publisher }[],
  { page, random }: { page: KnownPage; random: Random },
): (at: number) => readonly Hint[] {
  return (at) => cases.flatMap((each) => reportedBy(each, page, { at, random }) ?? [])
}

function rowOf(
  { kind, publisher }: { kind: HintKind; publisher: Publisher },
  followed: readonly Followed[],
): ReliabilityRow {
  const tallies = followed.map(({ hintState }) => hintState.page.kinds[kind]?.tally)
  const mean = (of: (tally: (typeof tallies)[number]) => number) =>
    tallies.reduce((sum, each) => sum + of(each), 0) / tallies.length
  const trusted = followed.filter(({ hintState }) =>
    weighedHints(hintState).some((hint) => hint.kind === kind && hint.trusted),
  ).length
  return {
    kind,
    publisher,
    reliability: mean((tally) => (tally === undefined ? 0.5 : reliabilityOf(tally))),
    predicted: mean((tally) => tally?.predicted ?? 0),
    right: mean((tally) => tally?.right ?? 0),
    trusted: trusted / followed.length,
  }
}

/** What a policy costs and brings with hints, beside the same without. */
export interface CostRow {
  readonly policy: string
  readonly publisher: Publisher
  readonly visits: { readonly bare: number; readonly hinted: number }
  readonly freshness: { readonly bare: number; readonly hinted: number }
}

/** Requests and freshness of policies with and without hints of all kinds at once, for half a year. */
export function hintCosts(
  options: HintStudyOptions & { readonly policies: readonly Policy[]; readonly days?: number },
): CostRow[] {
  const until = (options.days ?? 180) * DAY
  const pages = pagesOf(options, () => until)
  return options.policies.flatMap((policy) =>
    publishers.map((publisher) => {
      const bare = followAll(policy, { pages, publisher, until, seed: options.seed })
      const hinted = followAll(withHints(policy), { pages, publisher, until, seed: options.seed })
      return {
        policy: policy.name,
        publisher,
        visits: { bare: bare.visits, hinted: hinted.visits },
        freshness: { bare: bare.freshness, hinted: hinted.freshness },
      }
    }),
  )
}

function followAll(
  policy: Policy,
  about: { pages: readonly KnownPage[]; publisher: Publisher; until: number; seed: number },
): { visits: number; freshness: number } {
  const learner = policy.learner === null ? null : learnerNamed(policy.learner)
  const cases = hintKinds.map((kind) => ({ kind, publisher: about.publisher }))
  const followed = about.pages.map((page, i) => {
    const random = new Random(about.seed * 104_729 + i)
    const tells = teller(cases, { page, random: new Random(about.seed * 31 + i) })
    const { until } = about
    return followPage({
      planner: { policy, learner },
      page,
      tells,
      random,
      until,
      pollsEvery: DAY / 2,
    })
  })
  const sum = (of: (each: Followed) => number) =>
    followed.reduce((total, each) => total + of(each), 0)
  return {
    visits: sum((each) => each.visits),
    freshness: sum((each) => each.freshness) / followed.length,
  }
}
