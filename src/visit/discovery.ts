import { type ContentAnswer, readContent } from '../content/read-content.js'
import { scanHtml } from '../formats/markup/scan-html.js'
import { normalUrl, originOf, webHostOf } from '../formats/url.js'
import { headerDirectives } from '../formats/user-agent.js'
import { answerHints } from '../hints/answer-hints.js'
import { listEntries } from '../hints/list-entries.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { FoundPage, Hint } from '../model/hint.js'
import type { HostRecord } from '../model/lease.js'
import { isList, type PageRecord, type PageSettings } from '../model/page.js'
import type { PublisherReader } from '../model/reader.js'
import type { Json } from '../model/units.js'
import { type RobotsRecord, robotsAllow } from './politeness/robots-record.js'

/** How far pages are found from a page: a setting of that page, handed on to those it leads to. */
export interface DiscoverRules {
  /** Links to follow one after another from here on. */
  readonly depth: number
  /** Pages found on a host at most. */
  readonly pages: number
  /** Only addresses that one of these fits; all where there are none. */
  readonly include: readonly string[]
  /** No address that one of these fits. */
  readonly exclude: readonly string[]
}

export const defaultDiscovery: DiscoverRules = { depth: 3, pages: 1000, include: [], exclude: [] }

/** The rules in a page's settings; null where it is not to lead to others. */
export function discoverRules({ discover }: PageSettings): DiscoverRules | null {
  if (typeof discover !== 'object' || discover === null || Array.isArray(discover)) return null
  const fields = discover as { readonly [name: string]: Json | undefined }
  const number = (name: 'depth' | 'pages') => {
    const value = fields[name]
    return typeof value === 'number' && value >= 0 ? value : defaultDiscovery[name]
  }
  const texts = (name: 'include' | 'exclude') => {
    const value = fields[name]
    return Array.isArray(value)
      ? value.filter((each): each is string => typeof each === 'string')
      : []
  }
  return {
    depth: number('depth'),
    pages: number('pages'),
    include: texts('include'),
    exclude: texts('exclude'),
  }
}

/**
 * Whether a pattern fits an address: `*` stands for anything, all else for
 * itself, and a pattern may fit any part, unless it begins with a scheme or `/`
 * (then from the start of the address or its path) or ends in `$`. Walks both
 * once for each star: no pattern can make it slow.
 */
export function fitsAddress(pattern: string, url: string): boolean {
  const { text, anchored } = compared(pattern, url)
  const closed = pattern.endsWith('$')
  const parts = (closed ? pattern.slice(0, -1) : pattern).split('*')
  let at = 0
  for (const [index, part] of parts.entries()) {
    const first = index === 0 && anchored
    const found = first ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!closed || at === text.length) return true
  const last = parts[parts.length - 1]!
  return !(anchored && parts.length === 1) && at <= text.length && text.endsWith(last)
}

function compared(pattern: string, url: string): { text: string; anchored: boolean } {
  if (/^https?:/i.test(pattern)) return { text: url, anchored: true }
  if (!pattern.startsWith('/')) return { text: url, anchored: false }
  const { pathname, search } = new URL(url)
  return { text: pathname + search, anchored: true }
}

/** Names of parameters that tell visitors apart and never pages. */
const sessionParameters: ReadonlySet<string> = new Set([
  'phpsessid',
  'jsessionid',
  'sessionid',
  'session_id',
  'session-id',
  'sessid',
  'sid',
  'aspsessionid',
  'cfid',
  'cftoken',
  'zenid',
  'oscsid',
])

const limits = { length: 500, segments: 12, parameters: 6, sameSegment: 2, yearsAhead: 1 }

/** An address without the session that stands in its path: `/a;jsessionid=1F`. */
export function withoutSession(url: string): string {
  return url.replace(/;jsessionid=[^/?]{0,200}/gi, '')
}

/**
 * Whether an address looks made up by a machine without end: very long or
 * deep, one folder over and over, many parameters, or a calendar beyond next
 * year. Such pages are not found, though they may be watched by name.
 */
export function looksEndless(url: string, { year }: { readonly year: number }): boolean {
  if (url.length > limits.length) return true
  const { pathname, search } = new URL(url)
  const segments = pathname.split('/').filter((each) => each !== '')
  if (segments.length > limits.segments || repeats(segments)) return true
  if (search.split('&').length > limits.parameters) return true
  return beyond(`${pathname}${search}`, year + limits.yearsAhead)
}

function repeats(segments: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const each of segments) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts.values()].some((count) => count > limits.sameSegment)
}

/** A year that stands by itself and lies ahead, before 2100: other numbers are no years. */
function beyond(text: string, year: number): boolean {
  for (const [, found] of text.matchAll(/(?<!\d)(2[01]\d\d)(?!\d)/g))
    if (Number(found) > year) return true
  return false
}

