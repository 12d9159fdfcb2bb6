import { autoLearner } from '../../estimate/index.js'
import { DAY, HOUR, hintKinds, type Policy, type Seconds } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import { autoPolicy, withHints } from '../../schedule/index.js'
import { followSite, type SitePage, type SiteResult } from './follow-site.js'
import { knownPage, type Publisher, toldBy } from './publisher.js'

/** Ways in which the default may hear hints: not at all, by moved gaps, or as evidence. */
export const hearings = ['none', 'moved', 'evidence'] as const
export type Hearing = (typeof hearings)[number]

export interface SiteStudyOptions {
  readonly publisher: Publisher
  readonly hearing: Hearing
  readonly seed: number
  /** Pages of the site: half from the start, half in the course of the first two thirds; 30 unless said. */
  readonly pages?: number
  /** 150 unless said. */
  readonly days?: number
  /** What a request costs; 6 hours of freshness unless said. */
  readonly price?: Seconds
}

const policies: Readonly<Record<Hearing, (price: Seconds) => Policy>> = {
  none: (price) => autoPolicy({ price }),
  moved: (price) => withHints(autoPolicy({ price })),
  evidence: (price) => autoPolicy({ price, hears: true }),
}

/**
 * The default on a site whose pages change every 6 hours to 40 days, all six
 * kinds of hints told by one kind of publisher; lists are looked at every 12
 * hours, for nothing.
 */
export function siteStudy(options: SiteStudyOptions): SiteResult {
  const { hearing, seed, days = 150, price = 6 * HOUR } = options
  return followSite({
    mind: { policy: policies[hearing](price), learner: autoLearner() },
    pages: sitePages(options),
    random: new Random(seed * 104_729),
    until: days * DAY,
    looksEvery: DAY / 2,
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
      hintKinds.flatMap((kind) => toldBy({ kind, publisher }, page, { at, random }) ?? [])
    return { page, from, tells }
  })
}
