import { rememberingPageReader } from 'revisit/content'
import { openCrawler } from 'revisit/crawler'
import { decodedText, scanHtml } from 'revisit/formats'
import {
  DAY,
  type Declared,
  type Policy,
  type Reader,
  type UnixSeconds,
  type VisitReport,
  YEAR,
} from 'revisit/model'
import { Random } from 'revisit/numeric'
import { barrelPolicy, typicalCrawler } from 'revisit/policies'
import { openMemoryStore } from 'revisit/store'
import { SharedClock } from './shared-clock.js'
import { type SmallSite, serveSite, type TaggedPage } from './tagged-web.js'

export type HttpCrawler = 'typical' | 'tags'

/** One page and the visits that it got. */
export interface CrawledPage {
  readonly site: SmallSite
  readonly page: TaggedPage
  readonly visits: ReadonlyArray<VisitReport['visit']>
}

export interface HttpCrawl {
  readonly pages: readonly CrawledPage[]
  readonly robotsRequests: number
}

const collection = 'hattab'

/**
 * Crawls sites over real HTTP from `from` to `until`, with the engine, the
 * politeness and the conditional requests of the crawler itself; sites and
 * crawler share a clock on which only waiting takes time.
 */
export async function crawlOverHttp(
  sites: readonly SmallSite[],
  { crawler, from, until, seed, progress }: CrawlTask,
): Promise<HttpCrawl> {
  const clock = new SharedClock(from)
  const servers = await Promise.all(sites.map((site) => serveSite(site, { clock })))
  const crawled = sites.flatMap((site, i) =>
    site.pages.map((page) => ({
      site,
      page,
      url: servers[i]!.base + page.path,
      visits: [] as VisitReport['visit'][],
    })),
  )
  const byUrl = new Map(crawled.map((each) => [each.url, each]))
  const store = openMemoryStore()
  const tags = new Map<string, Declared>()
  const policy = (url: string) => (crawler === 'typical' ? typicalCrawler : tagReader(tags, url))
  const crawling = await openCrawler({
    clock,
    store,
    collection,
    contact: 'hattab@localhost',
    allowedNetworks: ['127.0.0.0/8'],
    reader: readingTags(tags),
    publisher: null,
    random: new Random(seed),
    plannerFor: ({ url }) => ({ policy: policy(url), learner: null }),
    unconditionalShare: 0,
    pollEvery: YEAR,
  })
  clock.busy = () => crawling.underWay > 0
  try {
    await store.addPages({ collection, pages: crawled.map(({ url }) => ({ url })), now: from })
    await crawling.run({
      until,
      onVisit: ({ visit, lease }) => {
        byUrl.get(lease.page.url)!.visits.push(visit)
        progress((clock.now() - from) / (until - from))
      },
    })
    const robotsRequests = servers.reduce((sum, each) => sum + each.robotsRequests(), 0)
    return { pages: crawled, robotsRequests }
  } finally {
    await crawling.close()
    await store.close()
    await Promise.all(servers.map((each) => each.close()))
  }
}

interface CrawlTask {
  readonly crawler: HttpCrawler
  readonly from: UnixSeconds
  readonly until: UnixSeconds
  readonly seed: number
  readonly progress: (share: number) => void
}

/** Figure 4's crawler: the field in its database is what the page said the last time it was sent. */
function readingTags(tags: Map<string, Declared>): Reader {
  const reader = rememberingPageReader()
  return {
    ...reader,
    read(answer, page) {
      const declared = declaredIn(decodedText(answer.body, answer.headers['content-type']))
      if (declared !== null) tags.set(page.url, declared)
      return reader.read(answer, page)
    },
  }
}

function declaredIn(html: string): Declared | null {
  let content: string | undefined
  scanHtml(html, {
    wants: (name) => name === 'meta',
    open(name, attributes) {
      if (name === 'meta' && attributes.name === 'Change-Frequency') content ??= attributes.content
    },
    close() {},
    text() {},
  })
  const [, kind, days] = /^(STATIC|PERIODIC|nonuniform)(?:=(\d+))?$/.exec(content ?? '') ?? []
  if (kind === undefined) return null
  const period = Number(days) * DAY
  return kind === 'STATIC'
    ? { kind: 'static' }
    : { kind: kind === 'PERIODIC' ? 'periodic' : 'nonuniform', period }
}

function tagReader(tags: ReadonlyMap<string, Declared>, url: string): Policy {
  const policy = barrelPolicy({ exact: true })
  const reported = () => ({ declared: tags.get(url) ?? null })
  return {
    ...policy,
    nextGap: (view) => policy.nextGap({ ...view, ...reported() }),
    reason: (view, gap) => policy.reason({ ...view, ...reported() }, gap),
  }
}