/** Addresses alike but for their numbers have one shape. */
export function shapeOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`.replace(/\d+/g, '#').slice(0, 120)
}

/** From one answer, however many it names. */
const mostLists = 20

export interface FoundPagesOptions {
  /** Parameters to leave out of addresses, beside those of sessions. */
  readonly without?: ReadonlySet<string>
}

/**
 * The pages that an answer tells of: the entries of a list that is followed
 * for them, and the links of a page that is to lead to others, with its feeds
 * and the sitemaps of its robots.txt. Links are of the page's own host, not
 * marked nofollow, within its patterns, and no traps; a page that asks not to
 * be followed gives none.
 */
export function foundPages(
  answer: FetchAnswer & { readonly kind: 'content' },
  about: { readonly page: PageRecord; readonly host: HostRecord | undefined },
  { without = new Set() }: FoundPagesOptions = {},
): readonly FoundPage[] {
  const finding: Finding = {
    rules: discoverRules(about.page.settings),
    without: new Set([...without, ...sessionParameters]),
    host: webHostOf(answer.url),
    year: new Date(answer.at * 1000).getUTCFullYear(),
    robots: robotsOf(answer.url, about.host),
  }
  if (isList(about.page.settings)) return fromList(answer, finding)
  return finding.rules === null || finding.rules.depth < 1 ? [] : fromPage(answer, about, finding)
}

interface Finding {
  readonly rules: DiscoverRules | null
  readonly without: ReadonlySet<string>
  readonly host: string | undefined
  readonly year: number
  /** What the host's robots.txt says, where it is known. */
  readonly robots: RobotsRecord | undefined
}

/** Entries of a list are reported in any case; new ones are added where the list is to lead to them. */
function fromList(answer: ContentAnswer, finding: Finding): FoundPage[] {
  const list = listEntries(answer, { without: finding.without })
  if (list === null) return []
  if (list.kind === 'index')
    return list.entries.slice(0, mostLists * 50).map(({ url }) => listAt(url, finding.rules))
  return list.entries.map(({ url, hints }) => found(url, { hints, finding, spend: 0 }))
}

function fromPage(
  answer: ContentAnswer,
  { page, host }: { readonly page: PageRecord; readonly host: HostRecord | undefined },
  finding: Finding,
): FoundPage[] {
  const { links, robots, kind } = readContent(answer, { links: true, without: finding.without })
  const pages = robots.nofollow
    ? []
    : links
        .filter(({ url, nofollow }) => !nofollow && webHostOf(url) === finding.host)
        .map(({ url }) => found(withoutSession(url), { hints: [], finding, spend: 1 }))
        .filter(({ settings, url }) => settings !== null && url !== page.url)
  if (page.visits > 0 && page.lastSeen !== null) return pages
  const feeds = kind === 'html' && !robots.nofollow ? feedsOf(answer, finding) : []
  return [
    ...pages,
    ...[...feeds, ...sitemapsOf(answer.url, host)].map((url) => listAt(url, finding.rules)),
  ]
}

/** The lists that speak for a host: those of its robots.txt, else the usual place. */
function sitemapsOf(url: string, host: HostRecord | undefined): string[] {
  const origin = originOf(url)!
  const named = (robotsOf(url, host)?.sitemaps ?? []).slice(0, mostLists).flatMap((each) => {
    const normal = normalUrl(each, { base: origin })
    return normal !== undefined && webHostOf(normal) === webHostOf(url) ? [normal] : []
  })
  return named.length > 0 ? named : [`${origin}/sitemap.xml`]
}

function robotsOf(url: string, host: HostRecord | undefined): RobotsRecord | undefined {
  const state = host?.state as { robots?: Record<string, RobotsRecord> } | null | undefined
  return state?.robots?.[originOf(url)!]
}

const feedType = /^application\/(?:rss|atom)\+xml\b/i

/** Feeds that a page names in its head. */
function feedsOf(answer: ContentAnswer, { host, without }: Finding): string[] {
  const urls = new Set<string>()
  scanHtml(new TextDecoder().decode(answer.body.subarray(0, 64 * 1024)), {
    wants: (name) => name === 'link',
    open(name, { rel = '', type = '', href = '' }) {
      if (name !== 'link' || urls.size >= mostLists || !feedType.test(type.trim())) return
      const url = /\balternate\b/i.test(rel)
        ? normalUrl(href, { base: answer.url, without })
        : undefined
      if (url !== undefined && webHostOf(url) === host) urls.add(url)
    },
    close() {},
    text() {},
  })
  return [...urls]
}

function listAt(url: string, rules: DiscoverRules | null): FoundPage {
  const settings = {
    role: 'list',
    found: true,
    ...(rules === null ? {} : { discover: rulesJson(rules) }),
  }
  return { url, hints: [], settings, shape: shapeOf(url) }
}

/** A page found; its settings are null where the rules do not let it be added. */
function found(
  url: string,
  { hints, finding, spend }: { hints: readonly Hint[]; finding: Finding; spend: number },
): FoundPage {
  const { rules } = finding
  const shape = shapeOf(url)
  const refused = finding.robots !== undefined && !robotsAllow(finding.robots, url)
  if (rules === null || refused || !allowed(url, rules) || looksEndless(url, finding))
    return { url, hints, settings: null, shape }
  const depth = Math.max(0, rules.depth - spend)
  return { url, hints, shape, settings: { found: true, discover: rulesJson({ ...rules, depth }) } }
}

function allowed(url: string, { include, exclude }: DiscoverRules): boolean {
  if (exclude.some((each) => fitsAddress(each, url))) return false
  return include.length === 0 || include.some((each) => fitsAddress(each, url))
}

function rulesJson(rules: DiscoverRules): Json {
  return { ...rules } as unknown as Json
}

/** Whether an answer says noindex, in its header or its page. */
function asksNotToBeListed(answer: ContentAnswer): boolean {
  const { body, headers } = answer
  if (headerDirectives(headers['x-robots-tag'] ?? '').noindex) return true
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return /noindex|none/i.test(bytes.toString('latin1')) && readContent(answer).robots.noindex
}

/** What publishers say, read from answers: for the loop. */
export function publisherReader(options: FoundPagesOptions = {}): PublisherReader {
  return {
    hints: answerHints,
    found: (answer, about) => foundPages(answer, about, options),
    unlisted: asksNotToBeListed,
  }
}
