import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSitemap, type Sitemap } from '../../src/formats/sitemap.js'
import { absent, sharedPath } from '../fixtures/shared-folder.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const xml = (inside: string, root = 'urlset') =>
  bytes(`<?xml version="1.0"?><${root}>${inside}</${root}>`)

// biome-ignore lint/suspicious/noExplicitAny: the shapes of the shared file differ from case to case
type SitemapCase = any

function agrees({ expected }: SitemapCase, got: Sitemap | null): boolean {
  const want = expected.either?.[1] ?? expected
  const count = want.count ?? want.count_lenient ?? want.count_partial_allowed
  const urls = got?.entries.map((each) => each.url) ?? []
  const listed: string[] =
    want.urls_in_order ??
    (want.urls ?? want.sitemaps)?.map((each: { loc: string }) => each.loc) ??
    []
  const first = got?.entries[0]
  const month = first?.lastModified ? new Date(first.lastModified * 1000).getUTCMonth() + 1 : null
  return (
    got?.kind === (want.type === 'index' ? 'index' : 'pages') &&
    urls.length === count &&
    listed.every((url, i) => urls[i] === url) &&
    (want.contains ?? []).every((url: string) => urls.includes(url)) &&
    (want.sitemaps ?? []).every((each: { lastmod: string | null }, i: number) =>
      sameTime(each.lastmod, got?.entries[i]?.lastModified),
    ) &&
    (want.format !== 'rss' || got?.form === 'feed') &&
    (want.first_changefreq ?? null) === (want.first_changefreq ? first?.changeFrequency : null) &&
    (want.first_lastmod_month ?? null) === (want.first_lastmod_month ? month : null)
  )
}

function sameTime(text: string | null, at: number | null | undefined): boolean {
  return text === null ? at === null : at === Date.parse(text) / 1000
}

