import type { UnixSeconds } from '../../model/index.js'

export interface FeedLink {
  readonly href: string | null
  readonly rel: string
  readonly type: string | null
  readonly hreflang: string | null
  readonly title: string | null
  readonly length: string | null
}

export interface FeedPerson {
  readonly name: string | null
  readonly email: string | null
  readonly uri: string | null
}

export interface FeedCategory {
  readonly term: string | null
  readonly label: string | null
}

/** What a feed, an item, and the source an item was taken from all tell of themselves. */
export interface FeedPart {
  readonly id: string | null
  readonly title: string | null
  readonly subtitle: string | null
  /** Where a person reads it. */
  readonly link: string | null
  readonly links: readonly FeedLink[]
  readonly rights: string | null
  readonly logo: string | null
  readonly authors: readonly FeedPerson[]
  readonly contributors: readonly FeedPerson[]
  readonly categories: readonly FeedCategory[]
  /** Null where it is not told, or told in no way we can read. */
  readonly updated: UnixSeconds | null
  readonly published: UnixSeconds | null
  /** The dates as written. */
  readonly written: { readonly updated: string | null; readonly published: string | null }
}

export interface FeedGenerator {
  readonly name: string | null
  readonly uri: string | null
  readonly version: string | null
}

export interface FeedItem extends FeedPart {
  /** RSS: whether the id is an address too; it is unless the feed says no. */
  readonly idIsLink: boolean
  readonly summary: string | null
  readonly content: { readonly type: string | null; readonly value: string } | null
  readonly source: (FeedPart & { readonly generator: FeedGenerator | null }) | null
}

export interface Feed extends FeedPart {
  readonly kind: 'rss' | 'atom'
  readonly version: string
  /** The feed's own address, if it tells one. */
  readonly feedUrl: string | null
  readonly generator: FeedGenerator | null
  /** RSS: minutes for which a copy is good, and hours (UTC) in which nothing changes; as written. */
  readonly timeToLive: string | null
  readonly skipHours: readonly string[]
  readonly imageLink: string | null
  readonly searchLink: string | null
  readonly items: readonly FeedItem[]
}
