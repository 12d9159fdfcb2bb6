import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { crawledSite, type SitePage } from '../../fixtures/crawled-site.js'

const link = (...paths: string[]): SitePage => ({
  body: paths.map((path) => `<p>to ${path} <a href="${path}">x</a></p>`).join(''),
})

async function kept(folder: string) {
  const store = await openSqliteStore({ path: `${folder}/revisit.db` })
  const { pages } = await store.listPages({ collection: 'default', limit: 10_000 })
  await store.close()
  return pages
}

describe('watch --discover', () => {
  it('follows links within its depth, sitemaps and feeds, and adds no page twice', async () => {
    const site = await crawledSite({
      '/': link('/a', '/a#again', '/private/x', 'http://elsewhere.example/'),
      '/a': link('/b', '/'),
      '/b': link('/c'),
      '/c': link('/d'),
      '/m': { body: 'from the map' },
      '/m2': { body: 'from the second map' },
    })
    const map = (path: string) =>
      `<urlset><url><loc>${site.base}${path}</loc><lastmod>2026-01-01T10:00:00Z</lastmod><changefreq>daily</changefreq></url></urlset>`
    site.pages['/robots.txt'] = { body: `Sitemap: ${site.base}/index.xml\n` }
    site.pages['/index.xml'] = {
      body: `<sitemapindex><sitemap><loc>${site.base}/map.xml</loc></sitemap><sitemap><loc>${site.base}/map2.xml</loc></sitemap></sitemapindex>`,
      headers: { 'content-type': 'application/xml' },
    }
    site.pages['/map.xml'] = { body: map('/m'), headers: { 'content-type': 'application/xml' } }
    site.pages['/map2.xml'] = { body: map('/m2'), headers: { 'content-type': 'application/xml' } }
    await site.revisit([
      'watch',
      `${site.base}/`,
      '--discover',
      '--depth',
      '2',
      '--exclude',
      '/private/*',
    ])
    await site.revisit(['run', '--once'])
    const pages = await kept(site.folder)
    const paths = pages.map(({ url }) => url.replace(site.base, '')).sort()
    expect(paths).toEqual(['/', '/a', '/b', '/index.xml', '/m', '/m2', '/map.xml', '/map2.xml'])
    expect(pages.every(({ lastSeen }) => lastSeen !== null)).toBe(true)
    const shown = await site.revisit(['show', `${site.base}/m`])
    expect(shown.out).toContain('its sitemap says when it changes')
    expect(shown.out).toContain("its sitemap's changefreq says it changes every 24 hours")
    const json = JSON.parse((await site.revisit(['show', `${site.base}/m`, '--json'])).out)
    expect(json.hints).toMatchObject([
      { kind: 'sitemap', reliability: 0.5, trusted: false },
      { kind: 'changefreq', reliability: 0.5 },
    ])
  })

  it('is bounded in an endless calendar, by count and by shape', async () => {
    const pages: Record<string, SitePage> = { '/': link('/day/1') }
    for (let i = 1; i <= 200; i++) pages[`/day/${i}`] = link(`/day/${i + 1}`, `/day/${i + 2}`)
    const site = await crawledSite(pages)
    await site.revisit(['watch', `${site.base}/`, '--discover', '--depth', '999', '--pages', '60'])
    await site.revisit(['run', '--once'])
    // Half of the room of 60 for one shape; and the page itself, and the place where a sitemap would be.
    expect(await kept(site.folder)).toHaveLength(32)
  })

  it('leaves alone what it finds that asks not to be indexed', async () => {
    const site = await crawledSite({
      '/': link('/quiet'),
      '/quiet': { body: '<meta name="robots" content="noindex"><p>hush</p>' },
    })
    await site.revisit(['watch', `${site.base}/`, '--discover'])
    await site.revisit(['run', '--once'])
    const { out } = await site.revisit(['show', `${site.base}/quiet`])
    expect(out).toContain('asks not to be indexed (noindex)')
    expect(out).toContain('copies kept    none yet')
  })

  it('follows a sitemap that pages were taken from, and keeps what it says of them', async () => {
    const site = await crawledSite({ '/a': link(), '/b': link() })
    const map = (...paths: string[]) => ({
      body: `<urlset>${paths.map((path) => `<url><loc>${site.base}${path}</loc><lastmod>2026-01-01</lastmod></url>`).join('')}</urlset>`,
      headers: { 'content-type': 'application/xml' },
    })
    site.pages['/map.xml'] = map('/a')
    await site.revisit(['watch', `${site.base}/map.xml`, '--discover', '--depth', '0'])
    const { hints } = JSON.parse((await site.revisit(['show', `${site.base}/a`, '--json'])).out)
    expect(hints).toMatchObject([{ kind: 'sitemap', reliability: 0.5, predicted: 0 }])
    await site.revisit(['run', '--once'])
    site.pages['/map.xml'] = map('/a', '/b')
    await site.makeDue()
    await site.revisit(['run', '--once'])
    const paths = (await kept(site.folder)).map(({ url }) => url.replace(site.base, '')).sort()
    expect(paths).toEqual(['/a', '/b', '/map.xml'])
  })

  it('refuses its options alone', async () => {
    const site = await crawledSite()
    const { code, err } = await site.revisit(['watch', site.base, '--depth', '2'])
    expect(code).not.toBe(0)
    expect(err).toContain('--depth goes with --discover')
  })
})

describe('hints in the loop', () => {
  it('are kept with how they did, and told by show', async () => {
    const page = (text: string): SitePage => ({
      body: `<meta name="Change-Frequency" content="PERIODIC=7"><p>${text}</p>`,
      headers: { 'cache-control': 'max-age=600', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' },
    })
    const site = await crawledSite({ '/': page('one') })
    await site.revisit(['watch', `${site.base}/`])
    await site.revisit(['run', '--once'])
    site.pages['/'] = page('two')
    await site.makeDue()
    await site.revisit(['run', '--once'])
    const { out } = await site.revisit(['show', `${site.base}/`])
    expect(out).toContain('its Change-Frequency tag says it changes every 7 days')
    // Changed within seconds: against the tag, the cache lifetime and a Last-Modified that stands still.
    const { hints } = JSON.parse((await site.revisit(['show', `${site.base}/`, '--json'])).out)
    expect(hints.map((each: { kind: string; right: number }) => [each.kind, each.right])).toEqual([
      ['meta', 0],
      ['last-modified', 0],
      ['cache', 0],
    ])
    for (const { reliability } of hints) expect(reliability).toBeLessThan(0.2)
  })
})

describe('run --barrels', () => {
  it('visits by what pages declare', async () => {
    const tag = (content: string): SitePage => ({
      body: `<meta name="Change-Frequency" content="${content}"><p>text</p>`,
    })
    const site = await crawledSite({ '/day': tag('PERIODIC=1'), '/still': tag('STATIC') })
    await site.revisit(['watch', `${site.base}/day`, `${site.base}/still`])
    const { code } = await site.revisit(['run', '--once', '--barrels'])
    expect(code).toBe(0)
    const shown = async (path: string) => (await site.revisit(['show', site.base + path])).out
    expect(await shown('/day')).toMatch(/barrel +daily/)
    expect(await shown('/day')).toContain('declares a change every 24 hours: every 24 hours')
    expect(await shown('/still')).toMatch(/barrel +static/)
    expect(await shown('/still')).toContain('every 90 days')
  })
})
