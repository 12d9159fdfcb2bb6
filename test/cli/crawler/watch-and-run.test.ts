import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

const page = (text: string) => ({ body: `<title>t</title><p>${text}</p>` })

describe('revisit watch', () => {
  it('keeps one row for one page, and says how many are new', async () => {
    const { base, revisit } = await crawledSite()
    const first = await revisit(['watch', `${base}/a#top`, `${base}/a`, `${base}/b`])
    expect(first).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^2 new pages\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
      ),
      err: '',
    })
    const again = await revisit(['watch', `${base}/b`, `${base}/c`, '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ added: 1, already: 1, refused: 0 })
  })

  it('reads a list, a sitemap and OPML from files, packed or not', async () => {
    const { folder, revisit } = await crawledSite()
    writeFileSync(join(folder, 'list'), 'https://e.org/1\nhttps://e.org/2\n\nno address\n')
    const sitemap =
      '<urlset><url><loc>https://e.org/2</loc></url><url><loc>https://e.org/3</loc></url></urlset>'
    writeFileSync(join(folder, 'map.gz'), gzipSync(sitemap))
    const opml =
      '<opml><body><outline xmlUrl="https://f.org/feed" htmlUrl="https://f.org/"/></body></opml>'
    writeFileSync(join(folder, 'subs.opml'), opml)
    expect((await revisit(['watch', join(folder, 'list')])).out).toMatch(
      /^2 new pages from a list\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
    )
    expect((await revisit(['watch', join(folder, 'map.gz')])).out).toMatch(
      /^1 new page from a sitemap, 1 watched already\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
    )
    expect((await revisit(['watch', join(folder, 'subs.opml')])).out).toMatch(
      /^2 new pages from an OPML\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
    )
    expect((await revisit(['watch', '-'], { input: 'https://g.org/\n' })).out).toMatch(
      /^1 new page from a list\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
    )
    const listed = JSON.parse((await revisit(['list', '--json'])).out) as { url: string }[]
    expect(listed.map(({ url }) => url)).toEqual([
      'https://e.org/1',
      'https://e.org/2',
      'https://e.org/3',
      'https://f.org/',
      'https://f.org/feed',
      'https://g.org/',
    ])
  })

  it('names each line of a list that is no address, and adds the others', async () => {
    const { folder, revisit } = await crawledSite()
    const list = join(folder, 'list')
    const lines = [
      '# pages to follow',
      'https://e.org/1',
      '',
      'example.org/news',
      'ftp://x/y',
      'http://exa mple/',
      'http://e.org/two and text',
      'https://',
      'http://e.org:none/',
      'https://e.org/2',
    ]
    writeFileSync(list, lines.join('\r\n'))
    const json = await revisit(['watch', list, '--json'])
    expect(JSON.parse(json.out)).toMatchObject({ added: 2, refused: 6 })
    expect(json.err.trim().split('\n')).toEqual([
      'line 4: "example.org/news" does not begin with https:// or http://; write the whole address',
      'line 5: "ftp://x/y" does not begin with https:// or http://; write the whole address',
      'line 6: "http://exa mple/" has a space in it; write one address a line, and %20 for a space',
      'line 7: "http://e.org/two and text" has a space in it; write one address a line, and %20 for a space',
      'line 8: "https://" is no address: what names the host is wrong',
      'line 9: "http://e.org:none/" is no address: what names the host is wrong',
    ])
    const text = await revisit(['watch', list, 'https://e.org/3'])
    expect(text.out).toMatch(
      /^1 new page from a list, 2 watched already\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
    )
    expect(text.err).toContain(`${list}, line 5: "ftp://x/y" does not begin`)
  })

  it('takes the other lists of an index where some are missing or forbidden', async () => {
    const { base, pages, revisit } = await crawledSite()
    const index = (...paths: string[]) =>
      `<sitemapindex>${paths.map((path) => `<sitemap><loc>${base}${path}</loc></sitemap>`).join('')}</sitemapindex>`
    pages['/robots.txt'] = { body: 'User-agent: *\nDisallow: /secret' }
    pages['/index.xml'] = { body: index('/missing.xml', '/one.xml', '/secret/two.xml') }
    pages['/none.xml'] = { body: index('/missing.xml') }
    pages['/one.xml'] = { body: `<urlset><url><loc>${base}/1</loc></url></urlset>` }
    const some = await revisit(['watch', `${base}/index.xml`])
    expect(some).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^1 new page from a sitemap index\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
      ),
    })
    expect(some.err).toMatch(/^left out: cannot fetch http\S+\/missing\.xml: .*404/)
    expect(some.err).toMatch(/^left out: robots\.txt does not let http\S+\/secret\/two\.xml/m)
    const none = await revisit(['watch', `${base}/none.xml`])
    expect(none.code).toBe(3)
    expect(none.err).toMatch(/missing\.xml/)
  })

  it('follows a sitemap index, and lets it speak for its own host only', async () => {
    const site = await crawledSite()
    const { base, pages, revisit } = site
    pages['/sitemap.xml'] = {
      body: `<sitemapindex><sitemap><loc>${base}/one.xml.gz</loc></sitemap></sitemapindex>`,
    }
    const inner = `<urlset><url><loc>${base}/x</loc></url><url><loc>https://other.example/</loc></url></urlset>`
    pages['/one.xml.gz'] = {
      body: gzipSync(inner),
      headers: { 'content-type': 'application/gzip' },
    }
    const { code, out, err } = await revisit(['watch', `${base}/sitemap.xml`])
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^1 new page from a sitemap index\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
      ),
    })
    expect(err).toContain('1 address of other hosts left out; --any-host')
    const asked = site.requests.map(({ url }) => url)
    expect(asked).toEqual(['/robots.txt', '/sitemap.xml', '/one.xml.gz'])
  })

  it('says what to do where there is nothing to watch', async () => {
    const { folder, revisit } = await crawledSite()
    writeFileSync(join(folder, 'prose.txt'), 'no address here')
    const missing = await revisit(['watch', 'example page'])
    expect(missing.code).toBe(2)
    expect(missing.err).toMatch(/neither a file nor an address; addresses begin with https:/)
    expect((await revisit(['watch', join(folder, 'prose.txt')])).err).toMatch(
      /is no list of pages; it may be/,
    )
    const anonymous = await revisit(['watch', 'https://example.org/sitemap.xml'])
    expect(anonymous.code).toBe(2)
    expect(anonymous.err).toMatch(/contact=you@example\.org/)
  })
})

