import { sql } from 'kysely'
import type { LeaseTerms } from '../../model/lease.js'
import {
  type ChoreHold,
  forgetWorkersAfter,
  mayHold,
  type WorkerSign,
  type WorkerSummary,
} from '../../model/worker.js'
import { checkTerms } from '../request-checks.js'
import type { Database } from './file/database.js'

/** What one process asks for when it wants a chore. */
export type ChoreRequest = LeaseTerms & { readonly name: string }

/** Workers that gave a sign of life. */
export class Workers {
  readonly #note
  readonly #forget
  readonly #all
  readonly #remove

  constructor(db: Database) {
    this.#note = db.statement((q, slot) =>
      q
        .insertInto('workers')
        .values({
          name: slot('name'),
          role: slot('role'),
          version: slot('version'),
          since: slot('now'),
          last_sign: slot('now'),
        })
        .onConflict((conflict) =>
          conflict.doUpdateSet({
            role: slot('role'),
            version: slot('version'),
            last_sign: slot('now'),
          }),
        ),
    )
    this.#forget = db.statement((q, slot) =>
      q.deleteFrom('workers').where('last_sign', '<', slot('before')),
    )
    this.#all = db.statement(
      (_, slot) => sql<WorkerSummary>`
        select name, role, version, since, last_sign as lastSign, (
          select count(*) from leases
          where worker = workers.name and page > 0 and expires > ${slot('now')}
        ) as leases
        from workers order by since, name`,
    )
    this.#remove = db.statement((q, slot) =>
      q.deleteFrom('workers').where('name', '=', slot('name')),
    )
  }

  note(sign: WorkerSign): void {
    this.#note().run({ ...sign })
    this.#forget().run({ before: sign.now - forgetWorkersAfter })
  }

  all(now: number): WorkerSummary[] {
    return this.#all().all({ now })
  }

  remove(name: string): void {
    this.#remove().run({ name })
  }
}

/** Work that one process does for all. Called inside transactions, which SQLite runs one at a time. */
export class Chores {
  readonly #get
  readonly #put
  readonly #release
  readonly #releaseWorker
  readonly #all

  constructor(db: Database) {
    this.#get = db.statement((q, slot) =>
      q
        .selectFrom('chores')
        .select(['worker', 'since', 'expires as expiresAt'])
        .where('name', '=', slot('name')),
    )
    this.#put = db.statement((q, slot) =>
      q.replaceInto('chores').values({
        name: slot('name'),
        worker: slot('worker'),
        since: slot('since'),
        expires: slot('expires'),
      }),
    )
    this.#release = db.statement((q, slot) =>
      q.deleteFrom('chores').where('name', '=', slot('name')).where('worker', '=', slot('worker')),
    )
    this.#releaseWorker = db.statement((q, slot) =>
      q.deleteFrom('chores').where('worker', '=', slot('worker')),
    )
    this.#all = db.statement((q) =>
      q
        .selectFrom('chores')
        .select(['name', 'worker', 'since', 'expires as expiresAt'])
        .orderBy('name'),
    )
  }

  /** Whether somebody else has it; without a transaction that writes, for those who ask again and again. */
  isTaken(request: ChoreRequest): boolean {
    checkTerms(request)
    return !mayHold(this.#get().first({ name: request.name }), request)
  }

  hold(request: ChoreRequest): boolean {
    const { name, worker, now, ttl } = request
    const held = this.#get().first({ name })
    if (!mayHold(held, request)) return false
    const since = held?.worker === worker ? held.since : now
    this.#put().run({ name, worker, since, expires: now + ttl })
    return true
  }

  release({ name, worker }: Pick<ChoreHold, 'name' | 'worker'>): boolean {
    return this.#release().run({ name, worker }) > 0
  }

  releaseWorker(worker: string): void {
    this.#releaseWorker().run({ worker })
  }

  all(): ChoreHold[] {
    return this.#all().all({})
  }
}
