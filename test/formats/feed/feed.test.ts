import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Feed, type FeedItem, type FeedPart, readFeed } from '../../../src/formats/index.js'
import { absent, sharedPath } from '../../fixtures/shared-folder.js'

const bytes = (text: string) => new TextEncoder().encode(text)

// biome-ignore lint/suspicious/noExplicitAny: gofeed's records in three shapes
type Shape = any

interface FeedCase {
  readonly id: string
  readonly content: string
  readonly expected: Shape
}

const iso = (at: number | null) =>
  at === null ? null : new Date(at * 1000).toISOString().replace('.000Z', 'Z')

/** Our record in the names of gofeed's Atom parser. */
function asAtom(part: FeedPart, more: Shape = {}): Shape {
  return { ...part, updated: part.written.updated, updatedParsed: iso(part.updated), ...more }
}

function generator(of: Feed['generator']): Shape {
  return of === null ? undefined : { value: of.name, uri: of.uri, version: of.version }
}

function atomFeed(feed: Feed): Shape {
  const entries = feed.items.map((each) =>
    asAtom(each, {
      source: each.source && asAtom(each.source, { generator: generator(each.source.generator) }),
    }),
  )
  return asAtom(feed, { entries, generator: generator(feed.generator) })
}

const hrefs = (part: FeedPart) => part.links.flatMap((each) => each.href ?? [])

/** In the names of gofeed's RSS parser. */
function rssFeed(feed: Feed): Shape {
  const { published: pubDate, updated: lastBuildDate } = feed.written
  const dates = {
    pubDate,
    pubDateParsed: iso(feed.published),
    lastBuildDate,
    lastBuildDateParsed: iso(feed.updated),
  }
  return {
    ...feed,
    ...dates,
    links: hrefs(feed),
    ttl: feed.timeToLive,
    image: { link: feed.imageLink },
    textInput: { link: feed.searchLink },
    items: feed.items.map(rssItem),
  }
}

function rssItem(item: FeedItem): Shape {
  const guid = { value: item.id, isPermalink: String(item.idIsLink) }
  return {
    ...item,
    guid,
    links: hrefs(item),
    pubDate: item.written.published,
    pubDateParsed: iso(item.published),
  }
}

/** In the names that gofeed uses for both. */
function anyFeed(feed: Feed): Shape {
  return {
    ...anyPart(feed),
    feedType: feed.kind,
    feedVersion: feed.version,
    feedLink: feed.feedUrl,
    itunesExt: { subtitle: feed.subtitle },
    items: feed.items.map(anyItem),
  }
}

function anyPart(part: FeedPart): Shape {
  const { updated, published } = part.written
  const dates = {
    updated,
    updatedParsed: iso(part.updated),
    published,
    publishedParsed: iso(part.published),
  }
  return { ...part, ...dates, links: hrefs(part) }
}

function anyItem(item: FeedItem): Shape {
  const enclosures = item.links
    .filter((each) => each.rel === 'enclosure')
    .map(({ href, type, length }) => ({ url: href, type, length }))
  const shape = anyPart(item)
  // gofeed says an item was published when it was updated, where nothing else is told.
  const published = {
    published: shape.published ?? shape.updated,
    publishedParsed: shape.publishedParsed ?? shape.updatedParsed,
  }
  return {
    ...shape,
    ...published,
    guid: item.id,
    author: item.authors[0],
    content: item.content?.value,
    description: item.summary,
    enclosures,
  }
}

/** All that is expected is there; fields that gofeed leaves out are not looked at. */
function holds(got: Shape, want: Shape): boolean {
  if (Array.isArray(want))
    return (
      Array.isArray(got) &&
      got.length === want.length &&
      want.every((each, i) => holds(got[i], each))
    )
  if (want !== null && typeof want === 'object')
    return Object.keys(want).every((key) => holds(got?.[key], want[key]))
  return got === want
}

function agrees({ id, content, expected }: FeedCase): boolean {
  const feed = readFeed(bytes(content))
  if (feed === null) return false
  if (id.startsWith('gofeed-translator')) return holds(anyFeed(feed), expected)
  return holds(id.startsWith('gofeed-parser-atom') ? atomFeed(feed) : rssFeed(feed), expected)
}

describe('feeds', () => {
  const path = sharedPath('suites/feeds.json')
  it.skipIf(path === undefined)(`agree with gofeed on 95% (${absent})`, () => {
    const { gofeed } = JSON.parse(readFileSync(path!, 'utf8')) as { gofeed: FeedCase[] }
    const wrong = gofeed.filter((each) => !agrees(each)).map((each) => each.id)
    expect(wrong.length, wrong.join(', ')).toBeLessThanOrEqual(0.05 * gofeed.length)
  })

  // By hand.
  it('reads the addresses and times of items', () => {
    const feed = readFeed(
      bytes(
        '<rss version="2.0"><channel><item><link>https://a.test/1</link><pubDate>Sun, 06 Sep 2009 16:20:00 +0000</pubDate></item></channel></rss>',
      ),
    )
    expect(feed?.items[0]).toMatchObject({ link: 'https://a.test/1', published: 1252254000 })
  })

  it('is null for what is no feed', () => {
    for (const text of ['', 'text', '<html></html>', '{}']) expect(readFeed(bytes(text))).toBeNull()
  })

  it('reads whatever comes, and 100,000 nested elements', () => {
    expect(readFeed(bytes(`<feed>${'<entry>'.repeat(100_000)}`))?.items.length).toBe(1)
    const parts = fc.array(
      fc.constantFrom(
        '<item>',
        '</item>',
        '<link>',
        '</link>',
        'x',
        '<![CDATA[',
        ']]>',
        '&lt;',
        '<',
        '<entry a="',
        '<title mode="base64">',
      ),
    )
    fc.assert(
      fc.property(parts, (each) => {
        expect(readFeed(bytes(`<rss>${each.join('')}`))?.kind).toBe('rss')
      }),
      { seed: 62 },
    )
  })
})
