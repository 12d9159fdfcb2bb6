import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { changingSite, followsLoopback, served } from './served.js'

const open = openBrowser()

describe('the dashboard, as a person uses it', () => {
  it('adds a page, shows its first visit, a change and its difference', async () => {
    const pages = { '/news': '<title>News</title><p>The old bridge is closed.</p>' }
    const site = await changingSite(pages)
    const address = await served([], followsLoopback(tempFolder()))
    const { page, faults } = await open(address)

    await page.getByRole('heading', { name: 'Welcome to Revisit' }).waitFor()
    await page.getByRole('link', { name: 'Add a page' }).click()
    await page.getByLabel('Addresses, one a line').fill(`${site}/news\nnot an address`)
    await page.getByRole('button', { name: 'Add 2 pages' }).click()
    await page.getByText('1 page added, 1 refused:').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    const row = page.getByRole('row', { name: /\/news/ })
    await row.locator('.outcome').waitFor()

    await row.getByRole('link').click()
    await page.getByText(/\d+ visits, 0 found a change/).waitFor()
    pages['/news'] = '<title>News</title><p>The new bridge is open.</p>'
    await page.getByText(/visits, 1 found a change/).waitFor()
    expect(await page.locator('.diff .removed').innerText()).toContain('The old bridge is closed.')
    expect(await page.locator('.diff .added').innerText()).toContain('The new bridge is open.')
    expect(await page.locator('.diff .added .word').allInnerTexts()).toContain('new')
    expect(faults).toEqual([])
  })

  it('filters, sorts, chooses and removes pages', async () => {
    const site = await changingSite({ '/a': '<p>a</p>', '/b': '<p>b</p>', '/c': '<p>c</p>' })
    const address = await served([], followsLoopback(tempFolder()))
    await post(`${address}/api/pages`, {
      pages: ['a', 'b', 'c'].map((name) => ({ url: `${site}/${name}` })),
    })
    const { page, faults, agree } = await open(`${address}/#/pages`)
    const rows = page.locator('tbody th')
    await expect.poll(() => rows.count()).toBe(3)

    await page.getByRole('button', { name: 'Page' }).click()
    await page.getByRole('button', { name: 'Page' }).click()
    await expect
      .poll(async () => (await rows.allInnerTexts()).map((text) => text.slice(-1)))
      .toEqual(['c', 'b', 'a'])
    await page.getByLabel('Address contains').fill('/b')
    await expect.poll(() => rows.count()).toBe(1)

    await page.getByRole('checkbox', { name: /Choose http/ }).check()
    agree()
    await page.getByRole('button', { name: 'Remove …' }).click()
    await page.getByText('No page passes these filters.').waitFor()
    await page.getByRole('link', { name: 'Show all pages' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    expect(faults).toEqual([])
  })
})

async function post(url: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
}
