import type { IncomingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { writeAtom } from '../../formats/feed/write-atom.js'
import { escapeMarkup } from '../../formats/printable-text.js'
import { humanTime } from '../../model/duration.js'
import { DAY, HOUR, type Seconds, type UnixSeconds } from '../../model/units.js'
import { closedFolder, shareOf } from './catalogue.js'
import type { LivePage, LiveSite } from './live-site.js'
import { articleOf, noticeOf } from './page-text.js'

/** What a server tells of one rendering. */
interface ReportedValidators {
  readonly etag?: string
  /** Whole seconds, as HTTP dates are. */
  readonly lastModified?: UnixSeconds
}

/** How far back a random date lies on average. */
const randomSpread: Seconds = 30 * DAY

/** Validators as the page's server sends them, lies and all. */
function reportedOf(
  page: LivePage,
  { at, version, seed }: { at: UnixSeconds; version: number; seed: number },
): ReportedValidators {
  const { etag, lastModified } = page.plan.telling
  const date = {
    honest: () => page.lastChangeAt(at),
    missing: () => undefined,
    stuck: () => page.firstDate,
    now: () => at,
    random: () => at + randomSpread * Math.log(1 - shareOf(seed, page.plan.number, at * 1000, 10)),
  }[lastModified]()
  return {
    ...(etag ? { etag: page.etagOf(version) } : {}),
    ...(date === undefined ? {} : { lastModified: Math.floor(date) }),
  }
}

/**
 * Whether a conditional request names what is reported now (RFC 9110, 13.2.2:
 * If-None-Match decides alone where it is given). A date is whole seconds, so
 * two changes within one second look alike to it, as they do on the real web.
 */
function namesValidators(headers: IncomingHttpHeaders, reported: ReportedValidators): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined)
    return (
      reported.etag !== undefined &&
      (tags.trim() === '*' || opaqueTags(tags).includes(reported.etag))
    )
  const since = Date.parse(headers['if-modified-since'] ?? '') / 1000
  return reported.lastModified !== undefined && reported.lastModified <= since
}

