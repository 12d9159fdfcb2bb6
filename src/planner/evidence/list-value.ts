import { humanDuration } from '../../model/duration.js'
import { hintWeight, type PageHints, type WeighedHint } from '../../model/hint.js'
import type { PageRecord } from '../../model/page.js'
import type { PageView, Policy, Posterior } from '../../model/policy.js'
import { pageHintsFrom } from '../../model/stored-hints.js'
import { DAY, type Json, type Seconds } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { runningGap } from '../collection/statistics.js'
import { massOf } from '../posterior/posterior.js'
import type { Listed } from '../value/planned-page.js'
import { hintForecastOf } from './hint-forecast.js'

export interface ListPolicyOptions {
  /** Seconds of freshness a second that are lost for each second in which the list is not polled; 0 where it tells of nothing. */
  readonly value: () => number
  /** What a request costs, in seconds of freshness. */
  readonly price: () => number
  readonly minGap: Seconds
  readonly maxGap: Seconds
}

const stagger = 0.02
/** Not polled more often than five times between two changes of its own. */
const ownShare = 0.2

/**
 * For a sitemap or a feed whose hints are followed: not its own freshness counts,
 * but that of the pages it tells of. Polled every L, it leaves each change
 * that it tells of unseen for L/2 on the mean; with the request's price that
 * is least at L = sqrt(2 price / value), where `value` sums the change rates
 * of the pages that are worth a visit. As any other page where it tells of
 * nothing that counts.
 */
export function listPolicy(policy: Policy, options: ListPolicyOptions): Policy {
  const { value, price, minGap, maxGap } = options
  const wanted = ({ changePeriod }: PageView): Seconds | null => {
    const gap = pollGap({ price: price(), value: value() })
    if (!(gap < Infinity)) return null
    // A list that does not change tells of nothing, whatever its pages do.
    const least = Math.max(minGap, changePeriod < Infinity ? ownShare * changePeriod : maxGap)
    return Math.min(maxGap, Math.max(least, gap))
  }
  return {
    ...policy,
    nextGap(view: PageView) {
      const gap = wanted(view)
      if (gap === null) return policy.nextGap(view)
      const moved = gap * (1 + stagger * (2 * view.random.uniform() - 1))
      return Math.min(maxGap, Math.max(minGap, moved))
    },
    reason(view, gap) {
      if (wanted(view) === null) return policy.reason(view, gap)
      return `it tells of changes of its pages; visited every ${humanDuration(gap)}, which costs as much as coming later would lose`
    },
  }
}

/** How often to poll a list of so much value; Infinity for one of none. */
export function pollGap({ price, value }: { price: number; value: number }): Seconds {
  return value > 0 ? Math.sqrt((2 * price) / value) : Infinity
}

/**
 * Changes a second of a page that are worth a visit each: at a change rate r a
 * visit brings 1/r of freshness, for the price. O(laws).
 */
export function signalValue({
  posterior,
  price,
  importance,
}: {
  posterior: Posterior
  price: number
  importance: number
}): number {
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const changeRate = laws.meanRates[law]!
    const net = 1 - (changeRate * price) / importance
    if (net > 0) total += massOf(posterior, law) * changeRate * net
  }
  return total
}

/** Where the store keeps the value of lists. */
export const listsSetting = 'auto-lists'

/** A list that has not been put to the test counts for so much: else it never would be. */
const untested = 0.3
const fewest = 5
/** At this reliability, by what other pages of its host showed, it has had its chance. */
const uncertain = 0.4
const kinds = ['sitemap', 'feed'] as const
/** Lists that are remembered. */
const most = 10_000

/**
 * The value of polling each list: the change rates of the pages it tells
 * of, as far as it is reliable and a visit to them is worth its price.
 * Gathered page by page, O(laws) each.
 */
export class ListValues {
  readonly #values = new Map<string, number>()

  static from(json: Json | undefined): ListValues {
    const values = new ListValues()
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return values
    for (const [list, value] of Object.entries(json))
      if (typeof value === 'number' && value > 0 && value < Infinity)
        values.#values.set(list, value)
    return values
  }

  get json(): Json {
    return Object.fromEntries([...this.#values].slice(0, most))
  }

  /** 0 for a list that tells of nothing. */
  of(list: string): number {
    return this.#values.get(list) ?? 0
  }

  add(
    { kinds: reported }: PageHints,
    page: { readonly posterior: Posterior; readonly price: number; readonly importance: number },
  ): void {
    for (const kind of kinds) {
      const hint = reported[kind]
      if (hint?.source == null || hint.claim === null) continue
      const { reliability } = hint.rating ?? { reliability: 0.5 }
      const open = hint.tally.predicted < fewest && reliability > uncertain
      const weight = Math.max(hintWeight({ reliability }), open ? untested : 0)
      if (weight > 0) this.#add(hint.source, weight * page.importance * signalValue(page))
    }
  }

  #add(list: string, value: number): void {
    this.#values.set(list, this.of(list) + value)
  }
}

/**
 * How a list that would tell of a page's changes counts for it, and how long a
 * change waits until it is reported: half of the time between two polls. Null
 * where no list is reliable enough to be waited for.
 */
export function listedBy(
  page: PageRecord,
  about: {
    readonly reported: readonly WeighedHint[]
    readonly lists: ListValues
    readonly price: number
  },
): Listed | null {
  const { lastSeen: at } = page
  if (at === null) return null
  const { reported, lists, price } = about
  const hints = { reported, allowance: 0 }
  const hintForecast = hintForecastOf({ hints, at }, { gap: runningGap(page) ?? DAY })
  if (hintForecast === null || hintForecast.listed === 0) return null
  const dated = reported.filter(
    (each) => each.claim.says === 'changed-at' && each.polledAt !== undefined,
  )
  const every = dated.map(({ kind, polledAt }) => {
    const source = pageHintsFrom(page.hints).kinds[kind]?.source ?? ''
    const gap = pollGap({ price, value: lists.of(source) })
    return gap < Infinity ? gap : 2 * Math.max(0, at - polledAt!)
  })
  const reliability = Math.max(...dated.map((each) => each.reliability))
  return { weight: hintForecast.listed, reliability, delay: Math.min(...every) / 2 }
}