describe('revisit run', () => {
  it('visits what is due, learns, and shows why it comes back', async () => {
    const site = await crawledSite({
      '/a': page('hello'),
      '/same': { ...page('same'), headers: { etag: '"1"' } },
    })
    const { base, revisit } = site
    await revisit(['watch', `${base}/a`, `${base}/same`, `${base}/gone`])
    const first = await revisit(['run', '--once'])
    expect(first.code).toBe(0)
    expect(first.out.match(/first {6}200/g)).toHaveLength(2)
    expect(first.out).toMatch(/gone {7}404 {3}http.*\/gone .*next in 24 hours/)
    expect(first.err).toMatch(
      /^3 visits, 0 changes, 0 not modified, 0 failed; .* the next is due in /,
    )
    expect(site.requests[0]!.headers['user-agent']).toMatch(/^Revisit\/\S+ \(\+http/)

    const shown = await revisit(['show', `${base}/a`])
    expect((await revisit(['show', `${base.slice('http://'.length)}/a`])).code).toBe(0)
    expect(shown.out).toMatch(/it changes +unknown; pages like it every /)
    expect(shown.out).toMatch(/next visit +\d{4}-.*\(in /)
    expect(shown.out).toMatch(/because +new; visited again after .*, to learn how often it changes/)
    expect(shown.out).toMatch(/copies kept +1 \(/)
    const json = JSON.parse((await revisit(['show', `${base}/a`, '--json'])).out)
    expect(json).toMatchObject({ visits: 1, versions: 1, estimate: { verdict: 'prior-only' } })
    const idle = await revisit(['run', '--once', '--json'])
    expect(idle).toMatchObject({ code: 0, out: '', err: '' })
  })

  it('keeps to the hours of a page', async () => {
    const site = await crawledSite({ '/a': page('hello') })
    const { base, revisit } = site
    // The hour of the day that is farthest from now, so that the test holds at any time.
    const hour = (new Date().getUTCHours() + 12) % 24
    await revisit(['watch', `${base}/a`, '--hours', `${hour}-${hour + 1}`])
    await revisit(['run', '--once'])
    expect(site.requests).toHaveLength(0)
    const { due } = JSON.parse((await revisit(['show', `${base}/a`, '--json'])).out)
    expect(new Date(due.at * 1000).getUTCHours()).toBe(hour)
    expect(due.reason).toMatch(/deferred to its allowed hours/)
    const refused = await revisit(['watch', `${base}/a`, '--hours', 'at noon'])
    expect(refused.err).toMatch(/hours are written like "mon-fri 8-18"/)
  })

  it('visits no public host without a contact, and says how to give one', async () => {
    const { revisit } = await crawledSite()
    await revisit(['watch', 'https://example.org/'])
    const { code, err } = await revisit(['run', '--once'])
    expect(code).toBe(2)
    expect(err).toMatch(/public host.*revisit\.yaml, REVISIT_CONTACT or --contact/)
  })

  it('keeps to its budget of requests, also after a restart', async () => {
    const site = await crawledSite({ '/a': page('a'), '/b': page('b'), '/c': page('c') })
    const { base, revisit } = site
    await revisit(['watch', `${base}/a`, `${base}/b`, `${base}/c`])
    const budget = ['--requests-per-day', '2']
    // By hand: robots.txt and one page.
    expect((await revisit(['run', '--once', ...budget])).err).toMatch(
      /^the day's budget of 2 requests .*opens again at .*T00:00:00Z \(in .*\n1 visit, .*2 pages still due, with the day's budget/,
    )
    expect((await revisit(['run', '--once', ...budget])).err).toMatch(/is used up.*\n0 visits, /)
    expect(site.requests).toHaveLength(2)
    const store = await openSqliteStore({ path: join(site.folder, 'revisit.db') })
    expect(await store.getSetting('default', 'requests-today')).toMatchObject({ requests: 2 })
    await store.close()
  })

  it.each(['--requests-per-day', '--host-requests-per-day'])(
    'goes on at once where %s is raised or taken away, whatever was used up before',
    async (budget) => {
      const site = await crawledSite({ '/a': page('a'), '/b': page('b'), '/c': page('c') })
      const { base, revisit, requests } = site
      await revisit(['watch', `${base}/a`, `${base}/b`, `${base}/c`])
      // By hand: robots.txt and one page.
      await revisit(['run', '--once', budget, '2', '--quiet'])
      expect(requests).toHaveLength(2)
      await revisit(['run', '--once', budget, '3', '--quiet'])
      expect(requests.map(({ url }) => url)).toEqual(['/robots.txt', '/a', '/b'])
      await revisit(['run', '--once', budget, '3', '--quiet'])
      expect(requests).toHaveLength(3)
      expect((await revisit(['run', '--once', '--quiet'])).err).toMatch(/^1 visit, .*the next is/)
    },
  )

  it('says so where no page is watched', async () => {
    const { folder, revisit } = await crawledSite()
    const { code, err } = await revisit(['run'])
    expect(code).toBe(2)
    expect(err).toMatch(/no page is watched.*revisit watch/)
    expect((await revisit(['list', '--database', join(folder, 'none.db')])).err).toMatch(
      /there is no store at/,
    )
  })

  it('records an address that is not allowed as such, not as robots.txt', async () => {
    const { base, revisit } = await crawledSite({ '/a': page('hello') })
    const networks = { REVISIT_ALLOWED_NETWORKS: 'none' }
    const watched = await revisit(['watch', `${base}/a`], { env: networks })
    expect(watched.err).toMatch(/set allowed-networks, such as 127\.0\.0\.0\/8/)
    const { out } = await revisit(['run', '--once'], { env: networks })
    expect(out).toMatch(/failed +address-refused .*\(.*set allowed-networks, such as 127\.0\.0\.0/)
    const shown = await revisit(['show', `${base}/a`])
    expect(shown.out).toMatch(/because .*address-refused: .*set allowed-networks/)
  })

  it('says of a selector that finds nothing what to choose instead', async () => {
    const { base, revisit } = await crawledSite({ '/a': page('hello') })
    await revisit(['watch', `${base}/a`, '--select', '.none'])
    const { out } = await revisit(['run', '--once'])
    expect(out).toMatch(/failed +nothing-selected 200 .*another --select, or with --read-plainly/)
  })
})
