import type { ByteSlice } from './byte-slice.js'

const firstSlots = 1 << 12
const blockLength = 1 << 20
const mostTexts = 1 << 20

/**
 * Texts by a hash of 64 bits, so that one that comes again is not taken from
 * another engine's memory again, which costs a microsecond. It forgets all
 * when it is full: a log sorted by page has no use for old ones, and any other
 * fills it again. An open hash table; the bytes lie in blocks.
 */
export class ByteCache {
  readonly #mostBytes: number
  #slots = new Int32Array(firstSlots)
  #high = new Int32Array(firstSlots)
  #low = new Int32Array(firstSlots)
  #starts = new Float64Array(firstSlots)
  #lengths = new Int32Array(firstSlots)
  #blocks: Uint8Array[] = []
  #count = 0
  #used = blockLength

  constructor({ mostBytes = 64 << 20 }: { readonly mostBytes?: number } = {}) {
    this.#mostBytes = mostBytes
  }

  /** Points the slice at the text of that hash; false where it is not at hand. */
  find(high: number, low: number, into: ByteSlice): boolean {
    const mask = this.#slots.length - 1
    for (let slot = low & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]! - 1
      if (this.#high[entry] !== (high | 0) || this.#low[entry] !== (low | 0)) continue
      const start = this.#starts[entry]!
      const within = start % blockLength
      into.bytes = this.#blocks[(start - within) / blockLength]!
      into.start = within
      into.end = within + this.#lengths[entry]!
      return true
    }
    return false
  }

  add(high: number, low: number, { bytes, start, end }: ByteSlice): void {
    const length = end - start
    if (length > blockLength >> 4) return
    if (this.#used + length > blockLength || this.#count === mostTexts) this.#newBlock()
    if (2 * (this.#count + 1) > this.#slots.length) this.#grow()
    const entry = this.#count++
    this.#high[entry] = high
    this.#low[entry] = low
    this.#starts[entry] = (this.#blocks.length - 1) * blockLength + this.#used
    this.#lengths[entry] = length
    const block = this.#blocks.at(-1)!
    for (let i = 0; i < length; i++) block[this.#used + i] = bytes[start + i]!
    this.#used += length
    this.#place(entry)
  }

  #newBlock(): void {
    const full = (this.#blocks.length + 1) * blockLength > this.#mostBytes
    if (full || this.#count === mostTexts) {
      this.#blocks = []
      this.#slots.fill(0)
      this.#count = 0
    }
    this.#blocks.push(new Uint8Array(blockLength))
    this.#used = 0
  }

  #grow(): void {
    const length = 2 * this.#slots.length
    this.#slots = new Int32Array(length)
    this.#high = longer(this.#high, new Int32Array(length))
    this.#low = longer(this.#low, new Int32Array(length))
    this.#starts = longer(this.#starts, new Float64Array(length))
    this.#lengths = longer(this.#lengths, new Int32Array(length))
    for (let entry = 0; entry < this.#count; entry++) this.#place(entry)
  }

  #place(entry: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#low[entry]! & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = entry + 1
  }
}

function longer<Column extends Int32Array | Float64Array>(from: Column, to: Column): Column {
  to.set(from)
  return to
}
