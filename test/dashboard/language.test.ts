import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()

describe('the dashboard in a browser whose language is no language tag', () => {
  // What Chromium calls its language where it is started without a locale.
  it('comes up, charts and all', async () => {
    const address = await served(['--no-crawl'], followsLoopback(tempFolder()))
    const { page, faults } = await open(`${address}/#/lab`, { language: 'en-US@posix' })
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText(/^Done: /).waitFor()
    expect(await page.locator('.uplot').count()).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })
})
