import { listRole, normalUrl, trackingParameters } from '../../../crawl/index.js'
import { dueWithin, noHints, pageHintsJson, taken } from '../../../engine/index.js'
import { shown } from '../../../formats/index.js'
import {
  type Hint,
  type NewPage,
  OptionError,
  type PageRecord,
  type Store,
  watchedSettings,
  withChosen,
} from '../../../model/index.js'
import { parseAllowedHours } from '../../../schedule/index.js'
import { exitCode } from '../../exit-code.js'
import type { World } from '../../world.js'
import { type Configured, configured } from '../configured.js'
import { contactAdvice, isLocalUrl } from '../local-only-fetcher.js'
import { type Crawler, openCrawler } from '../open-crawler.js'
import { openSteward } from '../open-steward.js'
import { withStore } from '../open-store.js'
import { changePages, checkLimits } from './change-pages.js'
import { fetchList } from './fetch-list.js'
import { type Gathered, gatherAddresses } from './gather-addresses.js'
import { type PageOptions, pageOptions } from './page-options.js'
import type { WatchFlags } from './watch-flags.js'
import { type WatchResult, writeWatched } from './watched-text.js'

/** Pages added in one transaction. */
const batch = 1000

/** `revisit watch URL|FILE...`: follows pages from now on. */
export async function watchCommand(
  world: World,
  { what, flags }: { what: readonly string[]; flags: WatchFlags },
): Promise<number> {
  const options = pageOptions(flags)
  const { hours: _, policy: __, objective: ___, ...others } = flags
  const made = await configured(world, others)
  return withStore(made, async (store) => {
    const gathered = await gather(made, { store, what, flags })
    const result = await watch(made, { store, gathered, options })
    writeWatched(world, { result, what, gathered, json: flags.json === true })
    await warnOfPromises(made, { store, options })
    warnOfPrivate(made, gathered)
    const nothing = result.added + result.already === 0
    return nothing ? exitCode.refused : exitCode.done
  })
}

/** A longest gap or a policy of a page's own may ask for more than the budget: better said now. */
async function warnOfPromises(
  made: Configured,
  { store, options }: { store: Store; options: PageOptions },
): Promise<void> {
  const { longest = null, policy = null } = options.settings ?? {}
  if (longest === null && policy === null) return
  const steward = await openSteward(made, store)
  const warning = await steward.promiseWarning({ now: made.crawler.clock.now(), shown })
  if (warning !== null) made.world.err.write(`${warning}\n`)
}

/** A private address is refused at each visit unless its network is allowed: better said now. */
function warnOfPrivate({ world, config }: Configured, gathered: readonly Gathered[]): void {
  if (config.allowedNetworks.length > 0) return
  const urls = gathered.flatMap((each) => each.addresses).flatMap((each) => normalUrl(each) ?? [])
  const here = urls.find(isLocalUrl)
  if (here !== undefined)
    world.err.write(
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
    crawler ??= await openCrawler(withRoomForLists(made), store)
    const { body, headers } = await fetchList(url, { configured: made, store, crawler })
    return { body, contentType: headers['content-type'] }
  }
  const { exists } = made.crawler
  const missed = (fault: Error) => made.world.err.write(`left out: ${fault.message}\n`)
  const options = { as: flags.as as 'page' | 'list' | undefined, anyHost: flags.anyHost === true }
  try {
    const found: Gathered[] = []
    for (const each of what)
      found.push(await gatherAddresses(each, made.world, { ...options, fetch, exists, missed }))
    return found
  } finally {
    await crawler?.close()
  }
}

/** A sitemap may have 50 MB. sitemaps.org/protocol.html. */
function withRoomForLists(made: Configured): Configured {
  const bodyBytes = Math.max(made.config.bodyBytes, 50 * 1024 * 1024)
  return { ...made, config: { ...made.config, bodyBytes } }
}

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
  const now = made.crawler.clock.now()
  const page = newPage(options, { now, hours: made.config.hours })
  const all = [...urls, ...listsToFollow(gathered, options)]
  await checkLimits(made, { store, urls: all.map(([url]) => url), options })
  for (let i = 0; i < all.length; i += batch) {
    const pages = all
      .slice(i, i + batch)
      .map(([url, told]) => withHints({ ...page, url }, told, now))
    const changed =
      Object.keys(options).length > 0 ? await changePages(made, { store, pages, options }) : 0
    const { added, already } = await store.addPages({ collection, pages, now })
    result.added += added
    result.already += already
    result.changed += changed
  }
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
  return (await openSteward(made, store)).expected(pages, { now })
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
function withHints(page: NewPage, told: readonly Hint[] | 'list', now: number): NewPage {
  if (told === 'list')
    return { ...page, settings: { ...page.settings, noiseCheck: false, role: listRole } }
  if (told.length === 0) return page
  const hints = taken(noHints, { hints: told, source: null, now })
  return { ...page, hints: pageHintsJson(hints) }
}

/** A page with what was chosen for it; it has nothing yet that could be taken away. */
function newPage(
  { group, importance, settings = {} }: PageOptions,
  { now, hours }: { now: number; hours: string | null },
): Omit<NewPage, 'url'> {
  const page = {
    ...((group ?? null) === null ? {} : { group: group! }),
    ...(importance === undefined ? {} : { importance }),
    settings: watchedSettings(withChosen({}, settings)),
  }
  const text = typeof settings.hours === 'string' ? settings.hours : hours
  if (text === null) return page
  const due = { at: now, reason: 'never visited before' }
  return { ...page, due: dueWithin(due, parseAllowedHours(text)) }
}
