import { copyEven, spaceAt } from './even-bytes.js'

const space = 32
const lineEnd = 10
/** What is kept from page to page; a larger page takes more for itself. */
const kept = 1 << 20

/** Written anew for each page: only one is read at a time. */
let shared = new DataView(new ArrayBuffer(1 << 16))

/**
 * Gathers text as `VisibleText` does, from the bytes of a page in UTF-8 and
 * into bytes in UTF-8, so that no text is made on the way. What it gives is
 * valid until the next begins. Linear, however the text comes in pieces.
 */
export class VisibleBytes {
  #out = shared
  #end = 0
  /** Of the block at hand: whether some of it is written, and whether white space follows. */
  #begun = false
  #gap = false

  /** Adds a part of the bytes. Two numbers, as an object for each part would be garbage. */
  add(bytes: DataView, from: number, to: number): void {
    this.#reserve(to - from + 1)
    let at = from
    while (at < to) {
      const length = spaceAt(bytes, at)
      if (length > 0) {
        this.#gap = true
        at += length
      } else at = this.#addWords(bytes, at, to)
    }
  }

  /** A new block begins. */
  break(): void {
    this.#begun = false
    this.#gap = false
  }

  bytes(): Buffer {
    return Buffer.from(this.#out.buffer as ArrayBuffer, 0, this.#end)
  }

  /** Adds what begins with a word, as far as it is even; where that ends. */
  #addWords(bytes: DataView, from: number, to: number): number {
    const out = this.#out
    let end = this.#end
    if (!this.#begun && end > 0) out.setUint8(end++, lineEnd)
    else if (this.#gap && end > 0) out.setUint8(end++, space)
    this.#begun = true
    const at = copyEven({ bytes, from, to, out, end })
    end += at - from
    this.#gap = out.getUint8(end - 1) === space
    this.#end = this.#gap ? end - 1 : end
    return at
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#out.byteLength) return
    const wider = new Uint8Array(2 * (this.#end + more))
    wider.set(this.bytes())
    this.#out = new DataView(wider.buffer)
    if (wider.length <= kept) shared = this.#out
  }
}
