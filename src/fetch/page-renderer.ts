import { EnvironmentError } from '../model/errors.js'
import type {
  FetchAnswer,
  Fetcher,
  FetchFault,
  FetchOptions,
  FetchRequest,
} from '../model/fetcher.js'
import type { Clock, Seconds } from '../model/units.js'
import { browserAdvice } from './find-chromium.js'
import { isOwnSite } from './page-headers.js'

/** What a page asks its browser for. */
export interface BrowserRequest {
  readonly url: string
  readonly method: string
  /** As browsers call it: document, script, xhr, image ... */
  readonly kind: string
  /** Whether it would become the page, or a frame of it. */
  readonly isPage: boolean
}

export interface BrowserResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** The little of a browser that rendering a page needs. */
export interface BrowserKit {
  /** Opens an address, answers each request by `serve` (null refuses it), and gives the page's HTML once it rests, or the time is up. */
  render(request: {
    readonly url: string
    readonly time: Seconds
    /** What to do on the page before it counts, see `browserSteps`. */
    readonly steps?: readonly string[]
    /** Whether a picture is taken, too. */
    readonly screenshot?: boolean
    readonly signal?: AbortSignal
    readonly serve: (asked: BrowserRequest) => Promise<BrowserResponse | null>
  }): Promise<RenderedTexts>
  onClosed(listener: () => void): void
  close(): Promise<void>
}

/** What a page holds once it is rendered. */
export interface RenderedTexts {
  readonly html: string
  /** As PNG, where one was asked for. */
  readonly screenshot?: Uint8Array
}

interface RenderedPage extends RenderedTexts {
  readonly bytesReceived: number
  readonly problem: { readonly fault: FetchFault; readonly message: string } | null
}

/** What does not change the text of a page, but costs its host requests. */
const unneeded = new Set(['image', 'media', 'font', 'websocket', 'eventsource', 'ping', 'manifest'])
/** What a picture of it shows. */
const seen = new Set(['image', 'font'])
/** Requests of one page, its own not counted. */
const mostRequests = 100

