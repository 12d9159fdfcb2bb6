import type { Metadata } from '../model/page.js'
import { longestKey, type QueueAddress, type QueueItem } from '../model/queue.js'
import type { UnixSeconds } from '../model/units.js'
import type { UrlInfo, UrlItem } from './wire.js'

/** One item of a client that is to be stored: an address that it found, or one that it has dealt with. */
export type PutItem = DiscoveredItem | KnownItem

export interface DiscoveredItem extends QueueItem {
  readonly kind: 'discovered'
}

export interface KnownItem extends QueueItem {
  readonly kind: 'known'
  /** From when on it may be fetched again, as the client would have it; 0 for never. */
  readonly date: UnixSeconds
}

/** The crawl of whoever names none. */
export const defaultCrawl = 'DEFAULT'

export function crawlNamed(crawlID: string | undefined): string {
  return crawlID === undefined || crawlID === '' ? defaultCrawl : crawlID
}

/** Longer addresses and names of crawls are nobody's. */
const longestCrawl = 255
const longestAddress = 8_000
/** The end of the year 9999: later dates are taken for this one. */
const latestDate: UnixSeconds = 253_402_300_799

/** Null where there is nothing that could be stored: no item, no address, one that is none, a key that is too long. */
export function itemOf({ discovered, known }: UrlItem): PutItem | null {
  if (known !== undefined && known !== null) {
    const item = infoOf(known.info)
    const date = Math.min(known.refetchable_from_date ?? 0, latestDate)
    return item === null ? null : { ...item, kind: 'known', date }
  }
  return discoveredOf(discovered?.info)
}

export function discoveredOf(info: UrlInfo | null | undefined): DiscoveredItem | null {
  const item = infoOf(info)
  return item === null ? null : { ...item, kind: 'discovered' }
}

function infoOf(info: UrlInfo | null | undefined): QueueItem | null {
  if (info === null || info === undefined) return null
  const address = addressOf(info)
  if (address === null) return null
  const metadata: Record<string, readonly string[]> = {}
  for (const [name, list] of Object.entries(info.metadata ?? {})) {
    const values = list.values ?? []
    if (hasNul(name) || values.some(hasNul)) return null
    metadata[name] = values
  }
  return { ...address, metadata }
}

/** By which an address is found: the crawl, the key (the host's name where none is given) and the address as it was sent. */
export function addressOf({
  url = '',
  key = '',
  crawlID,
}: Pick<UrlInfo, 'url' | 'key' | 'crawlID'>): QueueAddress | null {
  const collection = crawlNamed(crawlID)
  const host = hostNameOf(url)
  if (host === null || hasNul(url) || url.length > longestAddress) return null
  const ownKey = key === '' ? host : key
  if (ownKey.length > longestKey || hasNul(ownKey)) return null
  if (collection.length > longestCrawl || hasNul(collection)) return null
  return { collection, key: ownKey, url }
}

/** Of an http or https address; null for anything else. */
function hostNameOf(url: string): string | null {
  if (!/^https?:\/\//i.test(url)) return null
  const plain = /^https?:\/\/([a-z0-9.-]+)(?::\d{1,5})?(?:[/?#]|$)/.exec(url)
  // The common form needs no parser, and every item comes through here.
  if (plain !== null && !/^[\d.]+$|[.]{2}|^[.]/.test(plain[1]!)) return plain[1]!
  try {
    return new URL(url).hostname || null
  } catch {
    return null
  }
}

/** A sign that PostgreSQL cannot keep in a text. */
function hasNul(text: string): boolean {
  return text.includes('\0')
}

/** First value of a name; undefined where it has none, or an empty one. */
export function firstValue(metadata: Metadata, name: string): string | undefined {
  const value = metadata[name]?.[0]?.trim()
  return value === '' ? undefined : value
}

/** The same address under another key or in another crawl is another. */
export function identityOf({ collection, key, url }: QueueAddress): string {
  return `${collection}\0${key}\0${url}`
}
