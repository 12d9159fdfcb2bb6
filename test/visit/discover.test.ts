import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalUrl } from '../../src/formats/url.js'
import type { HostRecord } from '../../src/model/lease.js'
import type { PageRecord, PageSettings } from '../../src/model/page.js'
import {
  fitsAddress,
  foundPages,
  looksEndless,
  shapeOf,
  withoutSession,
} from '../../src/visit/discovery.js'

const base = 'http://a.example'
const at = Date.UTC(2026, 5, 1) / 1000
const content = (body: string, headers: Record<string, string> = {}, path = '/') => ({
  kind: 'content' as const,
  status: 200,
  at,
  url: base + path,
  headers: { 'content-type': 'text/html', ...headers },
  bytesReceived: body.length,
  body: new TextEncoder().encode(body),
})
const page = (settings: PageSettings, visits = 1) =>
  ({ url: `${base}/`, settings, visits, lastSeen: visits > 0 ? at : null }) as PageRecord
const rules = { depth: 2, pages: 100, include: [], exclude: [] }
const found = (
  html: string,
  {
    headers,
    more,
    host,
    visits = 1,
  }: {
    headers?: Record<string, string>
    more?: Record<string, unknown>
    host?: HostRecord
    visits?: number
  } = {},
) =>
  foundPages(content(html, headers), {
    page: page({ discover: { ...rules, ...more } } as PageSettings, visits),
    host,
  })
const paths = (pages: readonly { url: string }[]) => pages.map(({ url }) => url.replace(base, ''))

describe('foundPages', () => {
  it('gives links of the host in normal form, each once, with one link less to go', () => {
    const html =
      '<a href="/b?utm=1#x">b</a><a href="b?utm=1">b</a><a href="http://other.example/">o</a><a href="mailto:x@y">m</a><a href="/">self</a>'
    const pages = found(html)
    expect(paths(pages)).toEqual(['/b?utm=1'])
    expect(pages[0]!.settings).toEqual({ found: true, discover: { ...rules, depth: 1 } })
  })

  it.each([
    ['a nofollow link', '<a rel="nofollow ugc" href="/b">b</a>', {}],
    ['a nofollow page', '<meta name=robots content="noindex, nofollow"><a href="/b">b</a>', {}],
    ['a nofollow answer', '<a href="/b">b</a>', { headers: { 'x-robots-tag': 'nofollow' } }],
    ['the end of its depth', '<a href="/b">b</a>', { more: { depth: 0 } }],
    ['what is excluded', '<a href="/b/c">b</a>', { more: { exclude: ['/b/*'] } }],
    ['what is not included', '<a href="/b/c">b</a>', { more: { include: ['*.html$'] } }],
  ])('does not follow %s', (_, html, options) => {
    expect(found(html, options)).toEqual([])
  })

  it('finds the pages of a sitemap in text', () => {
    const text = `${base}/one\n# remark\n${base}/two\nhttp://other.example/\n`
    const list = page({ role: 'list', discover: rules } as unknown as PageSettings)
    const answer = content(text, { 'content-type': 'text/plain' }, '/sitemap.txt')
    const pages = foundPages(answer, { page: list, host: undefined })
    expect(paths(pages)).toEqual(['/one', '/two'])
    expect(pages[0]!.settings).toEqual({ found: true, discover: rules })
  })

  it('does not take up what robots.txt forbids, where it is known', () => {
    const robots = { verdict: 'rules', rules: [{ allow: false, path: '/b' }], sitemaps: [] }
    const host = { host: 'a.example', state: { robots: { [base]: robots } }, blockedUntil: null }
    const pages = found('<a href="/b">b</a><a href="/c">c</a>', {
      host: host as unknown as HostRecord,
    })
    expect(paths(pages)).toEqual(['/c'])
  })

  it('takes sessions out of addresses and leaves traps alone', () => {
    const html = [
      '/s;jsessionid=1F2E?x=1',
      '/t?PHPSESSID=abc&y=2',
      '/cal/2031/05',
      '/a/b/a/b/a/b',
      `/${'x/'.repeat(20)}`,
      '/q?a=1&b=2&c=3&d=4&e=5&f=6&g=7',
      `/${'y'.repeat(600)}`,
    ].map((href) => `<a href="${href}">x</a>`)
    expect(paths(found(html.join('')))).toEqual(['/s?x=1', '/t?y=2'])
  })

  it('finds the lists of a host at the first visit: of robots.txt, else the usual place, and feeds', () => {
    const html = '<link rel=alternate type="application/rss+xml" href="/feed.xml"><p>x'
    const first = found(html, { visits: 0 })
    expect(paths(first)).toEqual(['/feed.xml', '/sitemap.xml'])
    expect(first[0]!.settings).toMatchObject({ role: 'list', discover: rules })
    const robots = { sitemaps: ['/maps/a.xml', 'http://other.example/s.xml', 'ftp://x/'] }
    const host = { host: 'a.example', state: { robots: { [base]: robots } }, blockedUntil: null }
    expect(paths(found('<p>', { visits: 0, host: host as unknown as HostRecord }))).toEqual([
      '/maps/a.xml',
    ])
  })

  it('reads lists only where they are followed as such', () => {
    const map = `<urlset><url><loc>${base}/n</loc><lastmod>2026-05-01</lastmod></url></urlset>`
    const answer = content(map, { 'content-type': 'application/xml' }, '/sitemap.xml')
    const about = { page: page({ role: 'list' }), host: undefined }
    expect(foundPages(answer, about)).toMatchObject([
      { url: `${base}/n`, settings: null, hints: [{ kind: 'sitemap' }] },
    ])
    expect(foundPages(answer, { page: page({}), host: undefined })).toEqual([])
  })

  it('is bounded on a page of a million links', () => {
    const html = Array.from({ length: 200_000 }, (_, i) => `<a href="/p${i}">`).join('')
    expect(found(html).length).toBeLessThanOrEqual(5000)
  })
})

describe('addresses', () => {
  it.each([
    ['/docs/*', '/docs/a', true],
    ['/docs/*', '/old/docs/a', false],
    ['docs', '/old/docs/a', true],
    ['*.html$', '/a.html', true],
    ['*.html$', '/a.html?x', false],
    ['/a$', '/a', true],
    ['/a$', '/ab', false],
    ['http://a.example/x*', '/xyz', true],
    ['/a*b*c', '/a1b2c3', true],
  ])('%s fits %s: %s', (pattern, path, fits) => {
    expect(fitsAddress(pattern, base + path)).toBe(fits)
  })

  it('fit or not in no time, whatever the pattern', () => {
    expect(fitsAddress(`/${'*a'.repeat(2000)}$`, `${base}/${'a'.repeat(1900)}`)).toBe(false)
  })

  it('are judged without an error, whatever they are', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (url, pattern) => {
        const normal = normalUrl(withoutSession(url))
        if (normal === undefined) return
        expect(typeof looksEndless(normal, { year: 2026 })).toBe('boolean')
        expect(shapeOf(normal)).not.toMatch(/\d/)
        expect(typeof fitsAddress(pattern, normal)).toBe('boolean')
      }),
      { seed: 9, numRuns: 300 },
    )
  })
})
