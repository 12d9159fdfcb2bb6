import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { changingSite, followsLoopback, served } from './served.js'

const open = openBrowser()

const long = { timeout: 20_000 }

function html(title: string, text: string): string {
  return `<title>${title}</title><p>${text}</p>`
}

describe('the inbox, which a service with pages opens with', () => {
  it('shows what changed with its words, unread until seen, by group and search', async () => {
    const pages = {
      '/ferry': html('Ferry times', 'The ferry leaves at nine.'),
      '/market': html('Market', 'Apples cost two euros.'),
    }
    const site = await changingSite(pages)
    const address = await served([], {
      ...followsLoopback(tempFolder()),
      REVISIT_NOISE_WAIT: '0.01',
    })
    await send(`${address}/api/pages`, {
      pages: [
        { url: `${site}/ferry`, group: 'travel' },
        { url: `${site}/market`, tags: ['food'] },
      ],
    })
    const { page, faults } = await open(address)
    await page.getByText('Nothing has changed yet.').waitFor()
    await visited(address, 2)
    pages['/ferry'] = html('Ferry times', 'The ferry leaves at ten.')
    const items = page.locator('.change')
    const titles = async () =>
      (await items.locator('.change-link').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    await expect.poll(() => items.count(), long).toBe(1)
    await visited(address, 3)
    pages['/market'] = html('Market', 'Apples cost three euros.')
    await expect.poll(() => items.count(), long).toBe(2)

    // The newest first; site and title, the words that went and came, and when.
    expect(await titles()).toEqual(['Market (unread)', 'Ferry times (unread)'])
    const market = await items.first().innerText()
    expect(market).toContain(new URL(site).host)
    expect(market).toMatch(/two/)
    expect(market).toMatch(/three/)
    expect(market).toMatch(/\d\d:\d\d/)
    await page.locator('main').getByText('2 unread', { exact: true }).waitFor()

    await page.getByLabel('Group or tag').selectOption('travel')
    await expect.poll(() => items.count(), long).toBe(1)
    // More than stand below it.
    await page.locator('main').getByText('2 unread in all', { exact: true }).waitFor()
    await page.getByLabel('Group or tag').selectOption('')
    await page.getByLabel('Title, address or words').fill('apples three')
    await expect.poll(titles, long).toEqual(['Market (unread)'])
    await page.getByLabel('Title, address or words').fill('')
    await expect.poll(() => items.count(), long).toBe(2)

    // By keyboard: j goes to a change, which is seen then; m makes it unread again.
    await page.locator('h1').click()
    await page.keyboard.press('j')
    await page.locator('main').getByText('1 unread', { exact: true }).waitFor()
    await page.keyboard.press('m')
    await page.locator('main').getByText('2 unread', { exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.locator('main').getByText('1 unread', { exact: true }).waitFor()
    expect(await focusedText(page)).toContain('Ferry times')
    await page.keyboard.press('k')
    expect(await focusedText(page)).toContain('Market')
    await page.getByText('All read', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('All read', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Ferry times' }).click()
    await page.locator('.diff').waitFor()
    expect(await page.locator('.diff .added .word').allInnerTexts()).toEqual(['ten'])
    await page.goto(`${address}/#/inbox`)
    await page.getByRole('button', { name: 'Mark as unread' }).first().click()
    await page.locator('main').getByText('1 unread', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Mark all read' }).click()
    await page.getByText('All read', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  it('shows what has come also where it is always behind the visits, as on a busy machine', async () => {
    const pages = { '/ferry': html('Ferry times', 'The ferry leaves at nine.') }
    const site = await changingSite(pages)
    const address = await served([], followsLoopback(tempFolder()))
    await send(`${address}/api/pages`, { pages: [{ url: `${site}/ferry` }] })
    const { page, faults } = await open(address)
    await page.getByText('Nothing has changed yet.').waitFor()
    await page.route('**/api/changes?limit=1', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { changes: { number: number }[] }
      for (const change of answer.changes) change.number--
      await route.fulfill({ response, json: answer })
    })
    await visited(address, 2)
    pages['/ferry'] = html('Ferry times', 'The ferry leaves at ten.')
    await expect.poll(() => page.locator('.change').count(), long).toBe(1)
    await page.locator('main').getByText('1 unread', { exact: true }).waitFor()
    expect(faults).toEqual([])
  })
})

function focusedText(page: { evaluate<T>(run: () => T): Promise<T> }): Promise<string> {
  return page.evaluate(() => (document.activeElement as HTMLElement).innerText)
}

async function send(url: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
}

/** Waits until every page has so many visits. */
async function visited(address: string, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${address}/api/pages`)
        const { pages } = (await answer.json()) as { pages: { visits: number }[] }
        return Math.min(...pages.map(({ visits }) => visits))
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThanOrEqual(count)
}
