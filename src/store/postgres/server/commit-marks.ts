import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
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
 * numbers to others, whose commit would be taken for ours. Each connection has
 * a row of its own, so that nobody waits for it.
 */
export class CommitMarks {
  readonly #ours = `${prefix}${today()} ${randomUUID()}`
  readonly #names = new Map<PoolClient, string>()
  #last = 0
  #rows = 0

  /** For the next transaction of a connection. */
  next(client: PoolClient): CommitMark {
    let name = this.#names.get(client)
    if (name === undefined) {
      name = `${this.#ours} ${++this.#rows}`
      this.#names.set(client, name)
      client.once('end', () => this.#names.delete(client))
    }
    return { name, value: ++this.#last }
  }

  /** Of all connections that there were. */
  get names(): readonly string[] {
    return Array.from({ length: this.#rows }, (_, at) => `${this.#ours} ${at + 1}`)
  }
}

/** Takes away what processes that were killed left behind; those of today may be at work. */
export function forgetOldMarks(): string {
  return `delete from counters where name like '${prefix}%' and name < '${prefix}${today() - 1}'`
}

function today(): number {
  return Math.floor(Date.now() / 1000 / DAY)
}
