import { type Mind, reliabilityOf, weighedHints } from '../../engine/index.js'
import { learnerNamed } from '../../estimate/index.js'
import {
  DAY,
  type Hint,
  type HintKind,
  HOUR,
  hintKinds,
  type Policy,
  type Seconds,
} from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import { fixed, withHints } from '../../schedule/index.js'
import { type Followed, followPage } from './follow-page.js'
import { type KnownPage, knownPage, type Publisher, publishers, toldBy } from './publisher.js'

/** What one kind of hint by one kind of publisher came to. */
export interface ReliabilityRow {
  readonly kind: HintKind
  readonly publisher: Publisher
  /** Means over the pages. */
  readonly reliability: number
  readonly foretold: number
  readonly right: number
  /** Share of the pages on which it is believed. */
  readonly believed: number
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
 * many visits at 0.7 of the page's change period; lists are looked at ten times
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
        const mind: Mind = { policy: fixed({ gap: revisit }), learner: null }
        const tells = teller([{ kind, publisher }], { page, random })
        const looksEvery = revisit / 10
        return followPage({ mind, page, tells, random, until, looksEvery, maxVisits: visits })
      })
      return rowOf({ kind, publisher }, followed)
    }),
  )
}

function teller(
  cases: readonly { kind: HintKind; publisher: Publisher }[],
  { page, random }: { page: KnownPage; random: Random },
): (at: number) => readonly Hint[] {
  return (at) => cases.flatMap((each) => toldBy(each, page, { at, random }) ?? [])
}

function rowOf(
  { kind, publisher }: { kind: HintKind; publisher: Publisher },
  followed: readonly Followed[],
): ReliabilityRow {
  const tallies = followed.map(({ heard }) => heard.page.kinds[kind]?.tally)
  const mean = (of: (tally: (typeof tallies)[number]) => number) =>
    tallies.reduce((sum, each) => sum + of(each), 0) / tallies.length
  const believed = followed.filter(({ heard }) =>
    weighedHints(heard).some((hint) => hint.kind === kind && hint.believed),
  ).length
  return {
    kind,
    publisher,
    reliability: mean((tally) => (tally === undefined ? 0.5 : reliabilityOf(tally))),
    foretold: mean((tally) => tally?.foretold ?? 0),
    right: mean((tally) => tally?.right ?? 0),
    believed: believed / followed.length,
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
      mind: { policy, learner },
      page,
      tells,
      random,
      until,
      looksEvery: DAY / 2,
    })
  })
  const sum = (of: (each: Followed) => number) =>
    followed.reduce((total, each) => total + of(each), 0)
  return {
    visits: sum((each) => each.visits),
    freshness: sum((each) => each.freshness) / followed.length,
  }
}
