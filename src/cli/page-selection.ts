import { normalUrl, trackingParameters, withScheme } from '../formats/url.js'
import { OptionError } from '../model/errors.js'
import { given } from '../model/given.js'
import { outcomes } from '../model/history.js'
import type { PageFilter, PageRecord, PageSort } from '../model/page.js'
import type { Store } from '../model/store.js'
import type { FlagsOf, OptionLine } from './command.js'
import type { Configured } from './configured.js'
import { oneOf } from './text/numbers.js'

/** The address of a page as it is kept, from how a person writes it: `example.org/news`, too, as `watch` takes it. */
export function keptUrl({ config }: Configured, address: string): string {
  const normal = config.dropTracking ? { without: trackingParameters } : {}
  const url = normalUrl(withScheme(address), normal)
  if (url !== undefined) return url
  throw new OptionError(
    'bad-url',
    `"${address}" is no address of a web page; addresses begin with https:// or http://`,
  )
}

/** The page of that address; refused with advice where none is followed. */
export async function namedPage(
  made: Configured,
  { store, address }: { readonly store: Store; readonly address: string },
): Promise<PageRecord> {
  const { collection } = made.config
  // Addresses of a crawl are kept as its clients sent them.
  const isCrawl = (await store.queues.crawls()).includes(collection)
  const url = isCrawl ? address : keptUrl(made, address)
  const page = await store.getPage({ collection, url })
  if (page !== null) return page
  throw notWatched(made, url)
}

export function notWatched({ config }: Configured, url: string): OptionError {
  return new OptionError(
    'unknown-page',
    `${url} is not watched in collection "${config.collection}"; see revisit list, or revisit watch ${url}`,
  )
}

/** The options by which some of the pages are chosen. */
export const filterOptions = [
  ['--host <host>', 'only pages of this host'],
  ['--group <name>', 'only pages of this group or with this tag'],
  ['--outcome <name>', 'only pages whose last visit ended so', oneOf(...outcomes)],
  ['--contains <text>', 'only pages with this in their address'],
  ['--due', 'only pages that are due'],
] as const satisfies readonly OptionLine[]

/** Which pages the options speak of. */
export function pageFilter(
  { config, crawler }: Configured,
  flags: FlagsOf<typeof filterOptions>,
): PageFilter {
  const { host, group, outcome, contains: urlContains, due } = flags
  const dueBy = due === true ? crawler.clock.now() : undefined
  return {
    collection: config.collection,
    ...given({ host, group, outcome, urlContains, dueBy }),
  }
}

/** Rows fetched at a time. */
const stretch = 500

/** Pages one after the other, fetched by the stretch. */
export async function* listed(
  store: Store,
  query: {
    readonly filter: PageFilter
    readonly sort?: PageSort
    readonly descending?: boolean
    readonly limit?: number
  },
): AsyncGenerator<PageRecord> {
  const { filter, sort = 'added', descending = false } = query
  let left = query.limit ?? Infinity
  let after: string | undefined
  while (left > 0) {
    const limit = Math.min(left, stretch)
    const next = after === undefined ? {} : { after }
    const list = await store.listPages({ ...filter, sort, descending, limit, ...next })
    yield* list.pages
    left -= list.pages.length
    if (list.next === null) return
    after = list.next
  }
}
