import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listEntries } from '../../src/hints/list-entries.js'
import { DAY } from '../../src/model/units.js'

const answer = (body: string | Uint8Array, type = 'application/xml') => ({
  kind: 'content' as const,
  status: 200,
  at: 1.7e9,
  url: 'http://a.example/sitemap.xml',
  headers: { 'content-type': type },
  bytesReceived: body.length,
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
})
const sitemap = (entries: string) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`
const noon = Date.UTC(2023, 4, 6, 12) / 1000

describe('listEntries', () => {
  const xml = sitemap(
    '<url><loc>http://a.example/1</loc><lastmod>2023-05-06T12:00:00Z</lastmod><changefreq>Daily</changefreq></url>' +
      '<url><loc>http://a.example/2</loc></url><url><loc>http://other.example/3</loc></url>' +
      '<url><loc>http://A.example:80/1#x</loc></url>',
  )
  const entries = [
    {
      url: 'http://a.example/1',
      hints: [
        { kind: 'sitemap', claim: { says: 'changed-at', at: noon } },
        {
          kind: 'changefreq',
          claim: { says: 'declared', declared: { kind: 'periodic', period: DAY } },
        },
      ],
    },
    { url: 'http://a.example/2', hints: [] },
  ]

  it('reads a sitemap, plain or gzipped, of its own host, each page once', () => {
    expect(listEntries(answer(xml))).toEqual({ kind: 'sitemap', entries })
    expect(listEntries(answer(gzipSync(xml), 'application/gzip'))).toEqual({
      kind: 'sitemap',
      entries,
    })
  })

  it('reads an index and a feed', () => {
    const index =
      '<sitemapindex><sitemap><loc>http://a.example/s1.xml.gz</loc></sitemap></sitemapindex>'
    expect(listEntries(answer(index))).toMatchObject({
      kind: 'index',
      entries: [{ url: 'http://a.example/s1.xml.gz' }],
    })
    const feed =
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>f</title><entry><id>1</id><link href="http://a.example/n"/><updated>2023-05-06T12:00:00Z</updated></entry></feed>'
    expect(listEntries(answer(feed))).toEqual({
      kind: 'feed',
      entries: [
        {
          url: 'http://a.example/n',
          hints: [{ kind: 'feed', claim: { says: 'changed-at', at: noon } }],
        },
      ],
    })
  })

  it('takes no absurd date, and nothing from what is no list', () => {
    const dates = ['0001-01-01', '9999-12-31', 'yesterday', '-5', '1e99', '2023-13-45']
    const absurd = sitemap(
      dates
        .map((each, i) => `<url><loc>http://a.example/${i}</loc><lastmod>${each}</lastmod></url>`)
        .join(''),
    )
    expect(listEntries(answer(absurd))!.entries.flatMap((each) => each.hints)).toEqual([])
    expect(listEntries(answer('<html><p>hello</p></html>', 'text/html'))).toBeNull()
    expect(listEntries(answer(Uint8Array.of(0x1f, 0x8b, 1, 2, 3)))).toBeNull()
  })

  it('gives finite dates whatever is written', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (date, frequency) => {
        const clean = (text: string) => text.replace(/[<&]/g, '')
        const text = sitemap(
          `<url><loc>http://a.example/1</loc><lastmod>${clean(date)}</lastmod><changefreq>${clean(frequency)}</changefreq></url>`,
        )
        for (const { claim } of listEntries(answer(text))?.entries[0]?.hints ?? [])
          if (claim.says === 'changed-at') expect(Number.isFinite(claim.at)).toBe(true)
      }),
      { seed: 5, numRuns: 200 },
    )
  })

  it('stops at fifty thousand entries', () => {
    const many = sitemap(
      Array.from({ length: 60_000 }, (_, i) => `<url><loc>http://a.example/${i}</loc></url>`).join(
        '',
      ),
    )
    expect(listEntries(answer(many))!.entries).toHaveLength(50_000)
  })
})