describe('sitemaps', () => {
  const path = sharedPath('suites/sitemaps.json')
  it.skipIf(path === undefined)(`agree with crawler-commons on 95% (${absent})`, () => {
    const { files } = JSON.parse(readFileSync(path!, 'utf8')) as { files: SitemapCase[] }
    const wrong = files.filter((each) => {
      const body = each.content_base64
        ? Buffer.from(each.content_base64, 'base64')
        : bytes(each.content)
      return !agrees(each, readSitemap(body, each.content_type ?? undefined))
    })
    const names = wrong.map((each) => each.id)
    expect(names.length, names.join(', ')).toBeLessThanOrEqual(0.05 * files.length)
  })

  // By hand.
  it('reads what the publisher says of a page', () => {
    const body = xml(
      '<url><loc> https://a.test/x?a=1&amp;b=2 </loc><lastmod>2014-06-03</lastmod><changefreq>Daily</changefreq><priority>0.8</priority></url>',
    )
    expect(readSitemap(gzipSync(body))?.entries).toEqual([
      {
        url: 'https://a.test/x?a=1&b=2',
        lastModified: 1401753600,
        changeFrequency: 'daily',
        priority: 0.8,
      },
    ])
  })

  it('passes over absurd hints', () => {
    const body = xml(
      '<url><loc>https://a.test/</loc><lastmod>yesterday</lastmod><priority>7</priority></url>',
    )
    expect(readSitemap(body)?.entries).toEqual([
      { url: 'https://a.test/', lastModified: null, changeFrequency: null, priority: null },
    ])
  })

  it('tells the lines of a list that are no address by number, but not remarks', () => {
    const found = readSitemap(bytes('# remark\n\nhttps://a.test/\na.test/b\n'))
    expect(found?.entries.map(({ url }) => url)).toEqual(['https://a.test/'])
    expect(found?.problems?.first).toMatchObject([{ line: 4, code: 'no-web-address' }])
    expect(readSitemap(bytes('https://a.test/'))?.problems).toBeUndefined()
  })

  it('takes no half address from a file that is cut, wherever it is cut', () => {
    const whole =
      '<urlset>\n<url><loc>https://a.test/1</loc><lastmod>2014-06-03</lastmod></url>\n<url><loc><![CDATA[https://a.test/22]]></loc></url>\n<url>https://a.test/333</url></urlset>'
    const all = ['https://a.test/1', 'https://a.test/22', 'https://a.test/333']
    for (let end = '<urlset>'.length; end <= whole.length; end++) {
      const got = readSitemap(bytes(whole.slice(0, end)))!.entries
      expect(got.map(({ url }) => url)).toEqual(all.slice(0, got.length))
      for (const { lastModified } of got) expect([null, 1401753600]).toContain(lastModified)
    }
    expect(readSitemap(bytes(whole))?.entries).toHaveLength(3)
    const cut = readSitemap(bytes(whole.slice(0, whole.indexOf('/22') + 1)))
    expect(cut?.problems?.first).toMatchObject([{ line: 3, code: 'cut-address' }])
  })

  it('refuses an address with an undeclared entity, and no other with it', () => {
    const entries = [
      '<url><loc>https://a.test/&nbsp;x</loc></url>',
      '<url><loc>https://a.test/?a=1&amp;nbsp;=2&b=3</loc></url>',
      '<url><loc><![CDATA[https://a.test/?x&y;z]]></loc></url>',
      '<url>\n<loc>https://a.test/b</loc><image:caption>caf&eacute;</image:caption></url>',
      '<url>https://a.test/&what;</url>',
    ]
    const found = readSitemap(xml(entries.join('\n')))
    expect(found?.entries.map(({ url }) => url)).toEqual([
      'https://a.test/?a=1&nbsp;=2&b=3',
      'https://a.test/?x&y;z',
      'https://a.test/b',
    ])
    expect(found?.problems?.first).toMatchObject([
      { line: 1, code: 'undeclared-entity' },
      { line: 6, code: 'undeclared-entity' },
    ])
  })

  it('reads the column of addresses from a table', () => {
    const urls = (text: string, type?: string) =>
      readSitemap(bytes(text), type)?.entries.map(({ url }) => url)
    const both = ['https://a.test/x', 'https://a.test/y,z']
    expect(urls('https://a.test/x,shops\n"https://a.test/y,z",news\n', 'text/csv')).toEqual(both)
    expect(urls('group,URL\r\nshops,https://a.test/x\r\n,"https://a.test/y,z"\r\n')).toEqual(both)
    expect(urls('a,b\n1,2\n', 'text/csv')).toBeUndefined()
    // A comma alone makes no table: addresses may have one.
    expect(urls('https://a.test/y,z\nhttps://a.test/x\n')).toEqual([...both].reverse())
    const bad = readSitemap(bytes('url,group\n"https://a.test/","a\nb"\na.test,c\n'))
    expect(bad?.problems?.first).toMatchObject([{ line: 4, code: 'no-web-address' }])
  })

  it('says when a file is no sitemap', () => {
    for (const text of ['', 'hello', '<html><body>not found</body></html>', '{"a":1}'])
      expect(readSitemap(bytes(text))).toBeNull()
  })

  it('reads whatever comes, and half a megabyte of nesting', () => {
    expect(readSitemap(xml('<url>'.repeat(100_000)))?.entries).toEqual([])
    const parts = fc.array(
      fc.constantFrom(
        '<url>',
        '</url>',
        '<loc>',
        '</loc>',
        'http://a.test/',
        '<![CDATA[',
        ']]>',
        '&amp;',
        '<',
        '<!--',
        '-->',
        '<sitemap>',
      ),
    )
    fc.assert(
      fc.property(parts, (each) => {
        for (const { url } of readSitemap(xml(each.join('')))?.entries ?? [])
          expect(url).not.toMatch(/\s|^$/)
      }),
      { seed: 61 },
    )
  })
})
