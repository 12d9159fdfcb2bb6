/** Elements of a chunk, as a power of two. */
const chunkBits = 16
const chunkLength = 1 << chunkBits
const withinChunk = chunkLength - 1

interface Numbers {
  readonly byteLength: number
  [index: number]: number
}

/**
 * A column of numbers that grows by chunks: nothing is ever copied, and at most
 * one chunk is unused. `make` gives the chunk of a type, as in
 * `new GrowingColumn((length) => new Float64Array(length))`.
 */
export class GrowingColumn<Chunk extends Numbers = Numbers> {
  readonly #make: (length: number) => Chunk
  readonly #chunks: Chunk[] = []
  #last: Chunk | undefined
  #length = 0

  constructor(make: (length: number) => Chunk) {
    this.#make = make
  }

  get length(): number {
    return this.#length
  }

  get byteLength(): number {
    return this.#chunks.length * (this.#chunks[0]?.byteLength ?? 0)
  }

  push(value: number): void {
    const within = this.#length & withinChunk
    if (within === 0) {
      this.#last = this.#make(chunkLength)
      this.#chunks.push(this.#last)
    }
    this.#last![within] = value
    this.#length++
  }

  at(index: number): number {
    return this.#chunks[index >>> chunkBits]![index & withinChunk]!
  }

  set(index: number, value: number): void {
    this.#chunks[index >>> chunkBits]![index & withinChunk] = value
  }
}
