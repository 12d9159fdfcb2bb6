import { once } from 'node:events'
import type { TextOutput } from '../world.js'

/** Text is gathered to this length: a write for each line would cost a system call each. */
const gathered = 1 << 16

type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** Standard output or error, in large writes. */
export class StreamOutput implements TextOutput {
  readonly #stream: Stream
  #parts: string[] = []
  #length = 0
  #full = false

  constructor(stream: Stream) {
    this.#stream = stream
  }

  get columns(): number | undefined {
    // A terminal that does not know its width says 0.
    return this.#stream.isTTY === true ? this.#stream.columns || 80 : undefined
  }

  write(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
    if (this.#length >= gathered) this.#send()
  }

  async drained(): Promise<void> {
    if (this.#full) await once(this.#stream, 'drain')
    this.#full = false
  }

  async flush(): Promise<void> {
    this.#send()
    await this.drained()
  }

  #send(): void {
    if (this.#length === 0) return
    this.#full = !this.#stream.write(this.#parts.join(''))
    this.#parts = []
    this.#length = 0
  }
}
