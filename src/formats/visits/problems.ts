import { InputError } from '../../model/index.js'
import type { Refusal } from '../refusal.js'

export interface Problem {
  /** Counted from 1. */
  readonly line: number
  readonly code: string
  readonly message: string
}

/**
 * The lines that were not taken, by number and reason. The first ones are kept
 * in full and the rest only counted, so that a file of nothing but bad lines
 * costs no memory. `strict` throws at the first instead.
 */
export class Problems {
  readonly first: Problem[] = []
  readonly counts = new Map<string, number>()
  #total = 0
  readonly #strict: boolean
  readonly #keep: number

  constructor({ strict = false, keep = 20 }: { strict?: boolean; keep?: number } = {}) {
    this.#strict = strict
    this.#keep = keep
  }

  get total(): number {
    return this.#total
  }

  add(line: number, { code, message }: Refusal): void {
    if (this.#strict) throw new InputError(code, message(), { line })
    this.#total++
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1)
    if (this.first.length < this.#keep) this.first.push({ line, code, message: message() })
  }
}
