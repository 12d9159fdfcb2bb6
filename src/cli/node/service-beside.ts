import { type ChildProcess, spawn } from 'node:child_process'
import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { EnvironmentError } from '../../model/errors.js'
import type { Beside } from '../../server/collection/beside.js'

const main = fileURLToPath(new URL('../main.js', import.meta.url))
/** Milliseconds; the demo makes two weeks of visits before it is there. */
const longestStart = 60_000

/** A second `revisit serve` in a process of its own, started when asked for and ended with this one. */
export class ServiceBeside implements Beside {
  readonly kind: Beside['kind']
  readonly #options: () => readonly string[]
  #child: ChildProcess | undefined
  #address: Promise<string> | undefined

  /** With a known address nothing is started. */
  constructor(
    kind: Beside['kind'],
    { options, known }: { options: () => readonly string[]; known?: string | undefined },
  ) {
    this.kind = kind
    this.#options = options
    if (known !== undefined) this.#address = Promise.resolve(known)
  }

  open(): Promise<string> {
    this.#address ??= this.#start().catch((error) => {
      this.#address = undefined
      throw error
    })
    return this.#address
  }

  close(): void {
    this.#child?.kill('SIGTERM')
  }

  #start(): Promise<string> {
    const args = [main, 'serve', '--port', '0', ...this.#options()]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    let reported = ''
    child.stderr.on('data', (chunk) => {
      reported = `${reported}${chunk}`.slice(-2000)
    })
    return new Promise((resolve, reject) => {
      const failed = (why: string) => {
        clearTimeout(timer)
        child.kill('SIGTERM')
        const message = `the other service did not start: ${why}; start it with revisit ${args.slice(1).join(' ')}`
        reject(new EnvironmentError('not-started', message))
      }
      const timer = setTimeout(() => failed('it took too long'), longestStart)
      child.once('error', ({ message }) => failed(message))
      child.once('exit', (code) => {
        this.#address = undefined
        failed(reported.trim() || `it ended with ${code}`)
      })
      child.stdout.once('data', (chunk) => {
        clearTimeout(timer)
        resolve(String(chunk).trim())
      })
    })
  }
}

/** Whether a browser that reaches the service is on this machine, and so would reach another one. */
export function isForThisMachine(listen: string): boolean {
  return listen === 'localhost' || listen === '::1' || (isIP(listen) === 4 && /^127\./.test(listen))
}
