import { InputError } from '../model/errors.js'

/**
 * Why a record is not taken. A value rather than an error: a file may hold
 * millions of bad lines, and a thrown error costs a hundred times as much. The
 * text is made only for those that are shown, and before the next record is
 * read: the fields it quotes are then filled again.
 */
export interface Refusal {
  readonly code: string
  readonly message: () => string
}

export function refusal(code: string, message: () => string): Refusal {
  return { code, message }
}

export interface Problem {
  /** The file, where several are read. */
  readonly file?: string
  /** Counted from 1. */
  readonly line: number
  readonly code: string
  readonly message: string
}

/** Lines that were not taken: the first in full, all by their code. */
export interface FoundProblems {
  readonly first: readonly Problem[]
  readonly counts: ReadonlyMap<string, number>
  readonly total: number
}

/**
 * The lines that were not taken, by number and reason. The first ones are kept
 * in full and the rest only counted, so that a file of nothing but bad lines
 * costs no memory. `strict` throws at the first instead.
 */
export class Problems implements FoundProblems {
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
