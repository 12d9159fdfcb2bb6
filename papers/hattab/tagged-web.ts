import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, DAY, type UnixSeconds, WEEK } from 'revisit/model'
import type { Random } from 'revisit/numeric'
import { changeTimes, type Site } from './sites.js'
import { declaredBy, tagOfWeek, weeklyCounts } from './tags.js'

/** A page of a site, with all its changes and the tag of each week. */
export interface TaggedPage {
  readonly path: string
  /** How it changes, in words. */
  readonly law: string
  /** From the start of the record on. */
  readonly changes: Float64Array
  /** The content of its tag at a moment. */
  tagAt(now: UnixSeconds): string
}

export interface SmallSite {
  readonly name: string
  readonly pages: readonly TaggedPage[]
}

const paragraph = 'Some words that stay as they are, so that the page has a body to send. '

/**
 * Small sites with known changes: the front page changes as the paper's site,
 * the archive every Wednesday, the imprint never. Their publisher counts the
 * changes of each week and posts the tag in the next. The notices change with
 * the archive, but an application writes their tag at each request, as in
 * Example 1: nonuniform, with the days to the next change.
 */
export function smallSites(
  sites: readonly Site[],
  { until, random }: { readonly until: UnixSeconds; readonly random: Random },
): SmallSite[] {
  const weeks = Math.ceil(until / WEEK) + 1
  const wednesdays = Float64Array.from({ length: weeks }, (_, week) => week * WEEK + 2.5 * DAY)
  const none = new Float64Array()
  return sites.map((site) => {
    const front = changeTimes(site, { until, random: random.fork() })
    const page = (path: string, law: string, changes: Float64Array): TaggedPage => ({
      path,
      law,
      changes: changes.filter((at) => at <= until),
      tagAt: countedTags(changes, weeks),
    })
    const archive = page('/archive', 'every Wednesday', wednesdays)
    return {
      name: site.name,
      pages: [
        page('/', site.law, front),
        archive,
        { ...archive, path: '/notices', tagAt: nextChangeTag(wednesdays) },
        page('/imprint', 'never', none),
      ],
    }
  })
}

/** By the counts of the weeks before. */
function countedTags(changes: Float64Array, weeks: number): TaggedPage['tagAt'] {
  const counts = weeklyCounts(changes, { weeks })
  const tags = Array.from({ length: weeks + 1 }, (_, week) => {
    const declared = declaredBy(tagOfWeek(counts, week), 'days')
    if (declared.kind === 'static') return 'STATIC'
    const days = (declared.period ?? WEEK) / DAY
    return declared.kind === 'periodic' ? `PERIODIC=${days}` : `nonuniform=${days}`
  })
  return (now) => tags[Math.floor(now / WEEK)]!
}

/** By the next change, in whole days after which it has come. Hattab, Example 1. */
function nextChangeTag(changes: Float64Array): TaggedPage['tagAt'] {
  return (now) => {
    const next = changes.find((at) => at > now) ?? now + WEEK
    return `nonuniform=${Math.max(1, Math.ceil((next - now) / DAY))}`
  }
}

/** A site on a port of loopback, which lives by the clock it is given. */
export async function serveSite(
  site: SmallSite,
  { clock }: { readonly clock: Clock },
): Promise<{ readonly base: string; robotsRequests(): number; close(): Promise<void> }> {
  let robots = 0
  const server = createServer((request, response) => {
    if (request.url !== '/robots.txt') return answer(site, { request, response, now: clock.now() })
    robots++
    response.end('User-agent: *\nAllow: /\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { base, robotsRequests: () => robots, close: () => closed(server) }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function answer(
  site: SmallSite,
  { request, response, now }: { request: IncomingMessage; response: ServerResponse; now: number },
): void {
  const page = site.pages.find(({ path }) => path === request.url)
  if (page === undefined) return void response.writeHead(404).end()
  const version = page.changes.filter((at) => at <= now).length
  const tag = page.tagAt(now)
  const etag = `"${version} ${tag}"`.replaceAll(' ', '-')
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag })
  response.end(
    `<!doctype html><html><head><meta name="Change-Frequency" content="${tag}"><title>${site.name}</title></head><body><p>Version ${version}.</p><p>${paragraph.repeat(30)}</p></body></html>\n`,
  )
}
