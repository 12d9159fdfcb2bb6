import type { Browser, BrowserContext, LaunchOptions, Route } from 'playwright'
import type { BrowserKit } from './drawn-page.js'

/** No script of a page is given longer than this after its last request. */
const rest = 500

/** A Chromium by playwright, which the user installs. */
export async function playwrightBrowser(options: LaunchOptions = {}): Promise<BrowserKit> {
  const { chromium } = await import('playwright')
  const browser = await chromium.launch({ headless: true, ...options })
  return {
    draw: (request) => drawn(browser, request),
    onClosed: (listener) => void browser.on('disconnected', listener),
    close: () => browser.close(),
  }
}

type DrawRequest = Parameters<BrowserKit['draw']>[0]

async function drawn(browser: Browser, request: DrawRequest): Promise<string> {
  const context = await browser.newContext({
    acceptDownloads: false,
    serviceWorkers: 'block',
    locale: 'en-US',
  })
  const stop = () => void context.close().catch(() => undefined)
  request.signal?.addEventListener('abort', stop, { once: true })
  try {
    return await drawnIn(context, request)
  } finally {
    request.signal?.removeEventListener('abort', stop)
    await context.close().catch(() => undefined)
  }
}

/** The page counts as drawn once nothing was asked for half a second; or as it stands when its time is up. */
async function drawnIn(context: BrowserContext, request: DrawRequest): Promise<string> {
  const page = await context.newPage()
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined))
  context.on('page', (other) => {
    if (other !== page) void other.close().catch(() => undefined)
  })
  await context.route('**/*', (route) => answered(route, request))
  await context.routeWebSocket(/.*/, (socket) => socket.close())
  const timeout = request.time * 1000
  const until = Date.now() + timeout
  await page.goto(request.url, { waitUntil: 'domcontentloaded', timeout })
  const left = Math.max(1, until - Date.now())
  await page.waitForLoadState('networkidle', { timeout: left }).catch(() => undefined)
  // A page busy with a script without end does not answer: it is given up.
  return withinTime(page.content(), Math.max(rest, until - Date.now()) + rest)
}

async function answered(route: Route, { serve }: DrawRequest): Promise<void> {
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
