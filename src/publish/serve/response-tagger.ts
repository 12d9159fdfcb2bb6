import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { annotateHtml } from '../html/annotate-html.js'
import { scanHead } from '../html/head-scan.js'
import { pageText } from '../html/page-text.js'
import { bodyPart, type Ending, type Given } from './body-part.js'
import { canBeTagged } from './can-be-tagged.js'
import { setHeaders } from './set-headers.js'
import { taggedValidator } from './tag-validator.js'

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
