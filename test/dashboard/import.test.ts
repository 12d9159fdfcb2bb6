import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()

function file(name: string, text: string) {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) }
}

describe('importing in the browser', () => {
  it('takes the pages of urlwatch with their settings, and lists what was not carried over', async () => {
    const address = await served(['--no-crawl'], followsLoopback(tempFolder()))
    const { page, faults } = await open(address)
    await page.getByRole('link', { name: 'Import' }).click()
    const jobs = `name: Prices
url: http://127.0.0.1:9/prices
filter:
  - css: '#price'
---
url: http://127.0.0.1:9/scripted
filter:
  - shellpipe: grep <b>x</b>
`
    await page.getByLabel(/^Of urlwatch/).setInputFiles(file('urls.yaml', jobs))
    await page.getByText(/pages? added from urlwatch/).waitFor()
    expect(await page.locator('.refusals').innerText()).toContain('shellpipe')
    const { pages } = (await (await fetch(`${address}/api/pages`)).json()) as {
      pages: { url: string; settings: { reading?: { select?: string[] } } }[]
    }
    const prices = pages.find(({ url }) => url.endsWith('/prices'))
    expect(prices?.settings.reading?.select).toEqual(['#price'])
    expect(faults).toEqual([])
  })

  it('finds the addresses in lists, tables, bookmarks, OPML, sitemaps and feeds', async () => {
    const address = await served(['--no-crawl'], followsLoopback(tempFolder()))
    const { page, faults } = await open(`${address}/#/pages?add=1`)
    const text = page.getByLabel('Addresses, one a line')
    const site = 'http://127.0.0.1:9'
    await page
      .getByLabel('or from files')
      .setInputFiles([
        file('list.txt', `# mine\n127.0.0.1:9/a\n${site}/a\n`),
        file('table.csv', `name,url\n"One, two",${site}/b\n`),
        file('marks.html', `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="${site}/c">C</A>`),
        file('feeds.opml', `<opml version="2.0"><body><outline xmlUrl="${site}/d"/></body></opml>`),
        file(
          'sitemap.xml',
          `<?xml version="1.0"?><urlset><url><loc>${site}/e</loc></url></urlset>`,
        ),
        file('feed.xml', `<rss><channel><item><link>${site}/f</link></item></channel></rss>`),
      ])
    await expect.poll(() => text.inputValue()).toContain('/f')
    expect((await text.inputValue()).split('\n')).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${site}/${name}`),
    )
    await text.fill('example.org/news\nwww.example.com\njavascript:alert(1)')
    await page.getByRole('button', { name: 'Add 3 pages' }).click()
    await page.getByText('2 pages added, 1 refused:').waitFor()
    expect(faults).toEqual([])
  })
})
