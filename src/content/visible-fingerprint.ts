import { isUtf8 } from 'node:buffer'
import { decodedEntities } from '../formats/markup/html-tag.js'
import { type HtmlPlaces, scanHtmlPlaces } from '../formats/markup/scan-html.js'
import { bytesFingerprint, textFingerprint } from './fingerprint.js'
import { type Part, partOf } from './html-reading.js'
import { entityBytes, entityEnd, utf8View, VisibleBytes } from './visible-bytes.js'

/**
 * The fingerprint of a page in UTF-8, as `readContent` gives it: by its visible
 * text, or by its bytes where it shows none. Undefined where it cannot be had
 * from the bytes alone. In half the time, as no text is made: markup is
 * ASCII, so that bytes can be scanned as if each were a character. O(n).
 */
export function visibleFingerprint(body: Uint8Array): string | undefined {
  if (!isUtf8(body)) return undefined
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  const start = body.byteOffset + (marked ? 3 : 0)
  const bytes = Buffer.from(body.buffer, start, body.byteOffset + body.byteLength - start)
  const text = bytes.toString('latin1')
  const scan = new BytesScan(bytes, text)
  scanHtmlPlaces(text, scan)
  return scan.fingerprint(body)
}

class BytesScan implements HtmlPlaces {
  readonly #bytes: Buffer
  readonly #view: DataView
  /** A character for each byte. */
  readonly #each: string
  readonly #text = new VisibleBytes()
  #hiddenBy = ''
  #depth = 0
  #inTitle = false
  #titled = false
  #oddName = false

  constructor(bytes: Buffer, each: string) {
    this.#bytes = bytes
    this.#each = each
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  wants(): boolean {
    return false
  }

  open(name: string): void {
    if (this.#depth > 0) {
      if (name === this.#hiddenBy) this.#depth++
      return
    }
    const part = this.#part(name)
    if (part === 'inline') return
    if (part === 'unseen') {
      this.#hiddenBy = name
      this.#depth = 1
    } else if (part === 'title') this.#inTitle = !this.#titled
    this.#text.break()
  }

  close(name: string): void {
    if (this.#depth > 0) {
      if (name === this.#hiddenBy) this.#depth--
      return
    }
    const part = this.#part(name)
    if (part === 'inline') return
    if (part === 'title') this.#inTitle = false
    this.#text.break()
  }

  span(from: number, to: number, coded: boolean): void {
    if (this.#depth > 0) return
    if (this.#inTitle) this.#titled = true
    else if (!coded) this.#text.add(this.#view, from, to)
    else this.#decode(from, to)
  }

  fingerprint(body: Uint8Array): string | undefined {
    if (this.#oddName) return undefined
    const seen = this.#text.bytes()
    if (seen.length === 0) return bytesFingerprint(body)
    return this.#text.isComposing ? textFingerprint(seen.toString('utf8')) : bytesFingerprint(seen)
  }

  /** Adds a part with entities: those written in full one by one, the others with all that follows. */
  #decode(from: number, to: number): void {
    const each = this.#each
    let done = from
    let at = each.indexOf('&', from)
    while (at !== -1 && at < to) {
      this.#text.add(this.#view, done, at)
      done = entityEnd(each, at)
      const bytes = done === -1 ? this.#decoded(at, to) : entityBytes(each.slice(at, done))
      this.#text.add(bytes, 0, bytes.byteLength)
      if (done === -1) return
      at = each.indexOf('&', done)
    }
    this.#text.add(this.#view, done, to)
  }

  #decoded(from: number, to: number): DataView {
    return utf8View(decodedEntities(this.#bytes.toString('utf8', from, to)))
  }

  #part(name: string): Part {
    const part = partOf(name)
    if (part !== undefined) return part
    // Not known by its bytes: U+212A in a name is a `k` in lower case.
    if (/[^a-z\d:-]/.test(name)) this.#oddName = true
    return 'block'
  }
}