/** Weak comparison: whether a tag is called weak does not matter. */
function opaqueTags(list: string): string[] {
  return [...list.matchAll(/"[^"]*"/g)].map(([tag]) => `W/${tag}`)
}

/** The site's robots.txt (RFC 9309, with the usual Crawl-delay and Sitemap lines). */
function robotsTxt(site: LiveSite): string {
  const closed = site.pages.some(({ plan }) => plan.access.kind === 'disallowed')
  return [
    '# What robots may visit here',
    'User-agent: *',
    closed ? `Disallow: ${closedFolder}` : 'Disallow:',
    ...(closed ? ['Crawl-delay: 2'] : []),
    '',
    `Sitemap: ${site.base}/sitemap.xml`,
    '',
  ].join('\n')
}

/** The site's sitemap (sitemaps.org 0.9). A page has the lastmod that its server tells, true or not. */
function sitemapXml(site: LiveSite, at: UnixSeconds): string {
  const entries = site.listed(at).map((page) => {
    const { lastModified } = reportedOf(page, { at, version: 0, seed: site.seed })
    const lastmod =
      lastModified === undefined ? '' : `<lastmod>${humanTime(lastModified)}</lastmod>`
    return `<url><loc>${escapeMarkup(site.urlOf(page))}</loc>${lastmod}</url>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n')
}

const entriesShown = 20

/** The pages that changed last, newest first (Atom, RFC 4287). */
function atomFeed(site: LiveSite, at: UnixSeconds): string {
  const newest = site
    .listed(at)
    .map((page) => ({ page, updated: page.lastChangeAt(at) }))
    .sort((a, b) => b.updated - a.updated)
    .slice(0, entriesShown)
  return writeAtom({
    id: `${site.base}/`,
    title: site.plan.title,
    self: `${site.base}/feed.xml`,
    site: `${site.base}/`,
    updated: newest[0]!.updated,
    author: site.plan.title,
    entries: newest.map(({ page, updated }) => {
      const version = page.versionAt(at)
      const { headline, paragraphs } = articleOf(page.plan, { seed: site.seed, version })
      const url = site.urlOf(page)
      const title = `${page.plan.title}: ${headline}`
      return { id: url, title, link: url, updated, content: paragraphs[0]! }
    }),
  })
}

/** What goes wrong at a failing page. */
type Fault =
  | { readonly kind: 'error' }
  | { readonly kind: 'hang' }
  /** Busy: asks to come back when the spell is over. */
  | { readonly kind: 'busy'; readonly retryAfter: Seconds }

/** Trouble comes in spells of this length. */
const spell: Seconds = 6 * HOUR
const troubled = 0.25

/**
 * The fault of a failing page at a moment, if any: it depends on seed, page and
 * time, not on who asks how often. A quarter of its spells are troubled: half
 * of those by errors, the rest by a busy server or by none that answers.
 */
export function faultAt(
  at: UnixSeconds,
  { seed, page }: { readonly seed: number; readonly page: number },
): Fault | null {
  const number = Math.floor(at / spell)
  const draw = shareOf(seed, page, number, 9)
  if (draw >= troubled) return null
  if (draw < troubled / 2) return { kind: 'error' }
  if (draw < (troubled * 3) / 4)
    return { kind: 'busy', retryAfter: Math.ceil((number + 1) * spell - at) }
  return { kind: 'hang' }
}

/** An answer before it is sent: 'hang' for none at all. */
export type Answer =
  | 'hang'
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      /** Both codings; null where a status has no body. */
      readonly body: { readonly plain: Buffer; readonly gzip: Buffer } | null
    }

interface Question {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly at: UnixSeconds
}

/** What a site answers at a moment: a function of the question alone. */
export function answerOf(site: LiveSite, question: Question): Answer {
  const { path, at } = question
  if (path === '/robots.txt') return textOf('text/plain', robotsTxt(site))
  if (path === '/sitemap.xml') return textOf('application/xml', sitemapXml(site, at))
  if (path === '/feed.xml' && site.plan.feed)
    return textOf('application/atom+xml', atomFeed(site, at))
  const page = site.pageAt(path)
  return page === undefined ? notice(404, 'Not found') : pageAnswer(site, page, question)
}

function pageAnswer(site: LiveSite, page: LivePage, question: Question): Answer {
  const { access, number } = page.plan
  if (question.at >= page.goneAt) return notice(410, 'Gone')
  if (access.kind === 'forbidden') return notice(403, 'Members only')
  if (access.kind === 'moved')
    return notice(access.status, 'Moved', { location: site.urlOf(site.destinationOf(page)) })
  if (access.kind === 'failing') {
    const fault = faultAt(question.at, { seed: site.seed, page: number })
    if (fault?.kind === 'hang') return 'hang'
    if (fault?.kind === 'error') return notice(500, 'Something broke')
    if (fault?.kind === 'busy')
      return notice(503, 'Too busy', { 'retry-after': String(fault.retryAfter) })
  }
  return content(site, page, question)
}

function content(site: LiveSite, page: LivePage, { at, headers }: Question): Answer {
  const version = page.versionAt(at)
  const reported = reportedOf(page, { at, version, seed: site.seed })
  const validators = {
    vary: 'accept-encoding',
    ...(reported.etag === undefined ? {} : { etag: reported.etag }),
    ...(reported.lastModified === undefined
      ? {}
      : { 'last-modified': httpDate(reported.lastModified) }),
  }
  if (page.plan.telling.conditional && namesValidators(headers, reported))
    return { status: 304, headers: validators, body: null }
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...validators },
    body: page.render(version, () => site.linksOf(page)),
  }
}

function notice(status: number, title: string, headers: Record<string, string> = {}): Answer {
  const answer = textOf('text/html', noticeOf(title))
  return { ...answer, status, headers: { ...answer.headers, ...headers } }
}

function textOf(type: string, text: string): Exclude<Answer, 'hang'> {
  const plain = Buffer.from(text)
  return {
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8`, vary: 'accept-encoding' },
    body: {
      plain,
      get gzip() {
        return gzipSync(plain)
      },
    },
  }
}

/** A date as HTTP writes it (IMF-fixdate). */
export function httpDate(at: UnixSeconds): string {
  return new Date(Math.floor(at) * 1000).toUTCString()
}
