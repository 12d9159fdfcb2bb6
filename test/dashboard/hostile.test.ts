import { describe, expect, it } from 'vitest'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { changingSite, followsLoopback, served } from './served.js'

const open = openBrowser()
const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>'
const written = markup.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
/** Turns the text that follows around. */
const turned = '\u202e'

describe('pages that mean harm', () => {
  it('are shown as text: titles, addresses, groups and differences', async () => {
    const path = `/${markup}"'`
    const pages = { [path]: `<title>${written}</title><p>before</p>` }
    const site = await changingSite(pages)
    const address = await served([], followsLoopback(tempFolder()))
    const answer = await fetch(`${address}/api/pages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        pages: [{ url: `${site}${path}`, group: `${markup}${turned}gpj.exe` }],
      }),
    })
    expect(await answer.json()).toMatchObject({ added: 1 })

    const { page, faults } = await open(`${address}/#/pages`)
    await page.locator('tbody .outcome').waitFor()
    await page.locator('tbody th a').click()
    await page.getByText(/\d+ visits, 0 found a change/).waitFor()
    pages[path] = `<title>${written}2</title><p>after ${turned}${written}</p>`
    await page.getByText(/visits, 1 found a change/).waitFor()
    await page.locator('.diff').waitFor()

    const shown = await page.locator('main').innerText()
    expect(shown).toContain(`${markup}\\u202egpj.exe`)
    expect(await page.locator('.diff').innerText()).toContain(`after \\u202e${markup}`)
    expect(shown).not.toContain(turned)
    expect(await page.locator('img[src=x], main script').count()).toBe(0)

    await page.goto(`${address}/#/overview`)
    await page.locator('.live li').first().waitFor()
    await page.goto(`${address}/#/`)
    const words = page.locator('.change-words').first()
    await words.waitFor()
    expect(await page.locator('.inbox').innerText()).toContain(`after \\u202e${markup}`)
    expect(await page.locator('.inbox').innerText()).not.toContain(turned)
    await page.goto(`${address}/#/pages?add=1`)
    await page.getByLabel('Addresses, one a line').fill(`javascript:alert(1)//${turned}${markup}`)
    await page.getByRole('button', { name: 'Add 1 page' }).click()
    await page.getByText(/refused:/).waitFor()
    expect(await page.locator('.refusals').innerText()).toContain('javascript:alert(1)//\\u202e')
    expect(await page.locator('img[src=x], main script, a[href^=javascript]').count()).toBe(0)
    for (const view of [
      '',
      'inbox',
      'overview',
      'pages',
      'pages/1',
      'budget',
      'hosts',
      'notifications',
      'settings',
    ]) {
      await page.goto(`${address}/#/${view}`)
      await page.locator('main h1').first().waitFor()
      const harm = page.locator('img[src=x], main script, a[href^=javascript]')
      expect(await harm.count(), view).toBe(0)
    }
    expect(faults).toEqual([])
  })

  it('and settings that do are shown as text: titles, steps, proxies, service settings', async () => {
    const site = await changingSite({ '/a': '<title>A</title><p>text</p>' })
    const address = await served([], followsLoopback(tempFolder()))
    const send = async (method: string, path: string, body: object) =>
      fetch(`${address}/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const settings = {
      title: `${markup}${turned}`,
      steps: [`click ${markup}`, `fill #q = ${turned}${markup}`],
      proxy: `http://${encodeURIComponent(markup)}:word@127.0.0.1:1`,
      browser: true,
    }
    await send('POST', 'pages', { pages: [{ url: `${site}/a`, settings }] })
    const put = await send('PUT', 'settings', { settings: { 'mail-from': `${markup}${turned}` } })
    expect(put.status).toBe(200)
    for (const address of ['javascript:alert(1)', 'revisit.example.org']) {
      const refused = await send('PUT', 'settings', { settings: { 'dashboard-address': address } })
      expect(refused.status).toBe(400)
    }
    const { page, faults } = await open(`${address}/#/pages/1`)
    for (const view of ['pages/1', 'pages/1/settings', 'pages', 'settings', 'notifications']) {
      await page.goto(`${address}/#/${view}`)
      await page.locator('main h1').first().waitFor()
      await page.locator('.panel, .page-table').first().waitFor()
      const harm = page.locator('img[src=x], main script, a[href^=javascript]')
      expect(await harm.count(), view).toBe(0)
      expect(await page.locator('main').innerText(), view).not.toContain(turned)
    }
    await page.goto(`${address}/#/pages/1`)
    await page.getByText(`click ${markup}`).first().waitFor()
    expect(faults).toEqual([])
  })
})
