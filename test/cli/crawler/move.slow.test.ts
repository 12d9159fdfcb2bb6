import { join } from 'node:path'
import { expect, it } from 'vitest'
import { collectionChecksums } from '../../../src/crawler/move/store-checksums.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { newDatabase } from '../../fixtures/postgres.js'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { fill, killedMove } from './moved-store.js'

const collection = 'news'

/** REVISIT_MOVE_PAGES and REVISIT_MOVE_VISITS ask for more: 1000000 and 20 are a million pages and 20 million visits. */
const pages = Number(process.env.REVISIT_MOVE_PAGES ?? 20_000)
const visits = Number(process.env.REVISIT_MOVE_VISITS ?? 20)

it.each([
  ['another file', async () => join(tempFolder(), 'to.db')],
  ['PostgreSQL', newDatabase],
])(
  'a move of many pages and visits to %s, killed twice, leaves the same there',
  async (_, target) => {
    const from = join(tempFolder(), 'from.db')
    const to = await target()
    const source = await openSqliteStore({ path: from, unsynced: true })
    await fill(source, { collection, pages, visits, seed: 4 })
    const before = await collectionChecksums(source, collection)
    await source.close()
    await killedMove(from, to, (pages * visits) / 10)
    await killedMove(from, to, (pages * visits) / 2)
    const { code, out } = await runCli(['move', from, to, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual([{ collection, from: before, to: before, same: true }])
    expect(before.visits.count).toBe(pages * visits)
  },
  7_200_000,
)
