import { DAY, type Seconds, type UnixSeconds } from 'revisit/model'
import { Random } from 'revisit/numeric'
import { type CrawledPage, crawlOverHttp, type HttpCrawl, type HttpCrawler } from './http-crawl.js'
import { leadIn, type Site } from './sites.js'
import { smallSites } from './tagged-web.js'

/** What a crawler did, over some of the pages. */
export interface HttpTotals {
  readonly visits: number
  /** Bytes of bodies received. */
  readonly bytes: number
  readonly notModified: number
  readonly needless: number
  /** Changes after the first visit. */
  readonly changes: number
  /** Changes that a visit noticed; several between two visits count once. */
  readonly caught: number
  /** Share of the time in which the copy equals the page. */
  readonly freshness: number
}

export interface HttpExperiment {
  readonly days: number
  readonly crawls: Readonly<Record<HttpCrawler, HttpCrawl>>
  readonly until: UnixSeconds
}

/** The weekly and the tag-reading crawler on the same ten small sites, over real HTTP. */
export async function runHttpExperiment(
  sites: readonly Site[],
  options: {
    readonly length: Seconds
    readonly seed: number
    readonly progress: (share: number) => void
  },
): Promise<HttpExperiment> {
  const { length, seed, progress } = options
  const from = leadIn
  const until = from + length
  const made = smallSites(sites, { until, random: new Random(seed) })
  const task = { from, until, seed }
  const typical = await crawlOverHttp(made, {
    ...task,
    crawler: 'typical',
    progress: (share) => progress(0.3 * share),
  })
  const tags = await crawlOverHttp(made, {
    ...task,
    crawler: 'tags',
    progress: (share) => progress(0.3 + 0.7 * share),
  })
  return { days: length / DAY, crawls: { typical, tags }, until }
}

/** Totals over the pages of this path, or over all. */
export function httpTotals(
  { crawls, until }: HttpExperiment,
  { crawler, path }: { readonly crawler: HttpCrawler; readonly path?: string },
): HttpTotals {
  const pages = crawls[crawler].pages.filter(({ page }) => path === undefined || page.path === path)
  const visits = pages.flatMap((each) => each.visits)
  const truths = pages.map((each) => truthOf(each, until))
  const sum = (of: (truth: Truth) => number) => truths.reduce((total, each) => total + of(each), 0)
  return {
    visits: visits.length,
    bytes: visits.reduce((total, { bytes }) => total + bytes, 0),
    notModified: visits.filter(({ status }) => status === 304).length,
    needless: visits.filter(({ outcome }) => outcome === 'unchanged').length,
    caught: visits.filter(({ outcome }) => outcome === 'changed').length,
    changes: sum(({ changes }) => changes),
    freshness: sum(({ fresh }) => fresh) / sum(({ watched }) => watched),
  }
}

interface Truth {
  readonly changes: number
  readonly fresh: Seconds
  readonly watched: Seconds
}

/** What the visits of a page were worth, by its true changes. */
function truthOf({ page, visits }: CrawledPage, until: UnixSeconds): Truth {
  const first = visits[0]!.at
  const changes = page.changes.filter((at) => at > first)
  const fresh = visits.reduce((total, { at }, i) => {
    const next = visits[i + 1]?.at ?? until
    const stale = changes.find((change) => change > at) ?? Infinity
    return total + Math.min(next, stale) - at
  }, 0)
  return { changes: changes.length, fresh, watched: until - first }
}
