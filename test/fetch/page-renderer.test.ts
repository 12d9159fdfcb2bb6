import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium } from '../../scripts/chromium.mjs'
import { systemClock } from '../../src/crawler/system-clock.js'
import { HttpFetcher } from '../../src/fetch/http-fetcher.js'
import type { BrowserKit } from '../../src/fetch/page-renderer.js'
import { playwrightBrowser } from '../../src/fetch/playwright-browser.js'
import type { Fetcher } from '../../src/model/fetcher.js'
import { describeFetcher } from '../contracts/fetcher.js'
import { localServer } from '../fixtures/local-server.js'
import { sampleWeb } from '../fixtures/sample-web.js'
import { renderingFetcher } from './rendering-fetcher.js'

let browser: BrowserKit
beforeAll(async () => {
  const { executablePath, args, env } = await chromium()
  const launch = { executablePath, args, env: env as Record<string, string> }
  browser = await playwrightBrowser({ launch, sandbox: false })
}, 60_000)
afterAll(() => browser.close())

/** One browser for all tests: it is not closed with a fetcher. */
function open(more: { renderTime?: number; renderedBytes?: number } = {}): Fetcher {
  const fetcher = new HttpFetcher({
    clock: systemClock,
    contact: 'test@localhost',
    version: '0',
    allowedNetworks: ['127.0.0.1/32'],
    limits: { wholeTime: 5 },
  })
  const kit = { ...browser, close: async () => {} }
  return renderingFetcher({ fetcher, launch: async () => kit, ...more })
}

async function rendered(url: string, more: Parameters<typeof open>[0] = {}) {
  const fetcher = open(more)
  const answer = await fetcher.fetch({ url, rendered: true, validators: { etag: '"1"' } })
  await fetcher.close()
  const html = answer.kind === 'content' ? new TextDecoder().decode(answer.body) : ''
  return { answer, html }
}

const html = { 'content-type': 'text/html' }

describeFetcher('PageRenderer behind a fetcher', async () => ({
  fetcher: open(),
  base: await localServer(sampleWeb),
  dead: 'http://127.0.0.1:1/',
}))

describe('a page rendered by script', { timeout: 30_000 }, () => {
  it('is what stands in it once its data has come', async () => {
    const asked: string[] = []
    const url = await localServer((request, response) => {
      asked.push(`${request.url} ${request.headers['if-none-match'] ?? ''}`.trim())
      if (request.url === '/data') return response.end('{"price": 42}')
      response.writeHead(200, { ...html, etag: '"1"' })
      response.end(
        `<p id=p>loading</p><img src=/picture.png><script>fetch('/data').then(r=>r.json()).then(d=>{p.textContent='price '+d.price})</script>`,
      )
    })
    const { answer, html: text } = await rendered(url)
    expect(text).toContain('price 42')
    expect(text).not.toContain('loading</p>')
    // Never conditionally, and no pictures.
    expect(asked).toEqual(['/', '/data'])
    expect(answer).toMatchObject({ kind: 'content', status: 200 })
    if (answer.kind === 'content') expect(answer.headers.etag).toBeUndefined()
  })

  it('reaches no private address, opens no window and sends nothing', async () => {
    let reached = 0
    const inside = await localServer((_, response) => {
      reached++
      response.end('secret')
    }, '127.0.0.2')
    const posts: string[] = []
    const url = await localServer((request, response) => {
      if (request.method === 'POST') posts.push(request.url ?? '')
      response.writeHead(200, html)
      response.end(
        `<p id=p>x</p><script>
        alert(1); window.open('${inside}/window')
        fetch('/post', {method:'POST', body:'x'}).catch(()=>{})
        fetch('${inside}/data').then(r=>r.text()).then(t=>{p.textContent=t}).catch(()=>{p.textContent='refused'})
        </script>`,
      )
    })
    expect((await rendered(url)).html).toContain('refused')
    expect(reached).toBe(0)
    expect(posts).toEqual([])
  })

  it('that never ends is given up in time, and others are rendered after it', async () => {
    const url = await localServer((request, response) => {
      response.writeHead(200, html)
      response.end(request.url === '/busy' ? '<script>for(;;);</script>' : '<p>fine</p>')
    })
    const { answer } = await rendered(`${url}/busy`, { renderTime: 1 })
    expect(answer).toMatchObject({ kind: 'failed', fault: 'bad-answer' })
    expect((await rendered(url)).html).toContain('fine')
  })

  it('that grows without end is too large', async () => {
    const url = await localServer((_, response) => {
      response.writeHead(200, html)
      response.end('<p id=p></p><script>p.textContent="x".repeat(300000)</script>')
    })
    const { answer } = await rendered(url, { renderedBytes: 100_000 })
    expect(answer).toMatchObject({ kind: 'failed', fault: 'too-large' })
  })
})

describe('without a browser', () => {
  it('says what to install', async () => {
    const url = await localServer((_, response) => response.writeHead(200, html).end('<p>x</p>'))
    const fetcher = renderingFetcher({
      fetcher: open(),
      launch: async () => playwrightBrowser({ launch: { executablePath: '/nowhere/chrome' } }),
    })
    const answer = await fetcher.fetch({ url, rendered: true })
    expect(answer).toMatchObject({ kind: 'failed', fault: 'no-browser' })
    if (answer.kind === 'failed')
      expect(answer.message).toMatch(/apt install chromium.*browser-path/)
    // Other pages need none.
    expect((await fetcher.fetch({ url })).kind).toBe('content')
    await fetcher.close()
  })
})
