import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { type Columns, pageColumns, visitColumns } from '../../../src/store/schema.js'
import {
  checkSchema,
  checkUpToDate,
  migrate,
  migrations,
  schemaOf,
} from '../../../src/store/sqlite/migrations.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const steps = [
  { version: 1, sql: 'create table a (x); insert into a values (1)' },
  { version: 2, sql: 'alter table a add column y; update a set y = x + 1' },
  { version: 3, sql: 'create table b (z); insert into nowhere values (1)' },
]

describe('migrations', () => {
  it('have numbers that grow from 1', () => {
    const versions = migrations.map(({ version }) => version)
    expect(versions[0]).toBe(1)
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
  })

  it('are each taken once, and what was there is kept', () => {
    const path = join(tempFolder(), 'x.db')
    const db = new DatabaseSync(path)
    expect(schemaOf(db, path)).toBe(0)
    migrate(db, { path, migrations: steps.slice(0, 1) })
    expect(schemaOf(db, path)).toBe(1)
    migrate(db, { path, migrations: steps.slice(0, 2) })
    migrate(db, { path, migrations: steps.slice(0, 2) })
    expect(schemaOf(db, path)).toBe(2)
    expect({ ...db.prepare('select * from a').get() }).toEqual({ x: 1, y: 2 })
    db.close()
  })

  it('that fail leave the schema before them', () => {
    const path = join(tempFolder(), 'x.db')
    const db = new DatabaseSync(path)
    expect(() => migrate(db, { path, migrations: steps })).toThrow(/nowhere/)
    expect(schemaOf(db, path)).toBe(2)
    expect(
      db.prepare("select count(*) as b from sqlite_schema where name = 'b'").get(),
    ).toMatchObject({ b: 0 })
    db.close()
  })

  it('are refused where the file is newer, or only looked at and older', () => {
    const path = join(tempFolder(), 'x.db')
    const db = new DatabaseSync(path)
    migrate(db, { path, migrations: steps.slice(0, 2) })
    expect(() => checkSchema(db, { path, migrations: steps.slice(0, 1) })).toThrow(/newer Revisit/)
    expect(() => checkUpToDate(db, { path, migrations: steps })).toThrow(/older schema \(2;/)
    db.close()
  })

  it('keep the visits of a store from before unchanged times were kept (6), and then keep those', async () => {
    const path = join(tempFolder(), 'x.db')
    const db = new DatabaseSync(path)
    migrate(db, { path, migrations: migrations.filter(({ version }) => version <= 6) })
    expect(schemaOf(db, path)).toBe(6)
    db.exec(`
      insert into collections values (1, 'c');
      insert into hosts (id, name) values (1, 'a.example');
      insert into pages (id, collection, host, due, reason, url, added_at, importance, visits,
        last_at, last_outcome, last_seen, newest_visit)
        values (1, 1, 1, 10, 'new', 'https://a.example/', 1, 1, 1, 5, 2, 5, 1);
      insert into frontier (collection, host, due, pages) values (1, 1, 10, 1);
      insert into visits (id, page, at, outcome, status, bytes, duration) values (1, 1, 5, 2, 200, 7, 0.5)`)
    db.close()
    const store = await openSqliteStore({ path })
    const old = aVisit({ at: 5, outcome: 'first', bytes: 7, duration: 0.5 })
    expect(await store.visitsOf({ id: '1' })).toEqual([old])
    const due = { collection: 'c', now: 20, limit: 1, perHost: 1, ttl: 60, worker: 'w' }
    const [lease] = await store.leaseDue(due)
    const visit = aVisit({ at: 20, outcome: 'changed', gap: 15, unchangedFor: 12.5 })
    await store.recordVisits([{ lease: lease!, visit, due: { at: 'never', reason: 'done' } }])
    expect(await store.visitsOf({ id: '1' })).toEqual([old, visit])
    expect(await store.check()).toEqual([])
    await store.close()
  })

  it('let a lease read the index of ready hosts alone (from 9 on), with the hosts of before in it', async () => {
    const path = join(tempFolder(), 'x.db')
    const db = new DatabaseSync(path)
    const ready =
      'select host from frontier where collection = 1 and ready <= 20 order by ready, host'
    const plan = () => JSON.stringify(db.prepare(`explain query plan ${ready}`).all())
    migrate(db, { path, migrations: migrations.filter(({ version }) => version <= 8) })
    db.exec(`
      insert into frontier (collection, host, due, served, pages)
        values (1, 1, 10, 15, 1), (1, 2, 12, null, 1), (1, 3, 10, 21, 1), (1, 4, null, 5, 1)`)
    expect(plan()).toContain('USING INDEX frontier_by_ready')
    migrate(db, { path, migrations })
    expect(plan()).toContain('USING COVERING INDEX frontier_by_ready')
    expect(db.prepare(ready).all()).toMatchObject([{ host: 2 }, { host: 1 }])
    db.close()
  })

  it('keep hosts and leases of a store from before hosts were held (9)', async () => {
    const path = join(tempFolder(), 'x.db')
    const db = new DatabaseSync(path)
    migrate(db, { path, migrations: migrations.filter(({ version }) => version <= 9) })
    db.exec(`
      insert into collections values (1, 'c');
      insert into hosts (id, name, state, blocked_until) values (1, 'a.example', '{"x":1}', null);
      insert into pages (id, collection, host, due, reason, url, added_at, importance)
        values (1, 1, 1, 10, 'new', 'https://a.example/', 1, 1);
      insert into frontier (collection, host, due, pages) values (1, 1, 10, 1);
      update counters set value = 7 where name = 'token';
      insert into leases (page, collection, host, token, expires, worker)
        values (1, 1, 1, 7, 60, 'before')`)
    db.close()
    const store = await openSqliteStore({ path })
    const record = { host: 'a.example', state: { x: 1 }, blockedUntil: null }
    expect(await store.getHost('a.example')).toEqual(record)
    const terms = { host: 'a.example', ttl: 60, worker: 'after' }
    expect(await store.holdHost({ ...terms, now: 20 })).toBeNull()
    expect(await store.isReported({ page: { id: '1' }, token: 7 })).toBe(false)
    // The old lease runs out; its worker may write the host's record no more.
    const hold = await store.holdHost({ ...terms, now: 60 })
    expect(hold).toMatchObject({ token: 8, record: { state: { x: 1 } } })
    const late = { ...record, fence: { token: 7, step: 3 } }
    expect(await store.putHosts([late])).toEqual([false])
    expect(await store.check()).toEqual([])
    await store.close()
  })

  it('lead to the columns that the schema lists, each of its type', () => {
    const path = join(tempFolder(), 'x.db')
    const db = new DatabaseSync(path)
    migrate(db, { path, migrations })
    const listed = (columns: Columns) =>
      Object.fromEntries(columns.map(([name, type]) => [name, type.replace('numbers', 'blob')]))
    const inFile = (table: string) =>
      Object.fromEntries(
        db
          .prepare(
            `select name, type, "notnull" or pk as filled from pragma_table_info('${table}')`,
          )
          .all()
          .map(({ name, type, filled }) => [
            name,
            `${String(type).toLowerCase()}${filled === 0 ? '?' : ''}`,
          ]),
      )
    expect(inFile('pages')).toEqual({ ...listed(pageColumns), last_token: 'integer?' })
    expect(inFile('visits')).toEqual({
      ...listed(visitColumns),
      id: 'integer',
      previous: 'integer?',
    })
    db.close()
  })

  it('make the same store whoever opens it first', async () => {
    const path = join(tempFolder(), 'x.db')
    const stores = await Promise.all([openSqliteStore({ path }), openSqliteStore({ path })])
    for (const store of stores) {
      expect(await store.check()).toEqual([])
      await store.close()
    }
  })
})
