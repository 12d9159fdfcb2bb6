import { normalUrl, trackingParameters } from '../formats/url.js'
import { OptionError } from '../model/errors.js'
import type { PageRecord } from '../model/page.js'
import type { Store } from '../model/store.js'
import type { Configured } from './configured.js'

/** The address of a page as it is kept, from how a person writes it. */
export function keptUrl({ config }: Configured, address: string): string {
  const url = normalUrl(address, config.dropTracking ? { without: trackingParameters } : {})
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
  const url = keptUrl(made, address)
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
