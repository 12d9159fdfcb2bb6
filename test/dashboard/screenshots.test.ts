import { describe, expect, it } from 'vitest'
import { chromium } from '../../scripts/chromium.mjs'
import { tempFolder } from '../fixtures/temp-folder.js'
import { openBrowser } from './browser.js'
import { changingSite, followsLoopback, served } from './served.js'

const open = openBrowser()
const long = { timeout: 40_000 }

/** Made by its script: nothing but a colour changes from one to the next. */
function scripted(colour: string): string {
  return `<title>Board</title><div id=root>Loading</div><script>
    root.innerHTML = '<h1>Departures</h1><button>Accept cookies</button><p>All trains are on time today.</p><div style="width:400px;height:400px;background:${colour}"></div>'
    document.querySelector('button').onclick = (event) => event.target.remove()
  </script>`
}

describe('a page that scripts make', () => {
  it('gets the advice to use the browser, and is then compared by how it looks', async () => {
    const pages: Record<string, string> = { '/board': scripted('teal') }
    const base = await changingSite(pages)
    const { executablePath, env } = await chromium()
    const address = await served([], {
      ...(env as Record<string, string>),
      ...followsLoopback(tempFolder()),
      REVISIT_BROWSER_PATH: executablePath,
      REVISIT_BROWSER_SANDBOX: 'off',
      REVISIT_NOISE_WAIT: '0.01',
    })
    const ask = async (path: string, init?: RequestInit) =>
      (await fetch(`${address}/api/${path}`, init)).json()
    const added = { method: 'POST', headers: { 'content-type': 'application/json' } }
    await ask('pages', { ...added, body: JSON.stringify({ pages: [{ url: `${base}/board` }] }) })
    const { page, faults } = await open(`${address}/#/pages/1`)
    page.setDefaultTimeout(40_000)

    await page.getByRole('button', { name: 'Use the browser for this page' }).click()
    await page.getByText('Let a browser render it.').waitFor({ state: 'detached' })

    await page.goto(`${address}/#/pages/1/settings`)
    await page.getByLabel('Compared by').selectOption('pixels')
    await page.getByLabel('Keep screenshots').selectOption('yes')
    await page.getByLabel('Steps in the browser before it counts').fill('accept cookies\nhover x')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText(/step 2 is none/).waitFor()
    await page.getByLabel('Steps in the browser before it counts').fill('accept cookies')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('Saved.').waitFor()

    type Versions = { versions: { digest: string; screenshot: boolean }[] }
    const pictured = async () =>
      ((await ask('pages/1/versions')) as Versions).versions.filter(({ screenshot }) => screenshot)
    await expect.poll(async () => (await pictured()).length, long).toBe(1)
    const { visits } = (await ask('pages/1')) as { visits: number }
    // Visited again as it is: it looks the same.
    await expect
      .poll(async () => ((await ask('pages/1')) as { visits: number }).visits, long)
      .toBeGreaterThan(visits + 1)
    expect(await pictured()).toHaveLength(1)
    pages['/board'] = scripted('crimson')
    await expect.poll(async () => (await pictured()).length, long).toBe(2)

    await page.goto(`${address}/#/pages/1`)
    const pictures = page.locator('.screenshots img')
    await expect.poll(() => pictures.count(), long).toBe(2)
    const widths = () =>
      pictures.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth))
    await expect.poll(widths, long).toEqual([1280, 1280])
    const { digest } = (await pictured())[0]!
    const shot = await fetch(`${address}/api/pages/1/versions/${digest}/screenshot`)
    expect(shot.headers.get('content-type')).toBe('image/png')
    expect(shot.headers.get('x-content-type-options')).toBe('nosniff')
    expect(shot.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    const shown = async (view: string) =>
      (await fetch(`${address}/api/pages/1/versions/${digest}/${view}`)).text()
    expect(await shown('source')).not.toContain('revisit-screenshot')
    expect(await shown('text')).toContain('All trains are on time')
    expect(await shown('text')).not.toContain('Accept cookies')
    expect(faults).toEqual([])
  }, 120_000)
})