/** Renders one page that was fetched; what its scripts ask for comes from the fetcher. */
export async function renderPage(task: {
  readonly answer: FetchAnswer & { readonly kind: 'content' }
  readonly request: FetchRequest
  readonly options: FetchOptions
  readonly browser: BrowserKit
  readonly fetcher: Fetcher
  readonly renderTime: Seconds
}): Promise<RenderedPage> {
  const { answer, browser, fetcher, renderTime } = task
  const { signal, maxBytes, maySend } = task.options
  const limits = {
    ...(signal === undefined ? {} : { signal }),
    ...(maySend === undefined ? {} : { maySend }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  }
  const { home = task.request.url, headers, proxy } = task.request
  const isPictured = task.request.screenshot === true
  let asked = 0
  let bytesReceived = 0
  const serve = async (wanted: BrowserRequest): Promise<BrowserResponse | null> => {
    if (wanted.isPage && sameAddress(wanted.url, answer.url)) return contentOf(answer)
    if (wanted.method !== 'GET' || wanted.kind === 'document') return null
    if (unneeded.has(wanted.kind) && !(seen.has(wanted.kind) && isPictured)) return null
    if (!/^https?:/.test(wanted.url) || ++asked > mostRequests) return null
    // The page's own headers, cookies and passwords among them, are for its own site alone.
    const own = isOwnSite({ url: wanted.url, home }) ? headers : undefined
    const part = await fetcher.fetch(
      {
        url: wanted.url,
        unconditional: true,
        ...(own === undefined ? {} : { headers: own }),
        ...(proxy === undefined ? {} : { proxy }),
      },
      limits,
    )
    bytesReceived += part.bytesReceived
    return part.kind === 'content' ? contentOf(part) : null
  }
  try {
    const { steps } = task.request
    const rendered = await browser.render({
      url: answer.url,
      time: renderTime,
      serve,
      ...(steps === undefined ? {} : { steps }),
      ...(isPictured ? { screenshot: true } : {}),
      ...(signal === undefined ? {} : { signal }),
    })
    return { ...rendered, bytesReceived, problem: null }
  } catch (error) {
    const isStep = (error as Error).name === 'StepFailed'
    const fault = signal?.aborted === true ? 'aborted' : isStep ? 'step-failed' : 'bad-answer'
    const message = isStep
      ? (error as Error).message
      : `the page could not be rendered: ${String(error).slice(0, 300)}`
    return { html: '', bytesReceived, problem: { fault, message } }
  }
}

function sameAddress(one: string, other: string): boolean {
  return one.replace(/#.*/, '') === other.replace(/#.*/, '')
}

/** What came is unpacked, so the headers of its packing no longer hold. */
function contentOf({ status, headers, body }: FetchAnswer & { kind: 'content' }): BrowserResponse {
  const { 'content-encoding': _, 'content-length': __, 'transfer-encoding': ___, ...kept } = headers
  return { status, headers: kept, body }
}

export interface PageRendererOptions {
  /** Makes every request of the browser: its limits and address rules hold for those too. */
  readonly fetcher: Fetcher
  readonly clock: Clock
  /** Starts a browser at the first page that needs one; a Chromium that is there by default. */
  readonly launch?: () => Promise<BrowserKit>
  /** Whether that one confines pages to its sandbox; yes by default. */
  readonly sandbox?: boolean
  /** Where it is; one that is found by default. */
  readonly path?: string | null
  /** How long a page may take to render, after its own answer. */
  readonly renderTime?: Seconds
  /** Of what the page holds once it is rendered. */
  readonly renderedBytes?: number
}

/**
 * Lets a browser render the pages that ask for it (`rendered`). The page itself
 * is fetched as ever, with redirects and refusals understood; only an HTML
 * content is then rendered, and what stands in the page in the end takes its
 * place.
 *
 * The browser has no network of its own: whatever it asks for comes from the
 * fetcher, so private addresses stay refused and sizes bounded.
 */
export class PageRenderer {
  readonly #with: Required<PageRendererOptions>
  #browser: Promise<BrowserKit> | undefined

  constructor(options: PageRendererOptions) {
    this.#with = {
      sandbox: true,
      path: null,
      launch: () => launchPlaywright(options),
      renderTime: 15,
      renderedBytes: 10 * 1024 * 1024,
      ...options,
    }
  }

  /**
   * The answer to a request for a page with the page as it was rendered; without
   * a content that can be, as it came. A page that is made by script may change
   * while its own HTML stands still: it is to be asked for unconditionally.
   */
  async rendered(
    answer: FetchAnswer,
    request: FetchRequest,
    options: FetchOptions,
  ): Promise<FetchAnswer> {
    const { fetcher, renderTime, renderedBytes } = this.#with
    if (answer.kind !== 'content' || !isHtml(answer.headers['content-type'])) return answer
    const browser = await this.#started().catch((error: unknown) => noBrowser(error))
    if ('problem' in browser) return this.#answered(answer, browser)
    const rendered = await renderPage({ answer, request, options, browser, fetcher, renderTime })
    return this.#answered(
      answer,
      rendered.html.length > renderedBytes ? tooLarge(rendered) : rendered,
    )
  }

  /** Ends the browser, not the fetcher. */
  async close(): Promise<void> {
    const browser = await this.#browser?.catch(() => undefined)
    await browser?.close()
  }

  /** One browser for all pages; a start that failed is tried again at the next page. */
  #started(): Promise<BrowserKit> {
    this.#browser ??= this.#with.launch().then(
      (browser) => {
        browser.onClosed(() => {
          this.#browser = undefined
        })
        return browser
      },
      (error: unknown) => {
        this.#browser = undefined
        throw error
      },
    )
    return this.#browser
  }

  #answered(answer: FetchAnswer & { kind: 'content' }, rendered: RenderedPage): FetchAnswer {
    const at = this.#with.clock.now()
    const bytesReceived = answer.bytesReceived + rendered.bytesReceived
    if (rendered.problem !== null) {
      const { fault, message } = rendered.problem
      return { kind: 'failed', fault, message, at, bytesReceived }
    }
    // The marks of the HTML alone say nothing of what scripts render.
    const { etag: _, 'last-modified': __, ...headers } = answer.headers
    return {
      ...answer,
      at,
      bytesReceived,
      body: new TextEncoder().encode(rendered.html),
      ...(rendered.screenshot === undefined ? {} : { screenshot: rendered.screenshot }),
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    }
  }
}

function tooLarge(rendered: RenderedPage): RenderedPage {
  const message = 'the page grew larger than allowed while it was rendered'
  return { ...rendered, problem: { fault: 'too-large', message } }
}

function isHtml(contentType = ''): boolean {
  return /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(contentType)
}

/** Loaded where it is needed: most people need no browser. */
async function launchPlaywright({
  sandbox = true,
  path = null,
}: PageRendererOptions): Promise<BrowserKit> {
  const { playwrightBrowser } = await import('./playwright-browser.js')
  return playwrightBrowser({ sandbox, path })
}

/** Pages that need no browser go on being visited. */
function noBrowser(error: unknown): RenderedPage {
  if (error instanceof EnvironmentError) {
    const problem = { fault: 'no-browser', message: error.message } as const
    return { html: '', bytesReceived: 0, problem }
  }
  const [why = ''] = String(error).split('\n')
  const message = `this page is to be rendered by a browser, and none could be started (${why.slice(0, 200)}); ${browserAdvice}`
  return { html: '', bytesReceived: 0, problem: { fault: 'no-browser', message } }
}
