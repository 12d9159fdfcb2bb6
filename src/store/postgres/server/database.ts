import { hash } from 'node:crypto'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { EnvironmentError } from '../../../model/errors.js'
import type { Seconds, UnixSeconds } from '../../../model/units.js'
import { type CommitMark, CommitMarks } from './commit-marks.js'
import { isCrossed, isLost, type ServerName, serverFault } from './faults.js'
import { Outage } from './outage.js'
import { Session } from './session.js'

/** A statement by its text: prepared once for each connection. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** The same text has the same name, so that it is prepared once. */
export function statement(text: string): Statement {
  return { name: `r${hash('sha1', text).slice(0, 20)}`, text }
}

/**
 * Rows of a call, from which a statement goes on to tables. PostgreSQL takes
 * such a list for ten rows, and a new table for hardly more: for a plan that is
 * kept it would read the table first. A limit that it does not know makes it
 * expect one row.
 */
export function rowsGiven(
  arrays: string,
  ordinality: '' | 'with ordinality' = '',
  limit = '1000000000',
): string {
  return `(select * from unnest(${arrays}) ${ordinality} limit (select ${limit}))`
}

/** A transaction that writes begins so; its number tells later whether it was committed. */
const begin = (settings = '') =>
  `begin;${settings}select pg_current_xact_id()::text as xid, (select value from counters where name = 'visit base') as base`

const beginSynced = begin()
/** Leases need not outlive the server: they run out by themselves. */
const beginLightly = begin('set local synchronous_commit = off;')

/** Ways to read a table that a connection does without; see `plansThatHold`. */
const wideWays = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material', 'memoize']
const switched = (how: 'off' | 'on', scope = '') =>
  wideWays.map((way) => `set ${scope} enable_${way} = ${how};`).join('')

/**
 * Plans that hold, for a connection. The tables at work (leases, the frontier)
 * are almost empty and full of dead rows: by the statistics PostgreSQL would
 * read all of them for each host, and a plan once made is kept. So tables are
 * joined in the order in which a statement names them, along their indexes.
 * Statements that read much on purpose are let free: `readTogether`.
 */
export const plansThatHold = `${switched('off')}
  set join_collapse_limit = 1; set from_collapse_limit = 1;
  set plan_cache_mode = force_generic_plan; set jit = off;`
const beginReading = `begin isolation level repeatable read read only;${switched('on', 'local')}
  set local join_collapse_limit = 8; set local from_collapse_limit = 8;
  set local plan_cache_mode = auto`

/** A large server takes minutes to recover. */
const usualPatience: Seconds = 300
const firstWait = 20
const longestWait = 1000

/** What a transaction is told of itself. */
export interface Transaction extends Session {
  /** What visits of this transaction are numbered from; see `visits.ts`. */
  readonly firstNumber: number
}

/** Places for visits in one transaction: a number is the transaction's times this, and the place. */
export const placesInTransaction = 4096

/**
 * A server: connections, transactions, and errors a person understands. A
 * connection that is lost is no error: what was under way is done again on
 * another, since it was undone by the server; and where the answer to a commit
 * was lost, the mark that it leaves tells whether it took place.
 */
export class Database {
  readonly name: ServerName
  readonly #pool: Pool
  readonly #patience: Seconds
  readonly #outage: Outage
  readonly #marks = new CommitMarks()
  #closing: Promise<void> | undefined

  constructor(
    pool: Pool,
    {
      name,
      patience = usualPatience,
      note,
    }: {
      readonly name: ServerName
      /** How long calls wait for a server that is gone. */
      readonly patience?: Seconds | undefined
      readonly note?: ((text: string) => void) | undefined
    },
  ) {
    this.#pool = pool
    this.name = name
    this.#patience = patience
    this.#outage = new Outage(name, note)
  }

