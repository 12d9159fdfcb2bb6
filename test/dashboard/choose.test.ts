import { describe, expect, it } from 'vitest'
import { localServer } from '../fixtures/local-server.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { followsLoopback, served } from './served.js'

const open = openBrowser()

/** Every way that a kept page may try to run or to ask for something. */
const harm = `
<meta http-equiv="refresh" content="0;url=/asked-refresh">
<link rel="stylesheet" href="/asked-style"><link rel="prefetch" href="/asked-prefetch">
<base href="/asked-base/">
<script>parent.document.title = 'taken'; alert(1)</script><script src="/asked-script"></script>
<img src="/asked-image" onerror="parent.document.title='taken'"><svg onload="alert(2)"></svg>
<iframe src="/asked-frame" srcdoc="<script>alert(3)</script>"></iframe>
<object data="/asked-object"></object><video src="/asked-video" autoplay></video>
<style>@import '/asked-import'; body { background: url(/asked-background) }</style>
<form action="/asked-form"><button>Send</button></form>
<a href="javascript:alert(4)">A link</a>`

describe('choosing a part of a page', () => {
  it('by a click on the kept version: no script of it runs, and nothing is asked for', async () => {
    let edition = 1
    const asked: string[] = []
    const site = await localServer((request, response) => {
      if (request.url !== '/robots.txt') asked.push(request.url ?? '')
      if (request.url !== '/') return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      return response.end(`<!doctype html><title>Shop &lt;img src=x onerror=alert(5)&gt;</title>
        <h1>Shop</h1><section id="offers"><p class="price">Price: ${10 + edition} euros</p></section>
        <p class="ad">Advertisement ${edition}</p>${harm}`)
    })
    const address = await served([], {
      ...followsLoopback(tempFolder()),
      REVISIT_NOISE_WAIT: '0.01',
    })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({
      pages: [{ url: `${site}/`, settings: { noiseCheck: false } }],
    })
    await fetch(`${address}/api/pages`, { method: 'POST', headers, body })
    const known = async () =>
      (await (await fetch(`${address}/api/pages/1`)).json()) as {
        visits: number
        changes: number
        settings: { reading?: unknown }
      }
    const visited = async (what: 'visits' | 'changes', least: number) =>
      expect
        .poll(async () => (await known())[what], { timeout: 20_000 })
        .toBeGreaterThanOrEqual(least)
    await visited('visits', 1)
    edition = 2
    await visited('changes', 1)

    const { page, faults } = await open(`${address}/#/pages/1/choose`)
    // What a policy refuses is reported as a request too, but never answered.
    const answered: string[] = []
    page.on('response', (each) => answered.push(each.url()))
    await page.reload()
    const frame = page.frameLocator('iframe')
    await frame.locator('.price').waitFor()
    const box = (await frame.locator('.price').boundingBox())!
    await page.mouse.click(box.x + 10, box.y + box.height / 2)
    const selector = page.getByLabel('CSS selector')
    expect(await selector.inputValue()).toBe('.price')

    // By keyboard, past what has no box: the script is no part to be chosen.
    await page.getByRole('button', { name: 'Another part' }).click()
    await page.getByRole('application', { name: 'Parts of the page' }).focus()
    await page.keyboard.press('ArrowLeft')
    for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => selector.inputValue()).not.toBe('')
    expect(await selector.inputValue()).toMatch(/^(a|form)\b/)
    await page.getByRole('button', { name: 'Another part' }).click()
    await frame.locator('.price').scrollIntoViewIfNeeded()
    const again = (await frame.locator('.price').boundingBox())!
    await page.mouse.click(again.x + 10, again.y + again.height / 2)
    await expect.poll(() => selector.inputValue()).toBe('.price')
    await page.getByText('Of the last 1 changes of content, 1 would count; now 1 do').waitFor()
    expect((await page.locator('.compared-text').innerText()).trim()).toBe('Price: 12 euros')
    await page.getByRole('button', { name: 'A wider part' }).click()
    await expect.poll(() => selector.inputValue()).toBe('#offers')
    await page.getByRole('button', { name: 'Save this rule' }).click()
    await page.getByRole('heading', { name: 'Last change' }).waitFor()
    expect((await known()).settings.reading).toEqual({ select: ['#offers'] })
    await expect.poll(() => page.locator('.diff .added').count(), { timeout: 10_000 }).toBe(1)
    expect(await page.locator('.diff').innerText()).not.toContain('Advertisement')

    // From a line of the difference of the whole page: what would the rule have done?
    await page.getByRole('button', { name: 'The whole page' }).click()
    const ad = page.locator('.diff .added', { hasText: 'Advertisement' })
    await ad.hover()
    await ad.getByRole('button', { name: 'Ignore this part' }).click()
    await expect.poll(() => selector.inputValue()).toBe('p.ad')
    await page.getByRole('button', { name: 'Save this rule' }).click()
    await expect
      .poll(async () => (await known()).settings.reading, { timeout: 10_000 })
      .toEqual({ select: ['#offers'], ignore: ['p.ad'] })

    // The site saw no request but visits, and the service none of the page's own.
    expect(asked.filter((path) => path !== '/')).toEqual([])
    expect(answered.length).toBeGreaterThan(3)
    expect(answered.filter((url) => url.includes('asked-'))).toEqual([])
    expect(await page.title()).toBe('Page · Revisit')
    expect(faults.filter((fault) => !fault.startsWith('policy:'))).toEqual([])
  })
})
