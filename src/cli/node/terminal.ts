import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Screen, TextOutput } from '../environment.js'

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

type Terminal = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>

const csi = '\u001b['

/**
 * Draws over the lines it drew before. Each line is cut to the width and the
 * lines to the height: one that wraps would shift all that follow.
 */
export class TerminalScreen implements Screen {
  readonly #terminal: Terminal
  #shownLines = 0

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  get columns(): number {
    return this.#terminal.columns ?? 80
  }

  get rows(): number {
    return this.#terminal.rows ?? 24
  }

  draw(lines: readonly string[]): void {
    const shown = lines.slice(0, Math.max(1, this.rows - 1))
    const text = shown.map((line) => `${[...line].slice(0, this.columns - 1).join('')}${csi}K\n`)
    this.#terminal.write(`${this.#home()}${text.join('')}${csi}J`)
    this.#shownLines = shown.length
  }

  clear(): void {
    if (this.#shownLines > 0) this.#terminal.write(`${this.#home()}${csi}J`)
    this.#shownLines = 0
  }

  #home(): string {
    return this.#shownLines === 0 ? '' : `${csi}${this.#shownLines}A\r`
  }
}

/** Asks on the terminal; anything but y or yes is a no. On stderr, so that results stay apart. */
export async function askPerson(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^\s*y(es)?\s*$/i.test(await asking.question(`${question} [y/N] `))
  } finally {
    asking.close()
  }
}

/** Asks for a text that is not shown while it is typed. */
export async function askSecret(question: string): Promise<string> {
  process.stderr.write(question)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: process.stdin, output: unseen, terminal: true })
  try {
    return await asking.question('')
  } finally {
    asking.close()
    process.stderr.write('\n')
  }
}

/**
 * Calls back at Ctrl-C (or when asked to end by the system), once: a second
 * Ctrl-C ends the process as it would have without us.
 */
export function onInterrupt(end: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const forget = () => {
    for (const signal of signals) process.off(signal, asked)
  }
  const asked = () => {
    forget()
    end()
  }
  for (const signal of signals) process.on(signal, asked)
  return forget
}
