import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpackedText } from '../../src/formats/charset.js'
import type { Feed, FeedItem, FeedPart } from '../../src/formats/feed/feed-part.js'
import { feedOf } from '../../src/formats/feed/read-feed.js'
import { absent, sharedPath } from '../fixtures/shared-folder.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const readFeed = (file: Uint8Array) => feedOf(unpackedText(file))

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
    const opml =
      '<opml version="2.0"><body><outline type="rss" text="News" xmlUrl="https://a.test/feed"/></body></opml>'
    for (const text of ['', 'text', '<html></html>', '{}', opml])
      expect(readFeed(bytes(text))).toBeNull()
  })

  const entry = (inside: string, root = 'xmlns="http://www.w3.org/2005/Atom"') =>
    readFeed(bytes(`<feed ${root}><entry>${inside}</entry></feed>`))!.items[0]!
  const item = (inside: string, root = '') =>
    readFeed(bytes(`<rss version="2.0" ${root}><channel><item>${inside}</item></channel></rss>`))!
      .items[0]!

  it('reads Atom and RSS under any prefix', () => {
    const atom = readFeed(
      bytes(
        '<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns="http://www.w3.org/1999/xhtml"><a:title>T</a:title><a:entry><a:id>i</a:id><a:title type="xhtml"><div>the <b>news</b></div></a:title><a:link href="https://a.test/1"/><a:updated>2009-09-06T16:20:00Z</a:updated></a:entry></a:feed>',
      ),
    )
    expect(atom).toMatchObject({ kind: 'atom', version: '1.0', title: 'T' })
    expect(atom?.items).toMatchObject([
      { id: 'i', title: 'the <b>news</b>', link: 'https://a.test/1', updated: 1252254000 },
    ])
    const rss = readFeed(
      bytes(
        '<x:RDF xmlns:x="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:r="http://purl.org/rss/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/"><r:channel x:about="https://a.test/"><r:title>T</r:title></r:channel><r:item x:about="https://a.test/1"><r:title>one</r:title><d:date>2009-09-06T16:20:00Z</d:date></r:item></x:RDF>',
      ),
    )
    expect(rss).toMatchObject({ kind: 'rss', title: 'T', id: 'https://a.test/' })
    // RSS 1.0 names an item by what it is about.
    expect(rss?.items).toMatchObject([
      { id: 'https://a.test/1', title: 'one', updated: 1252254000 },
    ])
    const mixed = item(
      '<link xmlns="http://www.w3.org/2005/Atom" rel="self" href="https://a.test/self"/><link>https://a.test/1</link>',
    )
    expect(mixed.links.map(({ rel }) => rel)).toEqual(['self', 'alternate'])
    expect(mixed.link).toBe('https://a.test/1')
  })

  it('takes the page among several alternates', () => {
    const page = '<link type="text/html" href="https://a.test/page"/>'
    const pdf = '<link rel="alternate" type="application/pdf" href="https://a.test/pdf"/>'
    const feed = '<link rel="alternate" type="application/atom+xml" href="https://a.test/feed"/>'
    const bare = '<link href="https://a.test/page"/>'
    for (const links of [page + pdf + feed, feed + pdf + page, pdf + bare + feed])
      expect(entry(links).link).toBe('https://a.test/page')
    expect(entry(feed + pdf).link).toBe('https://a.test/pdf')
    const own = '<link rel="self" href="https://a.test/x"/><link href="https://a.test/x"/>'
    expect(entry(pdf + own).link).toBe('https://a.test/pdf')
    expect(entry(own).link).toBe('https://a.test/x')
    expect(entry(page.repeat(200_000)).link).toBe('https://a.test/page')
  })

  it('resolves addresses by every xml:base around them', () => {
    const base = (text: string) => `xmlns="http://www.w3.org/2005/Atom" xml:base="${text}"`
    const inner = (own: string, link: string) =>
      readFeed(
        bytes(
          `<feed ${base('https://a.test/x/')}><entry xml:base="${own}"><link href="${link}"/><id>i</id></entry></feed>`,
        ),
      )!.items[0]!
    expect(inner('y/', '1').link).toBe('https://a.test/x/y/1')
    expect(inner('/y/', '1')).toMatchObject({
      link: 'https://a.test/y/1',
      id: 'https://a.test/y/i',
    })
    expect(inner('https://b.test/', '1').link).toBe('https://b.test/1')
    const own = '<link xml:base="z/" href="1"/>'
    expect(entry(own, base('https://a.test/x/')).link).toBe('https://a.test/x/z/1')
    // Where the feed is is not known here: the address stays relative to it.
    expect(entry('<link href="1"/>', base('x/')).link).toBe('x/1')
    expect(entry('<link href="1"/>', base('/x/')).link).toBe('/x/1')
    expect(entry('<link href="/1"/>', base('x/')).link).toBe('/1')
  })

  it('reads dates in the words of other vocabularies', () => {
    const at = '2009-09-06T16:20:00Z'
    const atom = 'xmlns:atom="http://www.w3.org/2005/Atom"'
    const terms = 'xmlns:t="http://purl.org/dc/terms/"'
    expect(item(`<atom:published>${at}</atom:published>`, atom).published).toBe(1252254000)
    expect(item(`<t:issued>${at}</t:issued>`, terms).published).toBe(1252254000)
    expect(item(`<t:created>${at}</t:created>`, terms).published).toBe(1252254000)
    expect(item(`<t:modified>${at}</t:modified>`, terms).updated).toBe(1252254000)
    expect(item(`<dcterms:modified>${at}</dcterms:modified>`).updated).toBe(1252254000)
  })

  it('reads UTF-16 without a mark', () => {
    const text =
      '<?xml version="1.0" encoding="utf-16"?><rss><channel><title>żółw</title></channel></rss>'
    const little = Buffer.from(text, 'utf16le')
    expect(readFeed(new Uint8Array(little))?.title).toBe('żółw')
    expect(readFeed(new Uint8Array(Buffer.from(little).swap16()))?.title).toBe('żółw')
  })

  it('unpacks a title of an application type only where it is packed', () => {
    const title = (type: string, text: string) =>
      entry(`<title type="${type}">${text}</title>`).title
    const packed = Buffer.from('the news').toString('base64')
    expect(title('application/octet-stream', packed)).toBe('the news')
    for (const type of [
      'application/octet-stream',
      'application/xml; charset=utf-8',
      'application/json',
    ])
      expect(title(type, 'A plain title, and more')).toBe('A plain title, and more')
    expect(title('application/octet-stream', 'Test')).toBe('Test')
    expect(title('application/xhtml+xml', 'the <b>news</b>')).toBe('the <b>news</b>')
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
