import { type AddressInfo, createServer } from 'node:net'
import type { Browser, BrowserContext, LaunchOptions, Locator, Page, Route } from 'playwright-core'
import { type BrowserStep, browserSteps } from '../model/browser-steps.js'
import { EnvironmentError } from '../model/errors.js'
import { browserAdvice, findChromium } from './find-chromium.js'
import type { BrowserKit, RenderedTexts } from './page-renderer.js'

/** No script of a page is given longer than this after its last request. */
const rest = 500

export interface PlaywrightOptions {
  /** As playwright takes them. */
  readonly launch?: LaunchOptions
  /** Whether Chromium confines its pages to a sandbox; yes by default. */
  readonly sandbox?: boolean
  /** The Chromium or Chrome to start; one that is found by default, see `findChromium`. */
  readonly path?: string | null
}

/**
 * A Chromium that is there, driven by playwright. It has no network of its
 * own: what playwright does not hand to us (sockets of workers, speculation
 * rules, WebRTC) goes to a proxy that answers nobody, loopback included.
 */
export async function playwrightBrowser({
  launch = {},
  sandbox = true,
  path = null,
}: PlaywrightOptions = {}): Promise<BrowserKit> {
  const { chromium } = await loadPlaywright()
  const executablePath =
    launch.executablePath ?? findChromium({ path, own: () => chromium.executablePath() })
  const proxy = await deadProxy()
  const started = chromium.launch({
    headless: true,
    ...launch,
    executablePath,
    chromiumSandbox: sandbox,
    proxy: { server: proxy.address, bypass: '<-loopback>' },
    args: [...(launch.args ?? []), ...noOwnNetwork],
  })
  const browser = await started.catch((error: unknown) => {
    proxy.close()
    throw sandbox ? sandboxFault(error) : error
  })
  browser.on('disconnected', () => proxy.close())
  return {
    render: (request) => rendered(browser, request),
    onClosed: (listener) => void browser.on('disconnected', listener),
    close: () => browser.close(),
  }
}

/** It is among the optional dependencies, which a person may leave out. */
async function loadPlaywright() {
  try {
    return await import('playwright-core')
  } catch (cause) {
    throw new EnvironmentError(
      'no-browser',
      `the package that drives browsers is not installed: npm install playwright-core; and ${browserAdvice}`,
      { cause },
    )
  }
}

/** WebRTC would go around the proxy. */
const noOwnNetwork = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** Takes connections and ends them: a port that nobody listens on might be somebody's later. */
async function deadProxy(): Promise<{ address: string; close(): void }> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

/** Chromium refuses to start where it may not confine its pages, as for root. */
function sandboxFault(error: unknown): unknown {
  if (!/sandbox/i.test(String(error))) return error
  return new EnvironmentError(
    'no-sandbox',
    'the browser cannot confine pages to its sandbox here; run Revisit as another user than root and allow user namespaces, or, where every page to be rendered is trusted, set browser-sandbox to off',
    { cause: error },
  )
}

type RenderRequest = Parameters<BrowserKit['render']>[0]

async function rendered(browser: Browser, request: RenderRequest): Promise<RenderedTexts> {
  const context = await browser.newContext({
    acceptDownloads: false,
    serviceWorkers: 'block',
    locale: 'en-US',
    viewport,
    deviceScaleFactor: 1,
  })
  const stop = () => void context.close().catch(() => undefined)
  request.signal?.addEventListener('abort', stop, { once: true })
  try {
    return await renderedIn(context, request)
  } finally {
    request.signal?.removeEventListener('abort', stop)
    await context.close().catch(() => undefined)
  }
}

