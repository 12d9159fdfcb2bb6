import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { changingSite, followsLoopback, served } from './served.js'

const open = openBrowser()

describe('times in the browser', () => {
  // 12:00:00 UTC on 5 January 2026 is 17:30:00 in India.
  it("are of the person's clock, and of UTC on hover", async () => {
    const site = await changingSite({})
    const address = await served(['--no-crawl'], followsLoopback(tempFolder()))
    const body = `url,at,changed\n${site}/a,1767614400,first\n${site}/a,1767614460,changed`
    const headers = { 'content-type': 'text/csv' }
    await fetch(`${address}/api/import/visits`, { method: 'POST', headers, body })
    const { page, faults } = await open(`${address}/#/pages`, { timeZone: 'Asia/Kolkata' })
    const changed = page.locator('tbody .c-change time')
    await changed.waitFor()
    expect(await changed.getAttribute('title')).toBe(
      '2026-01-05 17:31:00 (2026-01-05 12:01:00 UTC)',
    )
    expect(faults).toEqual([])
  })
})

describe('in the list of pages', () => {
  it('a short title is whole beside a long address, and a long one leaves that its end', async () => {
    const path = '/a/very/long/way/to/get/to/the/page/called-harbour'
    const long = 'News of the harbour, its ferries and all who wait for them'
    const site = await changingSite({
      [path]: '<title>Harbour news</title><p>text</p>',
      [`${path}-too`]: `<title>${long}</title><p>text</p>`,
    })
    const address = await served([], followsLoopback(tempFolder()))
    const headers = { 'content-type': 'application/json' }
    const pages = [{ url: `${site}${path}` }, { url: `${site}${path}-too` }]
    const body = JSON.stringify({ pages })
    await fetch(`${address}/api/pages`, { method: 'POST', headers, body })
    const { page, faults } = await open(`${address}/#/pages`, { width: 1280 })
    const titles = page.locator('tbody .name-title')
    await titles.nth(1).waitFor()
    const shown = await titles.evaluateAll((all) =>
      all.map((title) => ({
        title: title.textContent,
        cut: title.scrollWidth > title.clientWidth,
        beside: title.parentElement!.querySelector('.address')!.clientWidth > 80,
      })),
    )
    expect(shown).toContainEqual({ title: 'Harbour news', cut: false, beside: true })
    expect(shown).toContainEqual({ title: long, cut: true, beside: true })
    expect(faults).toEqual([])
  })
})

describe('on a phone', () => {
  it('a row shows the end of an address, and views are in a menu', async () => {
    const site = await changingSite({})
    const address = await served(['--no-crawl'], followsLoopback(tempFolder()))
    const url = `${site}/a/very/long/way/to/get/to/the/page/called-harbour`
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ pages: [{ url }] })
    await fetch(`${address}/api/pages`, { method: 'POST', headers, body })
    const { page, faults } = await open(`${address}/#/pages`, { width: 390 })
    const path = page.locator('tbody .address .path bdi')
    await path.waitFor()
    const cell = (await page.locator('tbody .c-url').boundingBox())!
    const text = (await path.boundingBox())!
    // Cut off at its beginning: the end of the text is within the cell.
    expect(text.x).toBeLessThan(cell.x)
    expect(text.x + text.width).toBeLessThanOrEqual(cell.x + cell.width)
    expect(await page.locator('tbody .address .host').isVisible()).toBe(false)
    // It is a link like those that have a title.
    const drawn = await page
      .locator('tbody .address')
      .evaluate((each) => getComputedStyle(each).textDecorationLine)
    expect(drawn).toBe('underline')

    const hosts = page.getByRole('link', { name: 'Hosts' })
    expect(await hosts.isVisible()).toBe(false)
    await page.getByRole('button', { name: /Pages/ }).click()
    await hosts.click()
    await page.getByRole('heading', { name: 'Hosts' }).waitFor()
    expect(await hosts.isVisible()).toBe(false)
    expect(faults).toEqual([])
  })
})
