import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { Database } from '../../../src/store/sqlite/file/database.js'
import { handedOver } from '../../../src/store/sqlite/file/statement.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const collection = 'c'
const due = { collection, limit: 100, perHost: 1, ahead: 100, ttl: 60, worker: 'w' }

const db = new Database(new DatabaseSync(':memory:'), ':memory:')

/** The items of a list with their places; the lowest integer has no absolute value. */
const items = db.wideStatement(
  (_, slot) => sql<readonly [unknown, number]>`
    select count(abs(given.value)),
      count(${handedOver([sql.ref('given.value'), sql.ref('given.key')])})
    from json_each(${slot('list')}) as given`,
)

describe('rows handed over by SQLite', () => {
  it('come in their order, each as it is', () => {
    const list = [1, -2.5, null, 'ü "x"', 1e300, 2 ** 53 - 1]
    const statement = items()
    const rows = list.map((item, at) => [item, at])
    expect(statement.all({ list: JSON.stringify(list) })).toEqual(rows)
    expect(statement.all({ list: '[]' })).toEqual([])
  })

  it('do not stay for the next statement where one fails in the middle', () => {
    const statement = items()
    expect(() => statement.all({ list: '[1, 2, -9223372036854775808]' })).toThrow(
      /integer overflow/,
    )
    expect(statement.all({ list: '[7]' })).toEqual([[7, 0]])
  })

  it('let nothing else run meanwhile, wherever they are asked for', async () => {
    const statement = items()
    let others = 0
    const ask = () => {
      const begun = others
      void Promise.resolve().then(() => others++)
      process.nextTick(() => others++)
      expect(statement.all({ list: '[1, 2, 3]' })).toHaveLength(3)
      expect(others).toBe(begun)
    }
    ask()
    await null
    ask()
    await new Promise((done) => setTimeout(done, 1))
    ask()
    await new Promise<void>((done, failed) =>
      setImmediate(() => {
        try {
          ask()
          done()
        } catch (cause) {
          failed(cause)
        }
      }),
    )
    expect(others).toBeGreaterThan(0)
  })
})

describe('a leased page', () => {
  it('is the page that is read by its address', async () => {
    const text = fc.string({ unit: 'grapheme' }).map((given) => given.replaceAll('\0', ''))
    const time = fc.double({ min: 1, max: 4e9, noNaN: true })
    const page = fc.record({
      path: fc.stringMatching(/^[a-z0-9%-]{0,20}$/),
      at: time,
      reason: text,
      importance: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      group: fc.option(
        text.filter((name) => name.trim() !== ''),
        { nil: undefined },
      ),
      hints: fc.option(fc.dictionary(text, text), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 20 }), time, async (some, now) => {
        const store = await openSqliteStore({ path: join(tempFolder(), 'x.db') })
        const pages = some.map(({ path, at, reason, group, hints, importance }) => ({
          url: `https://a.example/${path}`,
          due: { at, reason },
          importance,
          ...(group === undefined ? {} : { group }),
          ...(hints === undefined ? {} : { hints }),
        }))
        await store.addPages({ collection, now, pages })
        const leases = await store.leaseDue({ ...due, now: 5e9 })
        expect(leases).toHaveLength(new Set(pages.map(({ url }) => url)).size)
        const dues = leases.map((lease) => lease.page.due.at)
        expect(dues).toEqual(dues.toSorted((a, b) => Number(a) - Number(b)))
        for (const { page: leased } of leases)
          expect(leased).toEqual(await store.getPage({ id: leased.id }))
        const tokens = leases.map(({ token }) => token)
        expect(tokens).toEqual(tokens.map((_, at) => tokens[0]! + at))
        await store.close()
      }),
      { numRuns: 30 },
    )
  })
})
