import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { annotateHtml, pageText } from './annotate-html.js'
import { scanHead } from './head-scan.js'

/** Called when what was given has gone out. */
type Ending = () => void
/** What `write` and `end` may be given first. */
type Given = string | Uint8Array | Ending | null | undefined

/** The arguments of `write` and `end`, of which each but the last may be left out. */
function bodyPart(
  chunk: Given,
  encoding: unknown,
  done: unknown,
): { readonly bytes: Uint8Array | null; readonly ending: Ending | undefined } {
  const ending = [chunk, encoding, done].find((each) => typeof each === 'function')
  return { bytes: bytesOf(chunk, encoding), ending: ending as Ending | undefined }
}

function bytesOf(chunk: Given, encoding: unknown): Uint8Array | null {
  if (chunk instanceof Uint8Array) return chunk
  if (typeof chunk !== 'string') return null
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
}

const pageType = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i

/** Whether an answer with this status and these headers would carry a page that can be tagged. */
function canBeTagged(response: ServerResponse): boolean {
  const header = (name: string) => String(response.getHeader(name) ?? '')
  if (!pageType.test(header('content-type'))) return false
  if (!/^(?:identity)?$/i.test(header('content-encoding').trim())) return false
  if (response.hasHeader('content-range')) return false
  return !/(?:^|,)\s*no-transform\s*(?:,|$)/i.test(header('cache-control'))
}

/** Headers in any of the forms that `writeHead` takes: by name, or one after the other in a list. */
function setHeaders(
  response: ServerResponse,
  headers: OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined,
): void {
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers ?? {}))
      if (value !== undefined) response.setHeader(name, value)
    return
  }
  const pairs = Array.isArray(headers[0])
    ? (headers as unknown as [string, string][])
    : headers.flatMap((name, i) => (i % 2 === 0 ? [[String(name), headers[i + 1] as string]] : []))
  const seen = new Set<string>()
  for (const [name, value] of pairs as [string, string][]) {
    if (seen.has(name.toLowerCase())) response.appendHeader(name, value)
    else response.setHeader(name, value)
    seen.add(name.toLowerCase())
  }
}

/**
 * A tagged page is other bytes than the page that the application knows, so it
 * needs another ETag: the tag is written behind the application's own, within
 * its quotes. What a client sends back is undone before the application sees
 * it, if the tag is still the same; otherwise it does not match, and the page
 * is sent again with its new tag.
 */
const mark = '+cf-'

/** The ETag of the tagged page. */
function taggedValidator(etag: string, content: string): string {
  return etag.endsWith('"') ? `${etag.slice(0, -1)}${suffix(content)}"` : etag
}

/** The validators of a request (If-None-Match, If-Range) as the application wrote them. */
export function untaggedValidators(header: string, content: string): string {
  return header.replaceAll(`${suffix(content)}"`, '"')
}

/** An ETag holds no spaces. RFC 9110, 8.8.3. */
function suffix(content: string): string {
  return `${mark}${content.replaceAll(' ', '_')}`
}

/** A head that has not ended by here is left as it is. */
const longestHead = 256 * 1024
/** Digests of a body that will no longer be this one. */
const digests = ['content-md5', 'digest', 'content-digest', 'repr-digest']

/** What `writeHead` may be given after the status. */
type HeadArguments = [
  reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
  headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
]

/**
 * Adds the tag to the page that an answer carries. Takes the place of the
 * answer's own methods, holds back headers and the first bytes until the head
 * of the page is whole, and lets all the rest pass as it comes.
 */
export class ResponseTagger {
  readonly #response: ServerResponse
  readonly #content: string
  readonly #method: string | undefined
  /** Whether the client has the page with this tag. */
  readonly #known: boolean
  readonly #own: Pick<ServerResponse, 'writeHead' | 'write' | 'end' | 'flushHeaders'>
  #state: 'new' | 'holding' | 'passing' = 'new'
  #held: Buffer[] = []
  #heldBytes = 0
  /** How much is held before the head is looked for again; doubled, to look O(log n) times. */
  #lookAt = 2048

