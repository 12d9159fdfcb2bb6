import { setWanted, withWanted } from '../../../crawler/incoming/wanted-settings.js'
import { type Crawler, openCrawler } from '../../../crawler/open-crawler.js'
import { openController } from '../../../crawler/page-planners.js'
import { contactAdvice, isLocalUrl } from '../../../fetch/contact.js'
import { shown } from '../../../formats/printable-text.js'
import { normalUrl, trackingParameters } from '../../../formats/url.js'
import { taken } from '../../../hints/list-signals.js'
import { OptionError } from '../../../model/errors.js'
import type { Hint } from '../../../model/hint.js'
import { type NewPage, type PageRecord, watchedSettings, withChosen } from '../../../model/page.js'
import type { Store } from '../../../model/store.js'
import { noHints, pageHintsJson } from '../../../model/stored-hints.js'
import type { ExpectedVisits } from '../../../planner/collection/expected-visits.js'
import { dueWithin, parseAllowedHours } from '../../../policies/allowed-hours.js'
import { storeCommand } from '../../command.js'
import { type Configured, configured, crawlerOptions, withStore } from '../../configured.js'
import { type Environment, exitCode } from '../../environment.js'
import { answer } from '../../text/json.js'
import { policiesHelp } from '../../text/kind-list.js'
import { counted } from '../../text/numbers.js'
import { problemLines } from '../../visit-log.js'
import { fetchList, type Gathered, gatherAddresses } from './addresses.js'
import {
  changePages,
  checkLimits,
  type PageOptions,
  pageOptions,
  type WatchFlags,
  watchOptions,
} from './page-options.js'

interface WatchResult {
  added: number
  already: number
  changed: number
  /** Addresses and lines of lists that are none of a web page. */
  refused: number
  foreign: number
  /** When new pages are visited first and again; null where there are none. */
  next: ExpectedVisits | null
}

interface Watched {
  readonly result: WatchResult
  /** What was named on the command line, and what was gathered from each. */
  readonly what: readonly string[]
  readonly gathered: readonly Gathered[]
  readonly json: boolean
}

/** What `watch` came to; what was left out goes to stderr, so that JSON stays JSON. */
function writeWatched(environment: Environment, watched: Watched): void {
  const { result, json } = watched
  answer(environment, { json, record: result, text: `${addedText(watched)}\n` })
  for (const line of leftOut(watched)) environment.err.write(`${line}\n`)
}

function addedText({ result, gathered }: Watched): string {
  const { added, already, changed, next } = result
  const lists = gathered.filter((each) => each.from !== 'a page')
  const from = lists.length === 1 ? ` from ${lists[0]!.from}` : ''
  const known = already === 0 ? '' : `, ${already} watched already`
  const other = changed === 0 ? '' : ` (${counted(changed, 'page')} with new options)`
  const plan = next === null ? '' : `\n${nextText(next)}`
  return `${counted(added, 'new page')}${from}${known}${other}${plan}`
}

/** Nothing is visited by `watch` itself. */
function nextText({ text, again }: ExpectedVisits): string {
  return text.startsWith('first visit now')
    ? `first visit as soon as run or serve runs; ${again}`
    : text
}

function leftOut(watched: Watched): string[] {
  const { foreign } = watched.result
  const lines = [...badLines(watched), ...badAddresses(watched)]
  for (const { entry, what } of watched.gathered.flatMap((each) => each.left ?? []))
    lines.push(`not carried over: ${shown(entry)}: ${shown(what)}`)
  if (foreign > 0)
    lines.push(`${counted(foreign, 'address')} of other hosts left out; --any-host takes them in`)
  return lines
}

/** By number and reason, with the list's name unless it is the one thing that was named. */
function badLines({ what, gathered }: Watched): string[] {
  const all = gathered.flatMap((each) => each.badLines)
  return all.flatMap(({ list, problems }) => {
    const name = what.length === 1 && list === what[0] ? '' : `${shown(list)}, `
    return problemLines(problems, undefined).map((line) => name + line)
  })
}

function badAddresses({ gathered }: Watched): string[] {
  const all = gathered.flatMap((each) => each.addresses)
  const bad = all.filter((each) => normalUrl(each) === undefined)
  if (bad.length === 0) return []
  return [`${counted(bad.length, 'address')} left out, being none of a web page: ${shown(bad[0]!)}`]
}

