import { isUtf8 } from 'node:buffer'
import type { ByteSlice } from '../bytes/byte-slice.js'
import { refusal } from '../problems.js'
import { hashBytes } from './digest.js'
import { GrowingColumn } from './visit-columns.js'

/** Whether the bytes are UTF-8, so that a URL is shown as it is written. */
export function isText({ bytes, start, end }: ByteSlice): boolean {
  return isUtf8(bytes.subarray(start, end))
}

export const notText = refusal('bad-text', () => 'the url is not UTF-8')

/** An arena block; a line, and so a key with its URL, is never longer than half of it. */
const blockLength = 1 << 21
const decoder = new TextDecoder()

/**
 * Numbers pages by the bytes of their key, in the order in which they come. The
 * bytes are kept once, in large blocks, and found by an open hash table: no
 * text is made per line, which is what makes reading fast. The seed keeps a
 * prepared file from making every key collide.
 */
export class UrlTable {
  /** Page + 1 by slot; 0 is an empty slot. */
  #slots = new Int32Array(1024)
  readonly #seed: number
  readonly #hashes = new GrowingColumn((length) => new Int32Array(length))
  readonly #keyStarts = new GrowingColumn((length) => new Float64Array(length))
  readonly #keyLengths = new GrowingColumn((length) => new Uint32Array(length))
  /** 0 where the key is the URL. */
  readonly #urlLengths = new GrowingColumn((length) => new Uint32Array(length))
  readonly #blocks: Uint8Array[] = []
  #used = blockLength
  #last = -1

  constructor({ seed = 0 }: { seed?: number } = {}) {
    this.#seed = seed
  }

  get size(): number {
    return this.#hashes.length
  }

  get byteLength(): number {
    const columns = [this.#hashes, this.#keyStarts, this.#keyLengths, this.#urlLengths]
    const bytes = this.#slots.byteLength + this.#blocks.length * blockLength
    return columns.reduce((sum, column) => sum + column.byteLength, bytes)
  }

  /** The number of the page, known or new; -1 if it is new and its bytes are not UTF-8. */
  pageOf(key: ByteSlice, url: ByteSlice): number {
    const likely = this.#likely(key)
    if (likely !== -1) return likely
    const hash = hashBytes(key, this.#seed)
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const page = this.#slots[slot]! - 1
      if (this.#hashes.at(page) !== hash || !this.#isKey(page, key)) continue
      this.#last = page
      return page
    }
    if (!isText(key) || !isText(url)) return -1
    this.#last = this.#add({ hash, key, url })
    this.#slots[slot] = this.size
    if (this.size * 2 > this.#slots.length) this.#grow()
    return this.#last
  }

  url(page: number): string {
    const start = this.#keyStarts.at(page)
    const keyLength = this.#keyLengths.at(page)
    const urlLength = this.#urlLengths.at(page)
    const block = this.#blocks[Math.floor(start / blockLength)]!
    const from = (start % blockLength) + (urlLength === 0 ? 0 : keyLength)
    return decoder.decode(block.subarray(from, from + (urlLength === 0 ? keyLength : urlLength)))
  }

  /** Logs often tell of the same page again, or of the pages in the same order again. */
  #likely(key: ByteSlice): number {
    const last = this.#last
    if (last >= 0 && this.#isKey(last, key)) return last
    const next = last + 1 < this.size ? last + 1 : 0
    if (next >= this.size || !this.#isKey(next, key)) return -1
    this.#last = next
    return next
  }

  #isKey(page: number, { bytes, start, end }: ByteSlice): boolean {
    const length = end - start
    if (this.#keyLengths.at(page) !== length) return false
    const at = this.#keyStarts.at(page)
    const block = this.#blocks[Math.floor(at / blockLength)]!
    const from = at % blockLength
    // From the end: the pages of a host differ there.
    for (let i = length - 1; i >= 0; i--) if (block[from + i] !== bytes[start + i]) return false
    return true
  }

  #add({ hash, key, url }: { hash: number; key: ByteSlice; url: ByteSlice }): number {
    const same = key.bytes === url.bytes && key.start === url.start && key.end === url.end
    const urlLength = same ? 0 : url.length
    if (this.#used + key.length + urlLength > blockLength) {
      this.#blocks.push(new Uint8Array(blockLength))
      this.#used = 0
    }
    this.#hashes.push(hash)
    this.#keyStarts.push((this.#blocks.length - 1) * blockLength + this.#used)
    this.#keyLengths.push(key.length)
    this.#urlLengths.push(urlLength)
    this.#store(key)
    if (!same) this.#store(url)
    return this.size - 1
  }

  #store({ bytes, start, end }: ByteSlice): void {
    this.#blocks.at(-1)!.set(bytes.subarray(start, end), this.#used)
    this.#used += end - start
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let page = 0; page < this.size; page++) {
      let slot = this.#hashes.at(page) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = page + 1
    }
    this.#slots = slots
  }
}
