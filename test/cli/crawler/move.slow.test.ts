import { join } from 'node:path'
import { expect, it } from 'vitest'
import { killedMove as killedAndCompared } from '../../../scripts/move-test.mjs'
import { collectionChecksums } from '../../../src/crawler/move/store-checksums.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { newDatabase } from '../../fixtures/postgres.js'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { fill, killedMove } from './moved-store.js'

const collection = 'news'
const pages = 20_000
const visits = 20

it('a move of many pages and visits to another file, killed twice, leaves the same there', async () => {
  const [from, to] = [join(tempFolder(), 'from.db'), join(tempFolder(), 'to.db')]
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
}, 600_000)

it('and to PostgreSQL', async () => {
  const url = await newDatabase()
  const { moved } = await killedAndCompared({ pages, visits: pages * visits, url })
  expect(moved).toMatchObject({ same: true, to: { visits: { count: pages * visits } } })
}, 600_000)