/** Pages added in one transaction. */
const batch = 1000

/** `revisit watch URL|FILE...`: follows pages from now on. */
export const watchCommand = storeCommand({
  description:
    'Follow pages from now on. WHAT is the address of a page; a file or an address of a sitemap, a sitemap index, a feed or OPML; a file with addresses one a line (lines with # are remarks, others that are no address are named), or a .csv file with a column url; bookmarks of a browser, urls.yaml of urlwatch, url-watches.json or the backup of changedetection.io, or a pages file with options for each page, of which what could not be carried over is listed; or - for such a list piped in. Lists may be gzipped. An address is taken for a list if it ends in .xml, .opml, .rss, .atom, .txt or .gz, or says sitemap at its end; --as list or --as page overrules that. Options given again for a page that is watched already replace what it had; none takes away its --group, --tag, --importance, --hours, --policy, --objective, --shortest, --longest, or its headers (--header, --auth).',
  arguments: [['<WHAT...>', 'addresses, files, or -']],
  options: watchOptions,
  ownSettings: ['hours', 'policy', 'objective', 'proxy'],
  more: policiesHelp,
  async run(environment, [what], flags) {
    const options = pageOptions(flags)
    const { hours: _, policy: __, objective: ___, proxy: ____, ...others } = flags
    const made = await configured(environment, others)
    return withStore(made, async (store) => {
      const gathered = await gather(made, { store, what, flags })
      const result = await watch(made, { store, gathered, options })
      writeWatched(environment, { result, what, gathered, json: flags.json === true })
      await warnOfGuarantees(made, { store, options })
      warnOfPrivate(made, gathered)
      const nothing = result.added + result.already === 0
      return nothing ? exitCode.refused : exitCode.done
    })
  },
})

/** A longest gap or a policy of a page's own may ask for more than the budget: better said now. */
async function warnOfGuarantees(
  made: Configured,
  { store, options }: { store: Store; options: PageOptions },
): Promise<void> {
  const { longest = null, policy = null } = options.settings ?? {}
  if (longest === null && policy === null) return
  const controller = await openController(crawlerOptions(made, store))
  const warning = await controller.guaranteeWarning({ now: made.crawler.clock.now(), shown })
  if (warning !== null) made.environment.err.write(`${warning}\n`)
}

/** A private address is refused at each visit unless its network is allowed: better said now. */
function warnOfPrivate({ environment, config }: Configured, gathered: readonly Gathered[]): void {
  if (config.allowedNetworks.length > 0) return
  const urls = gathered.flatMap((each) => each.addresses).flatMap((each) => normalUrl(each) ?? [])
  const here = urls.find(isLocalUrl)
  if (here !== undefined)
    environment.err.write(
      `${shown(here)} is on this machine or a private network, which runs do not visit unless it is allowed: set allowed-networks, such as 127.0.0.0/8\n`,
    )
}

async function gather(
  made: Configured,
  { store, what, flags }: { store: Store; what: readonly string[]; flags: WatchFlags },
): Promise<Gathered[]> {
  if (flags.as !== undefined && flags.as !== 'page' && flags.as !== 'list')
    throw new OptionError('bad-option', `--as takes page or list; got "${flags.as}"`)
  let crawler: Crawler | undefined
  const fetch = async (url: string) => {
    if (made.config.contact === null && !isLocalUrl(url))
      throw new OptionError('no-contact', `${url} is not fetched: ${contactAdvice}`)
    crawler ??= await openCrawler({
      ...crawlerOptions(made, store),
      bodyBytes: Math.max(made.config.bodyBytes, listBytes),
    })
    const { body, headers } = await fetchList(url, { configured: made, store, crawler })
    return { body, contentType: headers['content-type'] }
  }
  const { exists } = made.crawler
  const missed = (fault: Error) => made.environment.err.write(`left out: ${fault.message}\n`)
  const options = { as: flags.as as 'page' | 'list' | undefined, anyHost: flags.anyHost === true }
  try {
    const found: Gathered[] = []
    for (const each of what)
      found.push(
        await gatherAddresses(each, made.environment, { ...options, fetch, exists, missed }),
      )
    return found
  } finally {
    await crawler?.close()
  }
}

/** A sitemap may have 50 MB. sitemaps.org/protocol.html. */
const listBytes = 50 * 1024 * 1024

