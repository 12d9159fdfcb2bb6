import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { chromium } from '../../scripts/chromium.mjs'
import { systemClock } from '../../src/crawler/system-clock.js'
import { HttpFetcher } from '../../src/fetch/http-fetcher.js'
import type { BrowserKit } from '../../src/fetch/page-renderer.js'
import { playwrightBrowser } from '../../src/fetch/playwright-browser.js'
import { localServer } from '../fixtures/local-server.js'
import { renderingFetcher } from './rendering-fetcher.js'

let browser: BrowserKit
beforeAll(async () => {
  const { executablePath, args, env } = await chromium()
  // Its own switches say --no-sandbox: tests run as root too.
  browser = await playwrightBrowser({
    launch: { executablePath, args, env: env as Record<string, string> },
    sandbox: false,
  })
}, 60_000)
afterAll(() => browser.close())

/** A service on this machine that no page is to reach, by TCP and by UDP. */
async function inside() {
  const reached: string[] = []
  const tcp = createServer((socket) => {
    reached.push('tcp')
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  const { port } = tcp.address() as { port: number }
  const udp = createSocket('udp4')
  udp.on('message', () => reached.push('udp'))
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    tcp.close()
    udp.close()
  })
  return { port, reached }
}

/** Renders a page with this script in it; gives its text once it rests. */
async function renderedWith(script: string): Promise<string> {
  const page = `<!doctype html><p id=p>none</p><script type=module>${script}</script>`
  const url = await localServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(page)
  })
  const fetcher = new HttpFetcher({
    clock: systemClock,
    contact: 'test@localhost',
    version: '0',
    allowedNetworks: ['127.0.0.1/32'],
  })
  const kit = { ...browser, close: async () => {} }
  const rendering = renderingFetcher({ fetcher, launch: async () => kit })
  const answer = await rendering.fetch({ url, rendered: true })
  // What a script began last has its time, too.
  await new Promise((resolve) => setTimeout(resolve, 500))
  await rendering.close()
  expect(answer.kind).toBe('content')
  return answer.kind === 'content' ? new TextDecoder().decode(answer.body) : ''
}

const wait = 'await new Promise((r) => setTimeout(r, 2500)); await fetch("/rest").catch(() => {})'

describe('a page in the browser', { timeout: 60_000 }, () => {
  it('reaches nothing by a WebSocket of a worker', async () => {
    const { port, reached } = await inside()
    const work = `const s = new WebSocket('ws://127.0.0.1:${port}/'); s.onerror = () => postMessage('closed'); s.onopen = () => postMessage('open')`
    const html = await renderedWith(
      `const w = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(work)}])));
       w.onmessage = ({ data }) => { p.textContent = data }; ${wait}`,
    )
    expect(html).toContain('closed')
    expect(reached).toEqual([])
  })

  it('reaches nothing by speculation rules', async () => {
    const { port, reached } = await inside()
    await renderedWith(
      `const s = document.createElement('script'); s.type = 'speculationrules';
       s.textContent = JSON.stringify({
         prefetch: [{ source: 'list', urls: ['http://127.0.0.1:${port}/a'], requires: ['anonymous-client-ip-when-cross-origin'] }, { source: 'list', urls: ['http://127.0.0.1:${port}/b'] }],
         prerender: [{ source: 'list', urls: ['http://127.0.0.1:${port}/c'] }] });
       document.head.append(s); ${wait}`,
    )
    expect(reached).toEqual([])
  })

  it('reaches nothing by WebRTC', async () => {
    const { port, reached } = await inside()
    const servers = ['stun:127.0.0.1', 'turn:127.0.0.1', 'turn:127.0.0.1'].map((each, i) => ({
      urls: `${each}:${port}${i === 2 ? '?transport=tcp' : ''}`,
      username: 'u',
      credential: 'c',
    }))
    const html = await renderedWith(
      `const c = new RTCPeerConnection({ iceServers: ${JSON.stringify(servers)} });
       c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer());
       p.textContent = 'begun'; ${wait}`,
    )
    expect(html).toContain('begun')
    expect(reached).toEqual([])
  })

  it('still has what it asks for by way of the fetcher', async () => {
    const html = await renderedWith(
      `p.textContent = 'status ' + (await fetch('/data')).status; ${wait}`,
    )
    expect(html).toContain('status 200')
  })
})

describe('its sandbox', () => {
  it('is on, and where it cannot be, that is said', async () => {
    const { executablePath, args, env } = await chromium()
    const own = args.filter((flag: string) => flag !== '--no-sandbox')
    const launch = { executablePath, args: own, env: env as Record<string, string> }
    const opened = await playwrightBrowser({ launch }).catch((error: Error) => error)
    if (!(opened instanceof Error)) return opened.close()
    expect(opened).toMatchObject({ code: 'no-sandbox' })
    expect(opened.message).toContain('browser-sandbox')
  })
})
