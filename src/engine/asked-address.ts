import type { FetchRequest, PageRecord } from '../model/index.js'
import { asksHome } from './move-kept.js'

/** Where a page is asked for, at its own address or at that to which it has moved, and what is sent there that is its own. */
export function askedAddress(page: PageRecord): Pick<FetchRequest, 'url' | 'home' | 'headers'> {
  const { url: home, movedTo, settings } = page
  const { headers } = settings
  const url = movedTo === null || asksHome(page) ? home : movedTo
  if (headers === undefined) return { url }
  // A page that has moved keeps its headers to its own site: the fetcher goes by `home`.
  return url === home ? { url, headers } : { url, home, headers }
}
