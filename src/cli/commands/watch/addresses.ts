import { buffer } from 'node:stream/consumers'
import { carriedPages } from '../../../crawler/incoming/carried-pages.js'
import type { Crawler } from '../../../crawler/open-crawler.js'
import { readOpml } from '../../../formats/opml.js'
import { readPageList } from '../../../formats/page-lists/read-page-list.js'
import type { LeftBehind, PageList, WantedPage } from '../../../formats/page-lists/wanted-page.js'
import type { Problems } from '../../../formats/problems.js'
import { readSitemap, type Sitemap } from '../../../formats/sitemap.js'
import { webHostOf, withScheme } from '../../../formats/url.js'
import { entryHints } from '../../../hints/list-entries.js'
import { humanDuration } from '../../../model/duration.js'
import { EnvironmentError, InputError, OptionError } from '../../../model/errors.js'
import type { FetchAnswer, FetchRequest, PoliteVisit } from '../../../model/fetcher.js'
import type { Hint } from '../../../model/hint.js'
import type { Store } from '../../../model/store.js'
import type { UnixSeconds } from '../../../model/units.js'
import { storeHostAccess } from '../../../visit/politeness/host-holds.js'
import { visitOnce } from '../../../visit/request.js'
import type { Configured } from '../../configured.js'
import type { Environment } from '../../environment.js'
import { spentText } from '../../live/crawler-session.js'

/** What a list of pages was, and the addresses in it, as written. */
interface AddressList {
  readonly kind: 'sitemap' | 'sitemap index' | 'feed' | 'OPML' | 'list'
  readonly addresses: readonly string[]
  /** What it says of them, by address. */
  readonly hints: ReadonlyMap<string, readonly Hint[]>
  /** Lines that are no address, where there are any. */
  readonly problems?: Problems
}

/**
 * The addresses in a sitemap, a sitemap index, a feed, an OPML file or a plain
 * list or a column of CSV, packed with gzip or not, known by its content. Of an OPML file both
 * the feeds and the pages they belong to. Null where it is none of these.
 */
function addressesIn(bytes: Uint8Array, contentType?: string): AddressList | null {
  const outlines = looksLikeMarkup(bytes) ? readOpml(bytes, contentType) : null
  if (outlines !== null) {
    const both = outlines.flatMap(({ feedUrl, pageUrl }) => [pageUrl, feedUrl])
    return { kind: 'OPML', addresses: both.filter((each) => each !== null), hints: new Map() }
  }
  const sitemap = readSitemap(bytes, contentType)
  if (sitemap === null) return null
  const hinted = sitemap.entries.map((each) => [each.url, entryHints(each, sitemap.form)] as const)
  return {
    kind: kindOf(sitemap),
    addresses: sitemap.entries.map(({ url }) => url),
    hints: new Map(hinted.filter(([, hints]) => hints.length > 0)),
    ...(sitemap.problems !== undefined && { problems: sitemap.problems }),
  }
}

/** Packed files are looked into as well: what is in them is not known yet. */
function looksLikeMarkup(bytes: Uint8Array): boolean {
  return /^\uFEFF?\s*</.test(new TextDecoder().decode(bytes.subarray(0, 200))) || bytes[0] === 0x1f
}

function kindOf({ kind, form }: Sitemap): AddressList['kind'] {
  if (kind === 'index') return 'sitemap index'
  return form === 'xml' ? 'sitemap' : form === 'feed' ? 'feed' : 'list'
}

/** Lines of one list that are no address. */
interface BadLines {
  /** Its address or file, as it was named on the command line or in an index. */
  readonly list: string
  readonly problems: Problems
}

/** What was gathered from one thing to watch. */
export interface Gathered {
  readonly addresses: string[]
  /** What lists said of them, by address. */
  readonly hints: Map<string, readonly Hint[]>
  /** Lists that were fetched, to be visited again. */
  readonly lists: string[]
  /** What it was, for a person: `a sitemap index`. */
  readonly from: string
  /** Addresses of other hosts in a sitemap fetched from one; left out. */
  readonly foreign: number
  /** Lines that are no address, list by list. */
  readonly badLines: BadLines[]
  /** Pages with settings of their own, from lists that have such. */
  readonly wanted?: readonly WantedPage[]
  /** What of such a list could not be carried over. */
  readonly left?: readonly LeftBehind[]
}

