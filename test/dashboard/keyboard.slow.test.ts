import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { changingSite, followsLoopback, served } from './served.js'

const open = openBrowser()

describe('the dashboard by keyboard only', () => {
  it('adds a page and looks at it', async () => {
    const site = await changingSite({ '/one': '<p>one</p>' })
    const address = await served([], followsLoopback(tempFolder()))
    const { page, faults } = await open(address)
    await page.getByRole('heading', { name: 'Welcome to Revisit' }).waitFor()

    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Add a page')
    await page.keyboard.press('Enter')
    await page.locator('dialog[open]').waitFor()
    await tabTo(page, (name) => name === 'Addresses, one a line')
    await page.keyboard.type(`${site}/one`)
    await tabTo(page, (name) => name === 'Add 1 page')
    await page.keyboard.press('Enter')
    await page.getByText('1 page added.').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').count()).toBe(0)

    await page.locator('tbody .outcome').waitFor()
    await tabTo(page, (name) => name.endsWith('/one') && !name.startsWith('Choose'))
    await page.keyboard.press('Enter')
    await page.getByText(/\d+ visits, \d+ found a change/).waitFor()
    expect(await page.title()).toBe('Page · Revisit')
    expect(faults).toEqual([])
  })

  it('reaches every part of a view and leaves it again: nothing holds the focus', async () => {
    const address = await served(['--no-crawl'], followsLoopback(tempFolder()))
    const { page } = await open(`${address}/#/lab`)
    await page.getByRole('button', { name: 'Run' }).waitFor()
    const names = new Set<string>()
    for (let step = 0; step < 60 && !names.has('Run'); step++) {
      await page.keyboard.press('Tab')
      names.add(await focused(page))
      const ring = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        return element === document.body || getComputedStyle(element).outlineStyle !== 'none'
      })
      expect(ring).toBe(true)
    }
    expect([...names]).toEqual(
      expect.arrayContaining(['Inbox', 'Overview', 'Pages', 'Budget', 'Theme', 'Days', 'Run']),
    )
    await page.keyboard.press('Enter')
    await page.getByText(/^Done: /).waitFor()
  })
})

/** The name of what has the focus, as a screen reader would say it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement)) return ''
    const label =
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement
        ? element.labels?.[0]
        : undefined
    const named = label?.querySelector('span') ?? label
    return (
      element.getAttribute('aria-label') ??
      named?.textContent ??
      element.innerText ??
      ''
    ).trim()
  })
}

async function tabTo(page: Page, wanted: (name: string) => boolean): Promise<void> {
  const seen: string[] = []
  for (let step = 0; step < 60; step++) {
    const name = await focused(page)
    if (wanted(name)) return
    seen.push(name)
    await page.keyboard.press('Tab')
  }
  expect.fail(`not reached by Tab; passed ${seen.join(' | ')}`)
}
