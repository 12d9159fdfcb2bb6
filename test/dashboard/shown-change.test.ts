import { parseAtomFeed } from 'feedsmith'
import { expect, it } from 'vitest'
import { localServer } from '../fixtures/local-server.js'
import { notCompared, PricedShop, priceChanges, priceRules } from '../fixtures/priced-shop.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()
const paths = ['/lamp', '/lamp.json'] as const

interface Line {
  readonly kind: string
  readonly text: string
}

it('shows a change by what was compared, over HTTP, in the feed and in the browser', async () => {
  const shop = new PricedShop()
  const site = await localServer((request, response) => {
    const { status = 200, headers, body } = shop.answer(request.url ?? '')
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  })
  const address = await served([], { ...followsLoopback(tempFolder()), REVISIT_NOISE_WAIT: '0.01' })
  const api = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`${address}/api/${path}`, init)
    expect(answer.status).toBe(200)
    return answer.json()
  }
  const pages = paths.map((path) => ({
    url: site + path,
    settings: { reading: priceRules[path] },
  }))
  const headers = { 'content-type': 'application/json' }
  await api('pages', { method: 'POST', headers, body: JSON.stringify({ pages }) })
  const page = async (id: number) => await api(`pages/${id}`)
  const ids = [1, 2]
  const least = async (what: 'visits' | 'changes', count: number) =>
    expect
      .poll(async () => Math.min(...(await Promise.all(ids.map(page))).map((each) => each[what])), {
        timeout: 20_000,
      })
      .toBeGreaterThanOrEqual(count)
  await least('visits', 3)
  expect((await Promise.all(ids.map(page))).map(({ changes }) => changes)).toEqual([0, 0])
  shop.price = 12
  await least('changes', 1)

  // Each place by itself: one that fails does not hide the others.
  for (const [i, path] of paths.entries()) {
    const { url } = await page(i + 1)
    expect.soft(url).toBe(site + path)
    const diff = (await api(`pages/${i + 1}/diff`)) as { lines: Line[]; whole: boolean }
    expect.soft(diff).toMatchObject({ whole: false, note: null })
    expect.soft(shortOf(diff.lines)).toBe(priceChanges[path].diff)
    expect.soft(JSON.stringify(diff.lines)).not.toMatch(notCompared)
    const whole = (await api(`pages/${i + 1}/diff?whole=true`)) as { lines: Line[]; whole: boolean }
    expect.soft(whole.whole).toBe(true)
    expect.soft(shortOf(whole.lines)).toMatch(notCompared)
  }

  const feed = parseAtomFeed(await (await fetch(`${address}/feeds/changes.atom`)).text())
  const contents = feed.entries!.map(({ links, content }) => [links?.[0]?.href, content?.value])
  expect
    .soft(Object.fromEntries(contents))
    .toEqual(
      Object.fromEntries(paths.map((path) => [site + path, priceChanges[path].diff.trimEnd()])),
    )

  const tab = await open(`${address}/#/pages/1`)
  const shown = tab.page.getByRole('region', { name: 'Difference of the two versions' })
  await shown.waitFor()
  expect.soft(await shown.locator('.removed del').allInnerTexts()).toEqual(['Price: 10 euros'])
  expect.soft(await shown.locator('.added ins').allInnerTexts()).toEqual(['Price: 12 euros'])
  expect.soft(await shown.innerText()).not.toMatch(notCompared)
  const price = tab.page.locator('section', {
    has: tab.page.getByRole('heading', { name: 'Price' }),
  })
  await price.locator('canvas').waitFor()
  expect.soft(await price.innerText()).toMatch(/^Price\s+12\b/)
  await tab.page.getByRole('button', { name: 'The whole page' }).click()
  await expect.poll(() => shown.innerText()).toContain('Out of stock')
  expect.soft(await shown.innerText()).toMatch(/Checked at 12:00:\d\d/)
  await tab.page.getByRole('button', { name: 'What was compared' }).click()
  await expect.poll(() => shown.innerText()).not.toMatch(notCompared)
  expect(tab.faults).toEqual([])
})

/** Changed lines as notices have them. */
function shortOf(lines: readonly Line[]): string {
  const signs: Record<string, string> = { removed: '-', added: '+' }
  return lines
    .filter(({ kind }) => kind !== 'same')
    .map(({ kind, text }) => `${signs[kind]} ${text}\n`)
    .join('')
}
