import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()

describe('the lab', () => {
  it('runs policies and estimators in the browser, the same every time', async () => {
    const address = await served(['--no-crawl'], followsLoopback(tempFolder()))
    const { page, faults } = await open(`${address}/#/lab`)
    const run = async () => {
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByText(/^Done: /).waitFor()
      return page.locator('section.panel table').allInnerTexts()
    }
    await page.getByLabel('Change process').selectOption('weibull')
    await page.getByLabel(/^period/).fill('1d')
    await page.getByLabel('Pages').fill('20')
    const first = await run()
    expect(first).toHaveLength(2)
    expect(first[0]).toContain('irregular-mle')
    expect(first[1]).toContain('malcolm-armitage')
    expect(await run()).toEqual(first)

    await page.getByLabel(/^period/).fill('soon')
    await page.getByRole('button', { name: 'Run' }).click()
    await page
      .getByRole('alert')
      .getByText(/weibull: period/)
      .waitFor()
    expect(faults).toEqual([])
  })
})
