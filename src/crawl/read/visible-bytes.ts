import { mayCompose, spaceAt } from './utf8-characters.js'

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
  #composing = false

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

  /** Whether it may not be in Unicode's normal form. */
  get isComposing(): boolean {
    return this.#composing
  }

  /** Adds words with single spaces between them, up to other white space; where that begins. */
  #addWords(bytes: DataView, from: number, to: number): number {
    const out = this.#out
    if (!this.#begun && this.#end > 0) out.setUint8(this.#end++, lineEnd)
    else if (this.#gap && this.#begun) out.setUint8(this.#end++, space)
    this.#begun = true
    const shift = this.#end - from
    let at = from
    let ends = false
    for (;;) {
      at = copyAscii(bytes, at, { to, out, shift })
      at = this.#copyWord(bytes, at, { to, shift })
      ends = out.getUint8(at + shift - 1) === space
      if (ends || !isSingleSpace(bytes, at, to)) break
      out.setUint8(at++ + shift, space)
    }
    this.#gap = ends
    this.#end = at + shift - (ends ? 1 : 0)
    return at
  }

  /** Copies bytes up to white space. */
  #copyWord(
    bytes: DataView,
    from: number,
    { to, shift }: { readonly to: number; readonly shift: number },
  ): number {
    let at = from
    for (; at < to && spaceAt(bytes, at) === 0; at++) {
      if (mayCompose(bytes, at)) this.#composing = true
      this.#out.setUint8(at + shift, bytes.getUint8(at))
    }
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

/** Whether a space stands between words. */
function isSingleSpace(bytes: DataView, at: number, to: number): boolean {
  return at + 1 < to && bytes.getUint8(at) === space && spaceAt(bytes, at + 1) === 0
}

/**
 * Copies ASCII with single spaces in it, four bytes in the time of one, up to
 * four that have something else; where they begin. The first is no space.
 */
function copyAscii(
  bytes: DataView,
  from: number,
  { to, out, shift }: { readonly to: number; readonly out: DataView; readonly shift: number },
): number {
  const last = to - 4
  let at = from
  /** Whether the byte before is a space, as the high bit of a byte. */
  let before = 0
  for (; at <= last; at += 4) {
    const four = bytes.getInt32(at, true)
    // High bits of the bytes that are spaces, and of those that are controls or not ASCII.
    const spaces = ~((four ^ 0x20202020) + 0x7f7f7f7f)
    const others = (four - 0x20202020) | four
    if (((others | (spaces & ((spaces << 8) | before))) & 0x80808080) !== 0) break
    before = (spaces >>> 24) & 0x80
    out.setInt32(at + shift, four, true)
  }
  return at
}
