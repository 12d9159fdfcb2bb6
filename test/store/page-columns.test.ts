import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { stepsOf } from '../../src/store/postgres/migrations.js'
import { type Columns, pageColumns } from '../../src/store/schema.js'
import { migrate, migrations, migrationsOf } from '../../src/store/sqlite/migrations.js'
import { administer, newDatabase } from '../fixtures/postgres.js'

/** The step after the newest of each store. */
const since = {
  sqlite: migrations.at(-1)!.version + 1,
  postgres: stepsOf(0).at(-1)!.version + 1,
}
/** The list of columns as it would be with three more. */
const longer: Columns = [
  ...pageColumns,
  ['extra_text', 'text?', since],
  ['extra_real', 'real?', since],
  ['extra_count', 'integer', since],
]

describe('a column that is added to the list of columns of pages', () => {
  it('is a step of its own in a file, and its pages stay', () => {
    const db = new DatabaseSync(':memory:')
    migrate(db, { path: 'x.db', migrations })
    db.exec(`insert into pages (id, collection, host, reason, url, added_at, importance)
      values (7, 1, 1, 'new', 'https://a.example/', 1, 1)`)
    migrate(db, { path: 'x.db', migrations: migrationsOf(longer) })
    expect({
      ...db.prepare('select id, extra_text, extra_real, extra_count from pages').get(),
    }).toEqual({
      id: 7,
      extra_text: null,
      extra_real: null,
      extra_count: 0,
    })
    db.close()
  })

  it('leaves the steps that were released as they were', () => {
    expect(migrationsOf(longer).slice(0, -1)).toEqual(migrations)
    for (const partitions of [0, 2])
      expect(stepsOf(partitions, longer).slice(0, -1)).toEqual(stepsOf(partitions))
  })

  it('is a step of its own on PostgreSQL, and its pages stay', async () => {
    const url = await newDatabase()
    const textOf = (columns: Columns, from: number) =>
      stepsOf(2, columns)
        .filter(({ version }) => version >= from)
        .map(({ sql }) => sql)
        .join('\n')
    await administer(url, textOf(pageColumns, 0))
    await administer(
      url,
      `insert into page_states (host, page, collection, reason) values (5, 7, 1, 'new')`,
    )
    await administer(url, textOf(longer, since.postgres))
    expect(
      await administer(url, 'select page, extra_text, extra_real, extra_count from page_states'),
    ).toEqual([{ page: '7', extra_text: null, extra_real: null, extra_count: '0' }])
  })
})
