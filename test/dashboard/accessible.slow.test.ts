import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { openBrowser } from './browser.js'
import { served } from './served.js'

const open = openBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What shows that a view is there with its data. */
const views: readonly (readonly [hash: string, sign: string])[] = [
  ['', '.tiles'],
  ['inbox', '.change, .state.empty'],
  ['overview', '.tiles'],
  ['pages', '.page-table tbody a'],
  ['pages?add=1', 'dialog[open]'],
  ['pages/1', '.facts'],
  ['pages/1/settings', '.page-settings'],
  ['pages/1/how', '.visit-line'],
  ['pages/1/choose', '.glass'],
  ['budget', '.tiles, .state.empty'],
  ['lab', '.lab-form'],
  ['papers', 'table'],
  ['papers/singh', '.claims'],
  ['hosts', 'tbody a'],
  ['notifications', '.channel-form'],
  ['settings', '.facts'],
  ['nowhere', '.state'],
]

describe.each(['light', 'dark'] as const)('every view in %s', (theme) => {
  it('has no serious fault that axe-core finds', async () => {
    const address = await served(['--demo'])
    const { page, faults } = await open(address, { theme })
    await page.locator('.scatter-mark').first().waitFor()
    await page.evaluate(axe)
    for (const [hash, sign] of views) {
      await page.evaluate((to) => {
        location.hash = `#/${to}`
      }, hash)
      await page.locator(sign).first().waitFor()
      expect(await seriousFaults(page), `#/${hash}`).toEqual([])
      expect(await sideways(page), `#/${hash} scrolls sideways`).toBeLessThanOrEqual(0)
    }
    await page.evaluate(() => {
      location.hash = '#/lab'
    })
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText(/^Done: /).waitFor()
    expect(await seriousFaults(page), 'the lab after a run').toEqual([])
    expect(faults).toEqual([])
  }, 180_000)
})

describe('on a phone', () => {
  it('no view is wider than the window', async () => {
    const address = await served(['--demo'])
    const { page } = await open(address, { width: 390 })
    await page.locator('.scatter-mark').first().waitFor()
    for (const [hash, sign] of views) {
      await page.evaluate((to) => {
        location.hash = `#/${to}`
      }, hash)
      await page.locator(sign).first().waitFor()
      expect(await sideways(page), `#/${hash}`).toBeLessThanOrEqual(0)
    }
  }, 180_000)
})

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

function sideways(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}
