import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { WatchedPages } from '../notify/watched-pages.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()
const url = 'https://a.example/shop'
/** Longer than the service takes a line. */
const long = `Terms ${'and conditions '.repeat(500)}`

/** Thirteen versions: the first has a part that no other has, the last a line of many letters. */
async function shopIn(folder: string): Promise<Record<string, string>> {
  const env = followsLoopback(folder)
  const store = await openSqliteStore({ path: join(folder, 'revisit.db') })
  const pages = new WatchedPages(store)
  await pages.add(url)
  const from = Date.now() / 1000 - 20 * 3600
  for (let i = 0; i < 13; i++) {
    const opening = i === 0 ? '<div id="opening"><p>Tom &amp; Jerry (<b>12</b>)</p></div>' : ''
    const terms = i === 12 ? `<div id="terms"><p>${long}</p></div>` : ''
    const text = `Edition ${i}</p>${opening}${terms}<p>end`
    const outcome = i === 0 ? 'first' : 'changed'
    await pages.visit(url, { at: from + 3600 * i, outcome, text })
  }
  await store.close()
  return env
}

it('a rule from a line is of the version that has it, however old, and of lines of any length', async () => {
  const env = await shopIn(tempFolder())
  const address = await served(['--no-crawl'], env)
  const { page, faults } = await open(`${address}/#/pages/1`)
  const selector = page.getByLabel('CSS selector')
  const pointAt = async (kind: 'removed' | 'added', text: string) => {
    const line = page.locator(`.diff .${kind}`, { hasText: text })
    await line.hover()
    await line.getByRole('button', { name: 'Ignore this part' }).click()
    await expect.poll(() => selector.inputValue(), { timeout: 10_000 }).not.toBe('')
    return selector.inputValue()
  }
  expect(await pointAt('added', 'Terms and conditions')).toBe('#terms p')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.locator('label', { hasText: /^with/ }).locator('select').selectOption({ index: 11 })
  expect(await pointAt('removed', 'Tom & Jerry (12)')).toBe('#opening p')
  expect(faults).toEqual([])
})
