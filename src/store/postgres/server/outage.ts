import { humanDuration } from '../../../model/duration.js'
import type { Seconds } from '../../../model/units.js'
import type { ServerName } from './faults.js'

/** Of calls under way: a connection that was cut is replaced in less, and nobody need know. */
const shortCut: Seconds = 5

/** A server that is not there for a while: a person is told once that it is waited for, and once that it is back. */
export class Outage {
  readonly #name: ServerName
  readonly #note: (text: string) => void
  #since: number | undefined
  #isNoted = false

  constructor(name: ServerName, note: (text: string) => void = () => {}) {
    this.#name = name
    this.#note = note
  }

  /** When it began, by `performance.now()`; `otherwise` where there is none. */
  since(otherwise: number): number {
    return this.#since === undefined ? otherwise : this.#since * 1000
  }

  /** A try has failed, and another is to be made for up to `patience` in all. */
  goesOn(
    cause: unknown,
    {
      patience,
      tellAfter = shortCut,
    }: { readonly patience: Seconds; readonly tellAfter?: Seconds },
  ): void {
    const now = performance.now() / 1000
    this.#since ??= now
    if (this.#isNoted || now - this.#since < tellAfter) return
    this.#isNoted = true
    const why = (cause as Error).message || String(cause)
    this.#note(
      `${this.#name.text} cannot be reached (${why}); it is tried again for up to ${humanDuration(patience)}`,
    )
  }

  over(): void {
    if (this.#since === undefined) return
    const lasted = performance.now() / 1000 - this.#since
    if (this.#isNoted)
      this.#note(`${this.#name.text} is reached again, after ${humanDuration(lasted)}`)
    this.#since = undefined
    this.#isNoted = false
  }
}
