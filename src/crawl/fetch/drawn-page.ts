import {
  type FetchAnswer,
  type Fetcher,
  type FetchFault,
  type FetchOptions,
  type FetchRequest,
  isOwnSite,
  type Seconds,
} from '../../model/index.js'

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

/** The little of a browser that drawing a page needs. */
export interface BrowserKit {
  /** Opens an address, answers each request by `serve` (null refuses it), and gives the page's HTML once it rests, or the time is up. */
  draw(request: {
    readonly url: string
    readonly time: Seconds
    readonly signal?: AbortSignal
    readonly serve: (asked: BrowserRequest) => Promise<BrowserResponse | null>
  }): Promise<string>
  onClosed(listener: () => void): void
  close(): Promise<void>
}

export interface DrawnPage {
  readonly html: string
  readonly bytesReceived: number
  readonly problem: { readonly fault: FetchFault; readonly message: string } | null
}

/** What does not change the text of a page, but costs its host requests. */
const unneeded = new Set(['image', 'media', 'font', 'websocket', 'eventsource', 'ping', 'manifest'])
/** Requests of one page, its own not counted. */
const mostRequests = 100

/** Draws one page that was fetched; what its scripts ask for comes from the fetcher. */
export async function drawPage(task: {
  readonly answer: FetchAnswer & { readonly kind: 'content' }
  readonly request: FetchRequest
  readonly options: FetchOptions
  readonly browser: BrowserKit
  readonly fetcher: Fetcher
  readonly drawTime: Seconds
}): Promise<DrawnPage> {
  const { answer, browser, fetcher, drawTime } = task
  const { signal, maxBytes } = task.options
  const limits = {
    ...(signal === undefined ? {} : { signal }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  }
  const { home = task.request.url, headers } = task.request
  let asked = 0
  let bytesReceived = 0
  const serve = async (wanted: BrowserRequest): Promise<BrowserResponse | null> => {
    if (wanted.isPage && sameAddress(wanted.url, answer.url)) return contentOf(answer)
    if (wanted.method !== 'GET' || wanted.kind === 'document' || unneeded.has(wanted.kind))
      return null
    if (!/^https?:/.test(wanted.url) || ++asked > mostRequests) return null
    // The page's own headers, cookies and passwords among them, are for its own site alone.
    const own = isOwnSite({ url: wanted.url, home }) ? headers : undefined
    const part = await fetcher.fetch(
      { url: wanted.url, unconditional: true, ...(own === undefined ? {} : { headers: own }) },
      limits,
    )
    bytesReceived += part.bytesReceived
    return part.kind === 'content' ? contentOf(part) : null
  }
  try {
    const html = await browser.draw({
      url: answer.url,
      time: drawTime,
      serve,
      ...(signal === undefined ? {} : { signal }),
    })
    return { html, bytesReceived, problem: null }
  } catch (error) {
    const fault = signal?.aborted === true ? 'aborted' : 'bad-answer'
    const message = `the page could not be drawn: ${String(error).slice(0, 300)}`
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
