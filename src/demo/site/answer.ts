import type { IncomingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { UnixSeconds } from '../../model/index.js'
import { noticeOf } from '../text/html.js'
import { atomFeed } from './atom-feed.js'
import { faultAt } from './fault.js'
import type { LivePage } from './live-page.js'
import type { LiveSite } from './live-site.js'
import { robotsTxt } from './robots.js'
import { sitemapXml } from './sitemap.js'
import { namesWhatIsTold, toldOf } from './validators.js'

/** An answer before it is sent: 'hang' for none at all. */
export type Answer =
  | 'hang'
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      /** Both codings; null where a status has no body. */
      readonly body: { readonly plain: Buffer; readonly gzip: Buffer } | null
    }

export interface Question {
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
  const told = toldOf(page, { at, version, seed: site.seed })
  const validators = {
    vary: 'accept-encoding',
    ...(told.etag === undefined ? {} : { etag: told.etag }),
    ...(told.lastModified === undefined ? {} : { 'last-modified': httpDate(told.lastModified) }),
  }
  if (page.plan.telling.conditional && namesWhatIsTold(headers, told))
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