async function watch(
  made: Configured,
  parts: { store: Store; gathered: readonly Gathered[]; options: PageOptions },
): Promise<WatchResult> {
  const { store, gathered, options } = parts
  const { collection, dropTracking } = made.config
  const foreign = gathered.reduce((sum, each) => sum + each.foreign, 0)
  const lines = gathered.flatMap((each) => each.badLines)
  const refused = lines.reduce((sum, { problems }) => sum + problems.total, 0)
  const result: WatchResult = { added: 0, already: 0, changed: 0, refused, foreign, next: null }
  const normal = dropTracking ? { without: trackingParameters } : {}
  const urls = new Map<string, readonly Hint[]>()
  for (const { addresses, hints } of gathered)
    for (const address of addresses) {
      const url = normalUrl(address, normal)
      if (url === undefined) result.refused++
      else if (!urls.has(url)) urls.set(url, hints.get(address) ?? [])
    }
  const wanted = gathered
    .flatMap((each) => each.wanted ?? [])
    .flatMap((each) => {
      const url = normalUrl(each.url, normal)
      return url === undefined ? [] : [{ ...each, url }]
    })
  const wantedOf = new Map(wanted.map((each) => [each.url, each]))
  const now = made.crawler.clock.now()
  const page = newPage(options, { now, hours: made.config.hours })
  const all = [...urls, ...listsToFollow(gathered, options)]
  await checkLimits(made, { store, urls: all.map(([url]) => url), options })
  for (let i = 0; i < all.length; i += batch) {
    const pages = all
      .slice(i, i + batch)
      .map(([url, pageHints]) => withHints({ ...page, url }, pageHints, now))
      .map((each) => withWanted(each, wantedOf.get(each.url)))
    const changed =
      Object.keys(options).length > 0 ? await changePages(made, { store, pages, options }) : 0
    const { added, already } = await store.addPages({ collection, pages, now })
    result.added += added
    result.already += already
    result.changed += changed
  }
  result.changed += await setWanted(wanted, { store, collection })
  if (result.added > 0) result.next = await expected(made, { store, urls: all, now })
  return result
}

/** Pages of those added that are asked when they are visited. */
const mostAsked = 200

/** When those of the pages that nobody visited yet are seen first and again. */
async function expected(
  made: Configured,
  {
    store,
    urls,
    now,
  }: { store: Store; urls: readonly (readonly [string, unknown])[]; now: number },
): Promise<WatchResult['next']> {
  const { collection } = made.config
  const pages: PageRecord[] = []
  for (const [url] of urls.slice(0, 5 * mostAsked)) {
    const page = await store.getPage({ collection, url })
    if (page?.lastVisit === null) pages.push(page)
    if (pages.length === mostAsked) break
  }
  return (await openController(crawlerOptions(made, store))).expected(pages, { now })
}

/** Lists that pages were taken from are followed too where they may lead to more. */
function listsToFollow(
  gathered: readonly Gathered[],
  { settings }: PageOptions,
): Array<[string, 'list']> {
  if ((settings?.discover ?? null) === null) return []
  const lists = gathered.flatMap((each) => each.lists).flatMap((each) => normalUrl(each) ?? [])
  return [...new Set(lists)].map((url) => [url, 'list'])
}

/** A page with what a list said of it; a list with its role. */
function withHints(page: NewPage, pageHints: readonly Hint[] | 'list', now: number): NewPage {
  if (pageHints === 'list')
    return { ...page, settings: { ...page.settings, noiseCheck: false, role: 'list' } }
  if (pageHints.length === 0) return page
  const hints = taken(noHints, { hints: pageHints, source: null, now })
  return { ...page, hints: pageHintsJson(hints) }
}

/** A page with what was chosen for it; it has nothing yet that could be taken away. */
function newPage(
  { group, tags, importance, settings = {} }: PageOptions,
  { now, hours }: { now: number; hours: string | null },
): Omit<NewPage, 'url'> {
  const page = {
    ...((group ?? null) === null ? {} : { group: group! }),
    ...(tags === undefined ? {} : { tags }),
    ...(importance === undefined ? {} : { importance }),
    settings: watchedSettings(withChosen({}, settings)),
  }
  const text = typeof settings.hours === 'string' ? settings.hours : hours
  if (text === null) return page
  const due = { at: now, reason: 'never visited before' }
  return { ...page, due: dueWithin(due, parseAllowedHours(text)) }
}