/** The page counts as rendered once nothing was asked for half a second; or as it stands when its time is up. */
async function renderedIn(context: BrowserContext, request: RenderRequest): Promise<RenderedTexts> {
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  context.on('page', (other) => {
    if (other !== page) void other.close().catch(() => undefined)
  })
  await context.route('**/*', (route) => answered(route, request))
  await context.routeWebSocket(/.*/, (socket) => socket.close())
  const timeout = request.time * 1000
  const until = Date.now() + timeout
  const left = () => Math.max(1, until - Date.now())
  await page.goto(request.url, { waitUntil: 'domcontentloaded', timeout })
  await page.waitForLoadState('networkidle', { timeout: left() }).catch(() => undefined)
  const steps = browserSteps(request.steps ?? [])
  for (const [i, step] of steps.entries())
    await taken(page, step, left()).catch((error: unknown) => {
      throw new StepFailed(i + 1, request.steps![i]!, error)
    })
  if (steps.length > 0)
    await page.waitForLoadState('networkidle', { timeout: left() }).catch(() => undefined)
  // A page busy with a script without end does not answer: it is given up.
  const html = await withinTime(page.content(), Math.max(rest, until - Date.now()) + rest)
  if (request.screenshot !== true) return { html }
  return { html, screenshot: await withinTime(pictureOf(page), pictureTime) }
}

/** A picture is taken within this, after all else. */
const pictureTime = 10_000
/** Beyond it nothing is taken: the picture of a page without end has one. */
const tallest = 2000

/** The page from its top, as wide as the window. */
async function pictureOf(page: Page): Promise<Uint8Array> {
  const height = await page.evaluate('document.documentElement.scrollHeight')
  const clip = { x: 0, y: 0, width: viewport.width, height: tall(Number(height)) }
  const options = { type: 'png', fullPage: true, animations: 'disabled', caret: 'hide' } as const
  return page.screenshot({ ...options, clip, scale: 'css', timeout: pictureTime })
}

/** The page says how tall it is: it may say anything. */
function tall(height: number): number {
  return Math.min(tallest, Math.max(viewport.height, Number.isFinite(height) ? height : 0))
}

const viewport = { width: 1280, height: 900 }

/** A step that could not be taken: what stands in the page is not what a person wants compared. */
class StepFailed extends Error {
  constructor(number: number, step: string, cause: unknown) {
    const [why = ''] = String(cause instanceof Error ? cause.message : cause).split('\n')
    const short = /Timeout/i.test(why) ? 'nothing on the page matches in time' : why.slice(0, 200)
    super(`step ${number} (${step.slice(0, 100)}) could not be taken: ${short}`, { cause })
    this.name = 'StepFailed'
  }
}

async function taken(page: Page, step: BrowserStep, timeout: number): Promise<void> {
  switch (step.kind) {
    case 'wait':
      return page.waitForTimeout(Math.min(step.time * 1000, timeout))
    case 'wait-for':
      return page.locator(`css=${step.selector}`).first().waitFor({ timeout })
    case 'click':
      return page.locator(`css=${step.selector}`).first().click({ timeout })
    case 'fill':
      return page.locator(`css=${step.selector}`).first().fill(step.text, { timeout })
    case 'accept-cookies':
      return acceptCookies(page)
  }
}

/** What the buttons say by which people let a site set its cookies. */
const yes =
  /^\s*(accept( all)?( cookies)?|allow all( cookies)?|agree|i agree|got it|ok(ay)?|alle (cookies )?(akzeptieren|annehmen)|akzeptieren|zustimmen|einverstanden|tout accepter|accepter( tout)?|j'accepte|aceptar( todo| todas)?|accetta( tutto| tutti)?|aceitar( tudo| todos)?|accepteren|alles accepteren)\s*$/i

/** Clicks it away where it is asked for; a page that does not ask is as good. */
async function acceptCookies(page: Page): Promise<void> {
  const asked: Locator = page
    .getByRole('button', { name: yes })
    .or(page.getByRole('link', { name: yes }))
    .filter({ visible: true })
    .first()
  if ((await asked.count()) > 0) await asked.click({ timeout: 2000 }).catch(() => undefined)
}

async function answered(route: Route, { serve }: RenderRequest): Promise<void> {
  const asked = route.request()
  const kind = asked.resourceType()
  const isPage = asked.isNavigationRequest()
  try {
    const found = await serve({ url: asked.url(), method: asked.method(), kind, isPage })
    if (found === null) await route.abort('blockedbyclient')
    else
      await route.fulfill({
        ...found,
        headers: { ...found.headers },
        body: Buffer.from(found.body),
      })
  } catch {
    // The page is gone, or the fetcher refused the address.
    await route.abort('failed').catch(() => undefined)
  }
}

async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the page did not come to rest')), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
