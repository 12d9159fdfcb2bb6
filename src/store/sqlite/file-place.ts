import { statSync } from 'node:fs'
import { EnvironmentError } from '../../model/index.js'

/**
 * The place of an open file. A file that is deleted or replaced can still be
 * written by who has it open, and all of that is lost at the end without an
 * error: so the place is compared before each write, which costs microseconds.
 */
export class FilePlace {
  readonly #path: string
  readonly #device: number
  readonly #number: number

  constructor(path: string) {
    const { dev, ino } = statSync(path)
    this.#path = path
    this.#device = dev
    this.#number = ino
  }

  check(): void {
    const there = statSync(this.#path, { throwIfNoEntry: false })
    if (there?.ino === this.#number && there.dev === this.#device) return
    const what = there === undefined ? 'was deleted or moved away' : 'was replaced by another file'
    throw new EnvironmentError(
      'store-gone',
      `${this.#path} ${what} while it was in use: what was recorded since then is lost with it. Nothing more is recorded; put the last good copy in its place (revisit restore BACKUP --replace) and start again`,
    )
  }
}