  constructor(
    response: ServerResponse,
    {
      content,
      method,
      known,
    }: { readonly content: string; readonly method: string | undefined; readonly known: boolean },
  ) {
    this.#response = response
    this.#content = content
    this.#method = method
    this.#known = known
    const { writeHead, write, end, flushHeaders } = response
    this.#own = {
      writeHead: writeHead.bind(response),
      write: write.bind(response),
      end: end.bind(response),
      flushHeaders: flushHeaders.bind(response),
    } as ServerResponse
  }

  /** Takes the place of the answer's methods. */
  attach(): void {
    const { write, end } = this.#bodyMethods()
    Object.assign(this.#response, {
      writeHead: (status: number, ...rest: HeadArguments) => this.#writeHead(status, rest),
      flushHeaders: () => this.#flushHeaders(),
      write,
      end,
    })
  }

  #bodyMethods() {
    return {
      write: (chunk: Given, encoding?: unknown, done?: unknown) => {
        if (this.#decided() === 'passing')
          return this.#own.write(chunk as string, encoding as BufferEncoding, done as Ending)
        const { bytes, ending } = bodyPart(chunk, encoding, done)
        if (ending !== undefined) process.nextTick(ending)
        return bytes === null || this.#hold(bytes)
      },
      end: (chunk?: Given, encoding?: unknown, done?: unknown) => {
        if (this.#decided() === 'passing')
          return this.#own.end(chunk as string, encoding as BufferEncoding, done as Ending)
        const { bytes, ending } = bodyPart(chunk, encoding, done)
        if (bytes !== null) this.#held.push(Buffer.from(bytes))
        return this.#finish(ending)
      },
    }
  }

  #writeHead(status: number, given: HeadArguments): ServerResponse {
    const response = this.#response
    if (this.#state === 'passing') return this.#own.writeHead(status, ...(given as [never, never]))
    response.statusCode = status
    const [reason, headers] =
      typeof given[0] === 'string' ? given : [undefined, given[0] ?? given[1]]
    if (reason !== undefined) response.statusMessage = reason as string
    setHeaders(response, headers as OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)
    if (this.#decide() === 'passing') this.#own.writeHead(status)
    return response
  }

  /** Asked for at once, with a length that a tag would make untrue: then there will be none. */
  #flushHeaders(): void {
    const held = this.#decided() === 'holding' ? this.#joined() : null
    const fixed = held !== null && this.#response.hasHeader('content-length')
    if (fixed) this.#pass()
    else if (held !== null) this.#adjustHeaders()
    this.#own.flushHeaders()
    if (fixed && held.length > 0) this.#own.write(held)
  }

  #decided(): 'holding' | 'passing' {
    return this.#state === 'new' ? this.#decide() : this.#state
  }

  /** Once the headers are known: whether this is a page to be tagged. */
  #decide(): 'holding' | 'passing' {
    const { statusCode } = this.#response
    const page = statusCode === 200 && canBeTagged(this.#response)
    this.#state = page && this.#method === 'GET' ? 'holding' : 'passing'
    if (page && this.#method === 'HEAD') {
      this.#tagValidator()
      // The length of a page that was not made is not known.
      this.#response.removeHeader('content-length')
    }
    if (statusCode === 304 && this.#known) this.#tagValidator()
    return this.#state
  }

  #hold(bytes: Uint8Array): boolean {
    this.#held.push(Buffer.from(bytes))
    this.#heldBytes += bytes.byteLength
    if (this.#heldBytes < this.#lookAt) return true
    this.#lookAt = Math.min(2 * this.#heldBytes, longestHead)
    const held = this.#joined()
    const text = pageText(held, this.#contentType())
    const ended = text === null ? 0 : scanHead(text).endedAt
    // What touches the end of what is held may go on in what comes.
    if (ended !== null && ended < held.length) return this.#send(this.#annotated(held))
    return held.length < longestHead || this.#send(held)
  }

  #finish(ending: Ending | undefined): ServerResponse {
    const response = this.#response
    const held = this.#joined()
    const made = this.#annotated(held)
    this.#pass()
    const measured = !['transfer-encoding', 'trailer'].some((each) => response.hasHeader(each))
    if (!response.headersSent && measured) response.setHeader('content-length', made.byteLength)
    return this.#own.end(made, ending)
  }

  /** The page with its tag, and headers that fit it; as it is where it cannot have one. */
  #annotated(held: Buffer): Uint8Array {
    const made = annotateHtml(held, this.#content, { contentType: this.#contentType() })
    if (made.outcome === 'refused') return held
    if (!this.#response.headersSent) this.#adjustHeaders(made.bytes.byteLength - held.byteLength)
    return made.bytes
  }

  #adjustHeaders(grown = 0): void {
    const response = this.#response
    const length = Number(response.getHeader('content-length'))
    if (response.hasHeader('content-length')) response.setHeader('content-length', length + grown)
    for (const name of [...digests, 'accept-ranges']) response.removeHeader(name)
    this.#tagValidator()
  }

  #tagValidator(): void {
    const etag = this.#response.getHeader('etag')
    if (typeof etag === 'string')
      this.#response.setHeader('etag', taggedValidator(etag, this.#content))
  }

  #send(bytes: Uint8Array): boolean {
    this.#pass()
    return this.#own.write(bytes)
  }

  #pass(): void {
    this.#state = 'passing'
    this.#held = []
  }

  #joined(): Buffer {
    const held = Buffer.concat(this.#held)
    this.#held = [held]
    return held
  }

  #contentType(): string {
    return String(this.#response.getHeader('content-type') ?? '')
  }
}
