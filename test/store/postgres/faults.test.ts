import { createServer, type Socket } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { EnvironmentError } from '../../../src/model/errors.js'
import type { Lease } from '../../../src/model/lease.js'
import { isServerAddress, serverAddress } from '../../../src/store/postgres/server/address.js'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { administer, newDatabase, newSchema } from '../../fixtures/postgres.js'

let database: string
beforeAll(async () => {
  database = await newDatabase()
})

/** The address with some of its parts replaced. */
function address(change: (url: URL) => void): string {
  const url = new URL(database)
  change(url)
  return url.href
}

async function refused(url: string, more: { readOnly?: boolean } = {}): Promise<EnvironmentError> {
  const fault = await openPostgresStore({ url, ...more }).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(fault).toBeInstanceOf(EnvironmentError)
  const { password } = new URL(url)
  expect((fault as Error).message).not.toContain(`:${password}@`)
  return fault as EnvironmentError
}

describe('a server that cannot hold a store', () => {
  it('refuses a wrong password', async () => {
    const url = address((each) => {
      each.password = 'quite-wrong'
    })
    expect(await refused(url)).toMatchObject({
      code: 'store-refused',
      message: expect.stringMatching(/does not let postgres in.*PGPASSWORD/),
    })
  })

  it('has no such database, or is not there', async () => {
    const missing = address((each) => {
      each.pathname = '/nowhere_at_all'
    })
    expect(await refused(missing)).toMatchObject({
      code: 'no-database',
      message: expect.stringMatching(/create database nowhere_at_all/),
    })
    const nobody = address((each) => {
      each.port = '1'
    })
    expect(await refused(nobody)).toMatchObject({ code: 'store-unreachable' })
  })

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'has no TLS, which sslmode=%s asks for; pg prints no warning of its own',
    async (mode) => {
      const warned = vi.spyOn(process, 'emitWarning')
      const url = address((each) => each.searchParams.set('sslmode', mode))
      expect(await refused(url)).toMatchObject({
        code: 'store-tls',
        message: expect.stringMatching(/sslrootcert=FILE.*does not support SSL/),
      })
      expect(warned).not.toHaveBeenCalled()
      warned.mockRestore()
    },
  )

  it('gives the user too few rights', async () => {
    const name = `poor_${process.pid}`
    await administer(database, `create role ${name} login password 'poor'`)
    const url = address((each) => {
      each.username = name
      each.password = 'poor'
    })
    expect(await refused(url)).toMatchObject({
      code: 'store-rights',
      message: expect.stringContaining(`grant create on database`),
    })
    // Made by another, and not shared.
    await (await openPostgresStore({ url: database })).close()
    expect(await refused(url)).toMatchObject({ code: 'store-rights' })
  })

  it('can only be read', async () => {
    const url = newSchema(database)
    const { pathname } = new URL(url)
    await administer(
      database,
      `alter database ${pathname.slice(1)} set default_transaction_read_only = on`,
    )
    onTestFinished(async () => {
      await administer(
        await freeOf(database),
        `alter database ${pathname.slice(1)} reset default_transaction_read_only`,
      )
    })
    expect(await refused(url)).toMatchObject({
      code: 'store-read-only',
      message: expect.stringMatching(/primary/),
    })
  })

  it('is older than what is needed, or a replica, or in another encoding', async () => {
    expect(await refused(await actor(['13', 'UTF8', 'f']))).toMatchObject({
      code: 'server-old',
      message: expect.stringMatching(/PostgreSQL 13; Revisit needs 14/),
    })
    expect(await refused(await actor(['18', 'UTF8', 't']))).toMatchObject({
      code: 'store-read-only',
    })
    expect(await refused(await actor(['18', 'LATIN1', 'f']))).toMatchObject({
      code: 'database-encoding',
    })
  })
})

describe('a server that fails later', () => {
  it('has a full disk: nothing of the step is recorded, and it goes on once there is room', async () => {
    const url = newSchema(database)
    const schema = new URL(url).searchParams.get('schema')
    const store = await openPostgresStore({ url })
    const pages = [{ url: 'https://a.example/' }]
    await store.addPages({ collection: 'c', now: 1, pages })
    const ask = { collection: 'c', now: 1, limit: 9, perHost: 1, ttl: 9, worker: 'w' }
    const leases = await store.leaseDue(ask)
    // The server's own error, at the place where a table grows.
    await administer(
      database,
      `create function ${schema}.no_room() returns trigger language plpgsql as $$ begin
         raise exception 'could not extend file: No space left on device' using errcode = '53100';
       end $$;
       create trigger no_room before insert on ${schema}.visits execute function ${schema}.no_room()`,
    )
    const reports = leases.map((lease) => ({
      lease,
      visit: aVisit({ at: 1 }),
      due: { at: 2, reason: '' },
    }))
    await expect(store.recordVisits(reports)).rejects.toMatchObject({
      code: 'disk-full',
      message: expect.stringMatching(/is full; nothing of this step was recorded.*Free some space/),
    })
    await administer(database, `drop trigger no_room on ${schema}.visits`)
    expect(await store.recordVisits(reports)).toEqual(['recorded'])
    expect(await store.totals()).toMatchObject({ visits: 1 })
    expect(await store.check()).toEqual([])
    await store.close()
  })
})