interface GatherOptions {
  /** Take an address for a page or for a list; found from how it is written by default. */
  readonly as: 'page' | 'list' | undefined
  /** Let a fetched sitemap speak for other hosts too. */
  readonly anyHost: boolean
  fetch(url: string): Promise<{ body: Uint8Array; contentType: string | undefined }>
  exists(path: string): boolean
  /** Called for each list of an index that could not be fetched and was left out. */
  missed(fault: EnvironmentError): void
}

/** An index of indexes is against the protocol; one level more than it is harmless. */
const deepest = 2
/** Faults of one list; others, such as a full disk, are those of all. */
const listFaults: ReadonlySet<string> = new Set(['list-refused', 'list-unreachable', 'host-rests'])
const csvEnding = /\.csv(\.gz)?$/i
const listEnding = /(\.(xml|opml|rss|atom|txt|gz)|\/sitemap[^/]*)$/i

/** The addresses that one argument of `watch` stands for. */
export async function gatherAddresses(
  what: string,
  environment: Environment,
  options: GatherOptions,
): Promise<Gathered> {
  if (!/^[a-z][a-z+.-]*:\/\//i.test(what)) return fromFile(what, environment, options)
  const isList = options.as === 'list' || (options.as !== 'page' && looksLikeList(what))
  return isList ? fromUrl(what, options) : onePage(what)
}

/** By its ending alone: a page is not asked for before it is due. */
function looksLikeList(url: string): boolean {
  return URL.canParse(url) && listEnding.test(new URL(url).pathname)
}

async function fromFile(
  what: string,
  environment: Environment,
  options: GatherOptions,
): Promise<Gathered> {
  if (what !== '-' && !options.exists(what) && withScheme(what) !== what)
    return onePage(withScheme(what))
  if (what !== '-' && !options.exists(what))
    throw new OptionError(
      'nothing-to-watch',
      `${what} is neither a file nor an address; addresses begin with https:// or http://`,
    )
  const source = what === '-' ? environment.input : await environment.open(what)
  if (source === undefined)
    throw new OptionError('no-input', 'there is nothing piped in; name addresses or a file')
  const bytes = await buffer(source.chunks)
  const pageList = csvEnding.test(what) ? null : readPageList(bytes)
  if (pageList !== null) return fromPageList(pageList)
  const list = addressesIn(bytes, csvEnding.test(what) ? 'text/csv' : undefined)
  if (list === null)
    throw new InputError(
      'no-list',
      `${what} is no list of pages; it may be a sitemap, a feed, OPML, bookmarks, jobs of urlwatch, a backup of changedetection.io, a pages file, addresses one a line, or CSV with a column url`,
    )
  return followed(list, { options, depth: 0, host: undefined, name: what })
}

/** Addresses with what another program, or a person's file, has set for each. */
function fromPageList(list: PageList): Gathered {
  const { pages, left } = carriedPages(list)
  const wanted = pages.map((page) => ({ ...page, url: withScheme(page.url) }))
  const addresses = wanted.map(({ url }) => url)
  const from =
    list.kind === 'urlwatch' ? 'urlwatch' : list.kind === 'pages file' ? 'a pages file' : list.kind
  return { addresses, hints: new Map(), lists: [], from, foreign: 0, badLines: [], wanted, left }
}

/** What turns out to be no list is a page after all. */
async function fromUrl(url: string, options: GatherOptions): Promise<Gathered> {
  const { body, contentType } = await options.fetch(url)
  const list = addressesIn(body, contentType)
  if (list === null) return onePage(url)
  const host = options.anyHost || list.kind === 'OPML' ? undefined : webHostOf(url)
  const gathered = await followed(list, { options, depth: 0, host, name: url })
  if (list.kind !== 'OPML') gathered.lists.push(url)
  return gathered
}

function onePage(url: string): Gathered {
  return { addresses: [url], hints: new Map(), lists: [], from: 'a page', foreign: 0, badLines: [] }
}

interface Following {
  readonly options: GatherOptions
  readonly depth: number
  /** The list's address or file. */
  readonly name: string
  /** The only host that a sitemap may speak for. sitemaps.org, "Sitemap file location". */
  readonly host: string | undefined
}

async function followed(list: AddressList, following: Following): Promise<Gathered> {
  const { host, options, depth, name } = following
  const ours = list.addresses.filter((each) => host === undefined || webHostOf(each) === host)
  const foreign = list.addresses.length - ours.length
  const hints = new Map(list.hints)
  const { problems } = list
  const badLines = problems === undefined ? [] : [{ list: name, problems }]
  if (list.kind !== 'sitemap index')
    return { addresses: ours, hints, lists: [], from: named(list), foreign, badLines }
  const gathered = {
    addresses: [] as string[],
    hints: new Map<string, readonly Hint[]>(),
    lists: [] as string[],
    from: named(list),
    foreign,
    badLines,
  }
  const faults: EnvironmentError[] = []
  for (const url of depth < deepest ? ours : []) {
    const inner = await listOf(url, { options, faults })
    if (inner === null) continue
    const more = await followed(inner, { ...following, depth: depth + 1, name: url })
    for (const each of more.addresses) gathered.addresses.push(each)
    for (const [address, pageHints] of more.hints) gathered.hints.set(address, pageHints)
    gathered.lists.push(url)
    gathered.foreign += more.foreign
    gathered.badLines.push(...more.badLines)
  }
  if (faults[0] !== undefined && gathered.lists.length === 0) throw faults[0]
  for (const fault of faults) options.missed(fault)
  return gathered
}

/** One list of an index that is gone or forbidden must not cost the others. */
async function listOf(
  url: string,
  { options, faults }: { options: GatherOptions; faults: EnvironmentError[] },
): Promise<AddressList | null> {
  try {
    const { body, contentType } = await options.fetch(url)
    return addressesIn(body, contentType)
  } catch (fault) {
    if (!(fault instanceof EnvironmentError) || !listFaults.has(fault.code)) throw fault
    faults.push(fault)
    return null
  }
}

function named({ kind }: AddressList): string {
  return `${kind === 'OPML' ? 'an' : 'a'} ${kind}`
}

/** What lists are fetched with. */
interface ListFetching {
  readonly configured: Configured
  readonly store: Store
  readonly crawler: Crawler
}

/** Fetches a list of pages as politely as a page, waiting for its host where that is bearable. */
export async function fetchList(
  url: string,
  parts: ListFetching,
): Promise<FetchAnswer & { kind: 'content' }> {
  const visit = await patientVisit({ url, unconditional: true }, parts)
  if (visit.kind === 'disallowed')
    throw new EnvironmentError(
      'list-refused',
      `robots.txt does not let ${url} be fetched; save it to a file and watch that`,
    )
  if (visit.answer.kind === 'content') return visit.answer
  throw new EnvironmentError('list-unreachable', `cannot fetch ${url}: ${why(visit.answer)}`)
}

async function patientVisit(
  request: FetchRequest,
  { configured, store, crawler }: ListFetching,
): Promise<Exclude<PoliteVisit, { kind: 'wait' | 'deferred' | 'spent' }>> {
  const { clock } = configured.crawler
  const patience = configured.config.longestDelay
  const { worker } = configured.crawler
  const hostAccess = storeHostAccess({ store, clock }, { worker, ttl: configured.config.leaseTime })
  for (;;) {
    const visit = await visitOnce(crawler.visitor, request, { hostAccess })
    await crawler.saveToday()
    if (visit.kind === 'answered' || visit.kind === 'disallowed') return visit
    if (visit.kind === 'spent') throw noRequestLeft(configured, visit.until)
    const wait = visit.until - clock.now()
    if (wait > patience)
      throw new EnvironmentError(
        'host-rests',
        `${visit.kind === 'wait' ? webHostOf(request.url) : visit.host} is not to be asked for ${humanDuration(wait)}; try again then`,
      )
    await clock.sleep(Math.max(0.01, wait))
  }
}

function noRequestLeft({ config, crawler }: Configured, opens: UnixSeconds): EnvironmentError {
  const spent = spentText({ ...config, opens, now: crawler.clock.now() })
  return new EnvironmentError('budget-spent', `${spent}; try again then, or raise it`)
}

function why(answer: FetchAnswer): string {
  if (answer.kind === 'failed') return `${answer.message}; see that the address is right`
  return `it answered with status ${answer.status}; see that the address is right`
}
