import type { LeaseTerms } from '../../model/lease.js'
import {
  type ChoreHold,
  forgetWorkersAfter,
  type WorkerSign,
  type WorkerSummary,
} from '../../model/worker.js'
import { checkTerms } from '../request-checks.js'
import { type Database, statement } from './server/database.js'
import type { Session } from './server/session.js'

const note = statement(`
  insert into workers (name, role, version, since, last_sign) values ($1, $2, $3, $4, $4)
  on conflict (name) do update set role = excluded.role, version = excluded.version,
    last_sign = excluded.last_sign`)
const forget = statement('delete from workers where last_sign < $1')
const allWorkers = statement(`
  select name, role, version, since, last_sign, coalesce(leases, 0)
  from workers left join (
    select worker, count(*) as leases from leases where page > 0 and expires > $1 group by worker
  ) as held on held.worker = workers.name
  order by since, name collate "C"`)
const remove = statement('delete from workers where name = $1')

/** Signs of life of those at work. */
export const workers = {
  async note(db: Database, { name, role, version, now }: WorkerSign): Promise<void> {
    await db.writeLightly(async (session) => {
      await session.run(note, [name, role, version, now])
      await session.run(forget, [now - forgetWorkersAfter])
    })
  },

  async all(db: Database, now: number): Promise<WorkerSummary[]> {
    type Row = readonly [string, string, string, number, number, number]
    const rows = await db.readTogether((session) => session.rows<Row>(allWorkers, [now]))
    return rows.map(([name, role, version, since, lastSign, leases]) => ({
      ...{ name, role, version, since, lastSign, leases },
    }))
  },

  async remove(session: Session, name: string): Promise<void> {
    await session.run(remove, [name])
  },
}

/** What one process asks for when it wants a chore. */
export type ChoreRequest = LeaseTerms & { readonly name: string }

/** The rule of `mayHold`, in one statement: of several who ask at once one succeeds. */
const hold = statement(`
  insert into chores as held (name, worker, since, expires) values ($1, $2, $3, $4)
  on conflict (name) do update set worker = excluded.worker, expires = excluded.expires,
    since = case when held.worker = excluded.worker then held.since else excluded.since end
  where held.worker = excluded.worker or held.expires <= $3`)
const taken = statement('select 1 from chores where name = $1 and worker <> $2 and expires > $3')
const release = statement('delete from chores where name = $1 and worker = $2')
const releaseAll = statement('delete from chores where worker = $1')
const allChores = statement(
  'select name, worker, since, expires from chores order by name collate "C"',
)

/** Work that one process does for all. */
export const chores = {
  async hold(db: Database, request: ChoreRequest): Promise<boolean> {
    checkTerms(request)
    const { name, worker, now, ttl } = request
    // Without a transaction that writes, for those who ask again and again.
    const isTaken = await db.read((session) => session.first(taken, [name, worker, now]))
    if (isTaken !== undefined) return false
    return db.writeLightly(
      async (session) => (await session.run(hold, [name, worker, now, now + ttl])) > 0,
    )
  },

  async release(db: Database, { name, worker }: Pick<ChoreHold, 'name' | 'worker'>) {
    return db.writeLightly(async (session) => (await session.run(release, [name, worker])) > 0)
  },

  async releaseWorker(session: Session, worker: string): Promise<void> {
    await session.run(releaseAll, [worker])
  },

  async all(db: Database): Promise<ChoreHold[]> {
    type Row = readonly [string, string, number, number]
    const rows = await db.read((session) => session.rows<Row>(allChores))
    return rows.map(([name, worker, since, expiresAt]) => ({ name, worker, since, expiresAt }))
  },
}
