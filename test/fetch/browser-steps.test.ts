import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../../scripts/chromium.mjs'
import { systemClock } from '../../src/crawler/system-clock.js'
import { findChromium } from '../../src/fetch/find-chromium.js'
import { HttpFetcher } from '../../src/fetch/http-fetcher.js'
import type { BrowserKit } from '../../src/fetch/page-renderer.js'
import { playwrightBrowser } from '../../src/fetch/playwright-browser.js'
import { browserSteps } from '../../src/model/browser-steps.js'
import { localServer } from '../fixtures/local-server.js'
import { renderingFetcher } from './rendering-fetcher.js'

describe('steps as a person writes them', () => {
  it('are read one by one', () => {
    expect(
      browserSteps([
        'wait 2s',
        'Wait for #price',
        'click a[href="/more"]',
        'fill input[name=q] = a = b',
        'accept cookies',
      ]),
    ).toEqual([
      { kind: 'wait', time: 2 },
      { kind: 'wait-for', selector: '#price' },
      { kind: 'click', selector: 'a[href="/more"]' },
      { kind: 'fill', selector: 'input[name=q]', text: 'a = b' },
      { kind: 'accept-cookies' },
    ])
  })

  it.each(['wait', 'wait an hour', 'wait 1h', 'hover .x', 'click', 'fill #q', 'x'.repeat(600)])(
    'are refused by number: %s',
    (line) => {
      expect(() => browserSteps(['wait 1s', line])).toThrow(/step 2/)
    },
  )

  it('are twenty at most', () => {
    expect(() => browserSteps(new Array<string>(21).fill('wait 1s'))).toThrow(/20 steps/)
  })
})

describe('the Chromium to start', () => {
  const search = (there: readonly string[], path: string | null = null) =>
    findChromium({
      path,
      own: () => '/cache/chrome',
      exists: (each) => there.includes(each),
      programs: '/a:/usr/bin',
      platform: 'linux',
    })

  it('is the one that was named, then playwright’s, then the system’s', () => {
    const all = ['/mine', '/cache/chrome', '/usr/bin/chromium', '/snap/bin/chromium']
    expect(search(all, '/mine')).toBe('/mine')
    expect(search(all)).toBe('/cache/chrome')
    expect(search(all.slice(2))).toBe('/usr/bin/chromium')
    expect(search(all.slice(3))).toBe('/snap/bin/chromium')
  })

  it('says how to get one where there is none', () => {
    expect(() => search([])).toThrow(/apt install chromium.*browser-path/)
    expect(() => search(['/usr/bin/chromium'], '/mine')).toThrow(/no browser at \/mine/)
  })
})

describe('a page on which steps are taken', { timeout: 30_000 }, () => {
  let browser: BrowserKit
  beforeAll(async () => {
    const { executablePath, args, env } = await chromium()
    const launch = { args, env: env as Record<string, string> }
    // Found by its path, as a person names it.
    browser = await playwrightBrowser({ launch, sandbox: false, path: executablePath })
  }, 60_000)
  afterAll(() => browser.close())

  const html = `<title>Shop</title><div id=ask>Cookies? <button>Accept all</button></div>
    <button class=more>More</button><input id=q><ul id=list></ul>
    <script>
      ask.querySelector('button').onclick = () => ask.remove()
      const line = (text) => setTimeout(() => {
        list.insertAdjacentHTML('beforeend', '<li>' + text); list.lastChild.id = 'l' + list.children.length
      }, 300)
      document.querySelector('.more').onclick = () => line('more')
      q.oninput = () => line('found ' + q.value)
    </script>`

  async function rendered(steps: readonly string[]) {
    const url = await localServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(html),
    )
    const http = new HttpFetcher({
      clock: systemClock,
      contact: 'test@localhost',
      version: '0',
      allowedNetworks: ['127.0.0.1/32'],
    })
    const kit = { ...browser, close: async () => {} }
    const fetcher = renderingFetcher({
      fetcher: http,
      launch: async () => kit,
      renderTime: 4,
    })
    const answer = await fetcher.fetch({ url, rendered: true, steps })
    await fetcher.close()
    return answer
  }

  it('is what stands in it after the last', async () => {
    const answer = await rendered([
      'accept cookies',
      'click .more',
      'wait for #l1',
      'fill #q = lamps',
      'wait 500ms',
    ])
    expect(answer).toMatchObject({ kind: 'content' })
    const text = answer.kind === 'content' ? new TextDecoder().decode(answer.body) : ''
    expect(text).not.toContain('Cookies?')
    expect(text).toMatch(/<li id="l1">more<\/li><li id="l2">found lamps/)
  })

  it('fails where one cannot be taken, and says which', async () => {
    expect(await rendered(['accept cookies', 'click #nowhere'])).toMatchObject({
      kind: 'failed',
      fault: 'step-failed',
      message: expect.stringMatching(/^step 2 \(click #nowhere\)/),
    })
  })
})
