import { parseAtomFeed } from 'feedsmith'
import robotsParser from 'robots-parser'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import { DAY } from '../../../src/model/units.js'
import { ask, openWeb } from './open-web.js'

/** Elements and their text, in order; throws where the XML is not well-formed. */
function elementsOf(xml: string): Array<readonly [string, string]> {
  const parser = new SaxesParser({ xmlns: true })
  const found: Array<readonly [string, string]> = []
  let text = ''
  parser.on('error', (error) => {
    throw error
  })
  parser.on('text', (more) => {
    text += more
  })
  parser.on('opentag', () => {
    text = ''
  })
  parser.on('closetag', ({ local }) => {
    found.push([local, text])
    text = ''
  })
  parser.write(xml).close()
  return found
}

const robotsOf = robotsParser as unknown as (
  url: string,
  text: string,
) => import('robots-parser').Robot

describe('robots.txt', () => {
  it('closes exactly the disallowed pages, and names the sitemap', async () => {
    const { web } = await openWeb()
    for (const site of web.sites) {
      const { status, text, header } = await ask(site.robots)
      expect([status, header('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
      const rules = robotsOf(site.robots, text)
      for (const { url, access } of web.truth().filter((page) => page.site === site.name))
        expect(rules.isAllowed(url, 'revisit')).toBe(access !== 'disallowed')
      expect(rules.getSitemaps()).toEqual([site.sitemap])
    }
  })
})

describe('the sitemap', () => {
  it('lists the pages that are there, with the dates their server tells', async () => {
    const { web, clock } = await openWeb()
    clock.at = demoOrigin + 15 * DAY
    for (const site of web.sites) {
      const { text, header } = await ask(site.sitemap)
      expect(header('content-type')).toBe('application/xml; charset=utf-8')
      const elements = elementsOf(text)
      expect(elements.at(-1)![0]).toBe('urlset')
      const pages = web.truth().filter((page) => page.site === site.name)
      const open = pages.filter(
        ({ access, goneAt }) =>
          ['plain', 'slow', 'failing', 'gone'].includes(access) && (goneAt ?? Infinity) > clock.at,
      )
      expect(elements.filter(([name]) => name === 'loc').map(([, url]) => url)).toEqual(
        open.map(({ url }) => url),
      )
      const honest = open.filter(({ tells, lies }) => !lies && tells.includes('Last-Modified'))
      const dates = new Map(
        [...text.matchAll(/<loc>([^<]+)<\/loc><lastmod>([^<]+)</g)].map(([, url, date]) => [
          url,
          date!,
        ]),
      )
      for (const { url, lastChange } of honest)
        expect(Date.parse(dates.get(url)!) / 1000).toBe(Math.floor(lastChange))
      for (const { url, tells } of open)
        expect(dates.has(url)).toBe(tells.includes('Last-Modified'))
    }
  })
})

describe('the feed', () => {
  it('has the newest pages of its site first', async () => {
    const { web, clock } = await openWeb()
    clock.at = demoOrigin + 15 * DAY
    const [site, ...others] = web.sites.filter(({ feed }) => feed !== null)
    expect(others).toHaveLength(0)
    const { text } = await ask(site!.feed!)
    elementsOf(text)
    const feed = parseAtomFeed(text)
    expect(feed.title?.value).toBe(site!.title)
    expect(feed.entries).toHaveLength(20)
    const truth = new Map(web.truth().map((page) => [page.url, page]))
    let newest = Infinity
    for (const { id, updated, title } of feed.entries!) {
      const page = truth.get(id!)!
      expect(title?.value).toContain(page.title)
      expect(Date.parse(String(updated)) / 1000).toBe(Math.floor(page.lastChange))
      expect(page.lastChange).toBeLessThanOrEqual(newest)
      newest = page.lastChange
    }
  })
})
