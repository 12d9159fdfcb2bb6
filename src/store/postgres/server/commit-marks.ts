import { randomUUID } from 'node:crypto'
import { DAY } from '../../../model/units.js'

/** What a transaction leaves behind when it commits, and no other does. */
export interface CommitMark {
  readonly name: string
  readonly value: number
}

/** Rows of marks are told from others by how they begin; the day in them tells which are left behind. */
const prefix = 'commit '

/**
 * Marks by which it is found out whether a transaction was committed whose
 * answer was lost. Its number alone does not tell: a server that crashed
 * forgets transactions of which nothing had come to its disk, and gives their
 * numbers to others, whose commit would be taken for ours. A transaction has a
 * row for itself until it is known what came of it, so that nobody waits for
 * it; then the row is used again.
 */
export class CommitMarks {
  readonly #process = randomUUID()
  #day = 0
  /** Rows of today. */
  #rows: string[] = []
  #free: string[] = []
  #last = 0

  take(): CommitMark {
    if (this.#day !== today()) {
      this.#day = today()
      this.#rows = []
      this.#free = []
    }
    return { name: this.#free.pop() ?? this.#added(), value: ++this.#last }
  }

  /** Once it is known whether its transaction was committed; undefined where it had none yet. */
  giveBack(mark: CommitMark | undefined): void {
    if (mark !== undefined && this.#rows.includes(mark.name)) this.#free.push(mark.name)
  }

  /** Of today; what is older is forgotten by whoever opens the store. */
  get names(): readonly string[] {
    return this.#rows
  }

  #added(): string {
    const name = `${prefix}${this.#day} ${this.#process} ${this.#rows.length + 1}`
    this.#rows.push(name)
    return name
  }
}

/** Takes away what processes that were killed left behind; those of today may be at work. */
export function forgetOldMarks(): string {
  return `delete from counters where name like '${prefix}%' and name < '${prefix}${today() - 1}'`
}

function today(): number {
  return Math.floor(Date.now() / 1000 / DAY)
}