it('leases that a crashed server lost do not make a host that of two', async () => {
  const url = newSchema(database)
  const schema = new URL(url).searchParams.get('schema')
  const store = await openPostgresStore({ url })
  await store.addPages({ collection: 'c', now: 1, pages: [{ url: 'https://a.example/' }] })
  const ask = { collection: 'c', now: 1, limit: 9, perHost: 1, ttl: 9 }
  const [first] = await store.leaseDue({ ...ask, worker: 'one' })
  // Leases do not wait for the disk.
  await administer(
    database,
    `delete from ${schema}.leases; update ${schema}.frontier set holder = null, held_until = null`,
  )
  const [second] = await store.leaseDue({ ...ask, worker: 'two' })
  const booked = (lease: Lease) => {
    const fence = { token: lease.token, step: 1 }
    const record = { host: lease.host, state: {}, blockedUntil: 5, fence }
    return store.putHosts([record], { worker: lease.worker, now: 2 })
  }
  expect(await booked(first!)).toEqual([false])
  expect(await booked(second!)).toEqual([true])
  await store.close()
})

describe('a schema', () => {
  it('of another program is left alone', async () => {
    const url = newSchema(database)
    const schema = new URL(url).searchParams.get('schema')
    await administer(database, `create schema ${schema}; create table ${schema}.theirs (x int)`)
    expect(await refused(url)).toMatchObject({
      code: 'not-a-store',
      message: expect.stringMatching(/\?schema=NAME/),
    })
    const tables = await administer(
      database,
      `select relname from pg_class where relnamespace = '${schema}'::regnamespace`,
    )
    expect(tables).toEqual([{ relname: 'theirs' }])
  })

  it('of a newer Revisit is left alone, and none is begun by who only looks', async () => {
    const url = newSchema(database)
    expect(await refused(url, { readOnly: true })).toMatchObject({ code: 'no-store' })
    await (await openPostgresStore({ url })).close()
    const looking = await openPostgresStore({ url, readOnly: true })
    expect(await looking.collections()).toEqual([])
    await looking.close()
    const schema = new URL(url).searchParams.get('schema')
    await administer(database, `insert into ${schema}.revisit_schema values (999)`)
    expect(await refused(url)).toMatchObject({
      code: 'store-newer',
      message: expect.stringMatching(/schema 999.*Update Revisit/),
    })
  })

  it('is made by one of many who open it at once', async () => {
    const url = newSchema(database)
    const opened = await Promise.all([1, 2, 3, 4, 5].map(() => openPostgresStore({ url })))
    expect(await opened[0]!.check()).toEqual([])
    for (const store of opened) await store.close()
  })

  it('may be split by host, and works the same', async () => {
    const url = new URL(newSchema(database))
    url.searchParams.set('partitions', '3')
    const store = await openPostgresStore({ url: url.href })
    const pages = Array.from({ length: 30 }, (_, at) => ({ url: `https://h${at}.example/` }))
    await store.addPages({ collection: 'c', now: 1, pages })
    const ask = { collection: 'c', now: 1, limit: 99, perHost: 1, ttl: 9, worker: 'w' }
    expect(await store.leaseDue(ask)).toHaveLength(30)
    const parts = await administer<{ used: number }>(
      database,
      `select count(distinct tableoid)::int as used from ${url.searchParams.get('schema')}.pages`,
    )
    expect(parts).toEqual([{ used: 3 }])
    expect(await store.check()).toEqual([])
    await store.close()
  })
})

it('an address that is none is refused without a word of its password', async () => {
  for (const url of ['postgres://', 'postgres://u:secret@[', 'postgres://u:secret@h/d?schema=A B'])
    await expect(openPostgresStore({ url })).rejects.not.toThrow(/secret/)
})

it('an address of another kind is refused, and is no name of a file', () => {
  expect(isServerAddress('mysql://u:secret@h/d')).toBe(true)
  expect(() => serverAddress('mysql://u:secret@h/d')).toThrow(
    /^the address of the database cannot be read: it begins with mysql:\/\/; write postgres:/,
  )
  for (const file of ['revisit.db', '/data/revisit.db', 'C:\\data\\revisit.db', 'a:b.db'])
    expect(isServerAddress(file)).toBe(false)
})

/** The address of the server's own database. */
async function freeOf(url: string): Promise<string> {
  const own = new URL(url)
  own.pathname = '/postgres'
  return own.href
}

/**
 * Answers as PostgreSQL does to whoever connects, and gives one row to every
 * query: version, encoding and whether it is a replica.
 */
async function actor(row: readonly string[]): Promise<string> {
  const server = createServer((socket) => play(socket, row))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const place = server.address()
  return `postgres://u:p@127.0.0.1:${typeof place === 'object' ? place?.port : 0}/d`
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function play(socket: Socket, row: readonly string[]): void {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
  const int32 = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const ready = message('Z', Buffer.from('I'))
  // integer, text, boolean: their numbers in pg_type.
  const types = [23, 25, 16]
  const names = ['version', 'encoding', 'replica']
  const columns = names.flatMap((name, at) => [
    Buffer.from(`${name}\0`),
    int32(0),
    int16(0),
    int32(types[at]!),
    int16(4),
    int32(-1),
    int16(0),
  ])
  const cells = row.flatMap((cell) => [int32(cell.length), Buffer.from(cell)])
  let greeted = false
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    if (greeted && chunk[0] === 'X'.charCodeAt(0)) socket.end()
    else if (greeted)
      socket.write(
        Buffer.concat([
          message('T', int16(names.length), ...columns),
          message('D', int16(row.length), ...cells),
          message('C', Buffer.from('SELECT 1\0')),
          ready,
        ]),
      )
    else socket.write(Buffer.concat([message('R', int32(0)), ready]))
    greeted = true
  })
}
