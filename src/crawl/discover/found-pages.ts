import { scanMarkup } from '../../formats/index.js'
import type {
  FetchAnswer,
  FoundPage,
  Hint,
  HostRecord,
  Json,
  PageRecord,
} from '../../model/index.js'
import { listEntries } from '../hints/list-entries.js'
import type { ContentAnswer } from '../read/content-answer.js'
import { readContent } from '../read/read-content.js'
import { type RobotsRecord, robotsAllow } from '../robots/robots-record.js'
import { normalUrl } from '../url/normal-url.js'
import { hostOf, originOf } from '../url/site.js'
import { fitsAddress } from './address-pattern.js'
import { type DiscoverRules, discoverRules, isList, listRole } from './discover-rules.js'
import { looksEndless, sessionParameters, shapeOf, withoutSession } from './trap.js'

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
    host: hostOf(answer.url),
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

/** Entries of a list are told of in any case; new ones are added where the list is to lead to them. */
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
        .filter(({ url, nofollow }) => !nofollow && hostOf(url) === finding.host)
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
    return normal !== undefined && hostOf(normal) === hostOf(url) ? [normal] : []
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
  scanMarkup(new TextDecoder().decode(answer.body.subarray(0, 64 * 1024)), {
    xml: false,
    events: {
      open(name, { rel = '', type = '', href = '' }) {
        if (name !== 'link' || urls.size >= mostLists || !feedType.test(type.trim())) return
        const url = /\balternate\b/i.test(rel)
          ? normalUrl(href, { base: answer.url, without })
          : undefined
        if (url !== undefined && hostOf(url) === host) urls.add(url)
      },
      close() {},
      text() {},
    },
  })
  return [...urls]
}

function listAt(url: string, rules: DiscoverRules | null): FoundPage {
  const settings = {
    role: listRole,
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
