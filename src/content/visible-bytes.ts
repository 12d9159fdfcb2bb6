import { decodedEntities } from '../formats/markup/html-tag.js'
import { LruMap } from '../model/lru-map.js'

const space = 32

/** How many bytes the white space at a place of a text in UTF-8 takes; 0 where there is none. As `\s`. */
export function spaceAt(bytes: DataView, at: number): number {
  const byte = bytes.getUint8(at)
  if (byte < 0x80) return byte === space || (byte >= 9 && byte <= 13) ? 1 : 0
  return byte === 0xc2 || byte >= 0xe1 ? wideSpaceAt(bytes, at) : 0
}

/** U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF. */
function wideSpaceAt(bytes: DataView, at: number): number {
  const first = bytes.getUint8(at)
  if (first === 0xc2) return bytes.getUint8(at + 1) === 0xa0 ? 2 : 0
  if (first !== 0xe1 && first !== 0xe2 && first !== 0xe3 && first !== 0xef) return 0
  const rest = bytes.getUint16(at + 1)
  if (first === 0xe2) return isGeneralSpace(rest) ? 3 : 0
  return rest === (first === 0xe1 ? 0x9a80 : first === 0xe3 ? 0x8080 : 0xbbbf) ? 3 : 0
}

function isGeneralSpace(rest: number): boolean {
  if (rest >= 0x8080 && rest <= 0x808a) return true
  return rest === 0x80a8 || rest === 0x80a9 || rest === 0x80af || rest === 0x819f
}

/**
 * Whether the character that begins at a place may have another Unicode normal
 * form, alone or with the one before it: some from U+0300 on do, but no Cyrillic
 * letter (U+0400 to U+047F), none from U+4000 to U+9FFF (Chinese), and of U+2000
 * to U+203F (quotes and dashes) white space only.
 */
export function mayCompose(bytes: DataView, at: number): boolean {
  const first = bytes.getUint8(at)
  if (first < 0xcc) return false
  if (first === 0xd0 || first === 0xd1 || (first >= 0xe4 && first <= 0xe9)) return false
  return first !== 0xe2 || bytes.getUint8(at + 1) !== 0x80
}

const semicolon = 59
/** `&CounterClockwiseContourIntegral;` is longer, and is rare. */
const longest = 12
/** What pages use: a few dozen; a hostile one might use any number. */
const most = 500
const known = new LruMap<DataView>({ most })
const encoder = new TextEncoder()

/** Where an entity that begins at a place and is written in full ends; -1 where none does. */
export function entityEnd(text: string, from: number): number {
  const last = Math.min(text.length, from + longest)
  for (let at = from + 1; at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === semicolon) return at + 1
    if (!isOfEntity(code)) return -1
  }
  return -1
}

/** Letters, digits and `#`. */
function isOfEntity(code: number): boolean {
  const small = code | 32
  return (small >= 97 && small <= 122) || (code >= 48 && code <= 57) || code === 35
}

/** What an entity written in full stands for, in UTF-8; decoded once, as pages have the same few. */
export function entityBytes(entity: string): DataView {
  const before = known.get(entity)
  if (before !== undefined) return before
  const bytes = utf8View(decodedEntities(entity))
  known.set(entity, bytes)
  return bytes
}

/** In memory of its own: a small Buffer would hold the block it is cut from. */
export function utf8View(text: string): DataView {
  const { buffer, byteOffset, byteLength } = encoder.encode(text)
  return new DataView(buffer, byteOffset, byteLength)
}

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
