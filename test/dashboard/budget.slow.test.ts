import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { changingSite, followsLoopback, served } from './served.js'

const open = openBrowser()
const day = 86_400

/** Ten daily visits of each page, the last a minute ago; page i changed at every (i % 4 + 1)th. */
function pastOf(site: string, pages: number): string {
  const now = Math.floor(Date.now() / 1000) - 60
  const lines = Array.from({ length: 10 * pages }, (_, n) => {
    const [i, visit] = [n % pages, Math.floor(n / pages)]
    const outcome = visit === 0 ? 'first' : visit % ((i % 4) + 1) === 0 ? 'changed' : 'unchanged'
    return `${site}/${i},${now - (9 - visit) * day},${outcome}`
  })
  return ['url,at,changed', ...lines].join('\n')
}

describe('the budget, as a person moves it', () => {
  it('changes when pages are due, and what is predicted', async () => {
    const site = await changingSite({})
    const settings = { ...followsLoopback(tempFolder()), REVISIT_POLICY: 'auto' }
    const address = await served([], settings)
    const headers = { 'content-type': 'text/csv' }
    const body = pastOf(site, 24)
    const imported = await fetch(`${address}/api/import/visits`, { method: 'POST', headers, body })
    expect(await imported.json()).toMatchObject({ newPages: 24 })

    const { page, faults } = await open(`${address}/#/budget`)
    const slider = page.getByRole('slider', { name: 'Requests a day' })
    const next = page.locator('.due-table tbody tr td:nth-child(2)').first()
    const predicted = page.locator('.tile .value').first()
    await slider.waitFor()
    await next.waitFor()
    await page.getByText('In force: 24 a day, by the configuration.').waitFor()
    const before = { next: await next.innerText(), predicted: await predicted.innerText() }
    expect(before.next).toMatch(/^in /)
    // What fewer requests cost is what lies between the two shares as they are written.
    const tile = page.locator('.tile', { hasText: '20% fewer requests cost' })
    const [, points, fewer] = /([\d.]+) points\s+([\d.]+)%/.exec(await tile.innerText())!
    expect(Number.parseFloat(before.predicted) - Number(fewer)).toBeCloseTo(Number(points), 6)

    // The least there is.
    await slider.focus()
    await page.keyboard.press('Home')
    await page.getByText('Set. Due times have moved.').waitFor()
    await page.getByText(/a day, set here\./).waitFor()
    expect(Number.parseFloat(await predicted.innerText())).toBeLessThan(
      Number.parseFloat(before.predicted),
    )
    await expect.poll(() => next.innerText(), { timeout: 15_000 }).toMatch(/^in .*(day|month)/)
    const seldom = await dueTimes(address)

    await page.getByRole('button', { name: 'Back to the configured 24 a day' }).click()
    await page.getByText('In force: 24 a day, by the configuration.').waitFor()
    await page.getByText('Set. Due times have moved.').waitFor()
    await expect.poll(async () => sum(await dueTimes(address))).toBeLessThan(sum(seldom) - 24 * day)
    expect(faults).toEqual([])
  })
})

async function dueTimes(address: string): Promise<number[]> {
  const { pages } = (await (await fetch(`${address}/api/pages?limit=100`)).json()) as {
    pages: { due: { at: number } }[]
  }
  return pages.map(({ due }) => due.at)
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0)
}