  /** Reads of one connection, each statement as of its own moment. */
  async read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#patiently(() => this.#withClient((client) => work(new Session(client))))
  }

  /** Reads that belong together see one state of the store, and may read all of it. */
  async readTogether<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#patiently(() =>
      this.#withClient(async (client) => {
        await client.query(beginReading)
        const result = await work(new Session(client))
        await client.query('commit')
        return result
      }),
    )
  }

  /** All of it or none, on the server's disk before this resolves. */
  async write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#patiently(() => this.#transact(beginSynced, work))
  }

  /** The same without waiting for the disk. */
  async writeLightly<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#patiently(() => this.#transact(beginLightly, work))
  }

  /** The server's clock. */
  async now(): Promise<UnixSeconds> {
    return this.read(async (session) => (await session.first<[number]>(clock))![0])
  }

  async close(): Promise<void> {
    this.#closing ??= this.#forgetMarks().finally(() => this.#pool.end())
    await this.#closing
  }

  /** Those that are left behind go with the next store that is opened a day later. */
  async #forgetMarks(): Promise<void> {
    const { names } = this.#marks
    if (names.length === 0) return
    await this.#pool.query(forgetMarks, [names]).catch(() => {})
  }

  async #transact<T>(begun: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    let xid = ''
    let mark: CommitMark | undefined
    let result: { readonly value: T } | undefined
    try {
      const done = await this.#withClient(async (client) => {
        // Those who wait for a connection need none yet: there are as many as connections.
        const own = this.#marks.take()
        mark = own
        const answers = (await client.query(begun)) as unknown as QueryResult[]
        const [row] = answers[answers.length - 1]!.rows as { xid: string; base: number }[]
        xid = row!.xid
        const firstNumber = row!.base + Number(xid) * placesInTransaction
        const session = new Session(client)
        const value = await work(Object.assign(session, { firstNumber }))
        result = { value }
        await Promise.all([session.run(leaveMark, [own.name, own.value]), client.query('commit')])
        return value
      })
      this.#marks.giveBack(mark)
      return done
    } catch (cause) {
      const isInDoubt = result !== undefined && mark !== undefined && isLost(cause)
      const wasCommitted = isInDoubt && (await this.#wasCommitted(xid, mark!))
      this.#marks.giveBack(mark)
      if (wasCommitted) return result!.value
      throw cause
    }
  }

  /** Asked where the answer to a commit was lost; waits until the server knows. */
  async #wasCommitted(xid: string, { name, value }: CommitMark): Promise<boolean> {
    return this.#patiently(() =>
      this.#withClient(async (client) => {
        const session = new Session(client)
        while (await isUnderWay(session, xid)) await pause(firstWait)
        return (await session.first<[number]>(readMark, [name]))?.[0] === value
      }),
    )
  }

  /** A connection is used again only where nothing went wrong on it. */
  async #withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (cause) {
      await undone(client, cause)
      throw cause
    }
  }

  /** Does it again where the connection was lost, or others crossed it. */
  async #patiently<T>(task: () => Promise<T>): Promise<T> {
    const began = performance.now()
    for (let wait = firstWait; ; wait = Math.min(2 * wait, longestWait)) {
      this.#checkOpen()
      try {
        const result = await task()
        this.#outage.over()
        return result
      } catch (cause) {
        const lost = isLost(cause)
        if (!lost) this.#outage.over()
        // Of an outage, not of each call: one that comes when it has lasted too long tries once.
        const giveUp = this.#outage.since(began) + this.#patience * 1000
        const again = isCrossed(cause) || (lost && performance.now() < giveUp)
        if (!again || this.#closing !== undefined) throw this.#fault(cause)
        if (lost) this.#outage.goesOn(cause, { patience: this.#patience })
      }
      await pause(Math.random() * wait)
    }
  }

  #fault(cause: unknown): unknown {
    return this.#closing === undefined ? serverFault(cause, this.name) : this.#closedError(cause)
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw this.#closedError()
  }

  #closedError(cause?: unknown): EnvironmentError {
    const text = `${this.name.text} has been closed; open it again`
    return new EnvironmentError('store-closed', text, { cause })
  }
}

/** Takes a failed transaction back; a connection on which that fails, too, is given up. */
async function undone(client: PoolClient, cause: unknown): Promise<void> {
  if (isLost(cause)) {
    client.release(true)
    return
  }
  try {
    await client.query('rollback')
    client.release()
  } catch {
    client.release(true)
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

const clock = statement('select extract(epoch from clock_timestamp())::float8')
const leaveMark = statement(`
  insert into counters (name, value) values ($1, $2)
  on conflict (name) do update set value = excluded.value`)
const readMark = statement('select value from counters where name = $1')
const forgetMarks = 'delete from counters where name = any ($1::text[])'
const state = statement('select pg_xact_status($1::text::xid8)')
/** Of a number that has not been given yet: its transaction is forgotten. */
const inFuture = '22023'

/** Whether a transaction goes on though its connection is lost. */
async function isUnderWay(session: Session, xid: string): Promise<boolean> {
  try {
    return (await session.first<[string | null]>(state, [xid]))![0] === 'in progress'
  } catch (cause) {
    if ((cause as { code?: string }).code === inFuture) return false
    throw cause
  }
}
