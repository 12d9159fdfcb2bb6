import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainLoop } from './crawl/plain-loop.mjs'
import { plainTables, revisitStore } from './crawl/plain-stores.mjs'
import { bareLoop, measured, median, rounds, sentHeaders, startServer } from './crawl/sides.mjs'

/**
 * What a plain loop of undici and a store reaches, which is no bound: with no
 * robots.txt, no delays, no limits, nothing read or learned, no addresses
 * checked. Pages are leased and visits recorded as in `bench/crawl.mjs`, by the
 * hundreds with full sync on a thread, over the same server with answers of
 * 304, as a share of the same bare loop. With tables of SQLite and nothing
 * besides, then with some microseconds of work for each visit, then with the
 * store of Revisit: what is left for all that a visit has to do besides.
 */

export const name = 'undici and a store alone, against bare undici'

export async function run({ print }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-'))
  const server = await startServer()
  const { bases } = server
  const tables = plainTables({ path: join(folder, 'floor.db'), bases })
  const own = await revisitStore({ path: join(folder, 'revisit.db'), bases })
  const sides = [
    { store: tables, work: 0, reported: 'plain tables, nothing more' },
    { store: tables, work: 10, reported: 'plain tables, 10 microseconds of work each' },
    { store: tables, work: 20, reported: 'plain tables, 20 microseconds of work each' },
    { store: own, work: 0, reported: "Revisit's store, nothing more" },
  ].map((side) => ({ ...side, shares: [] }))
  try {
    await server.serve({ generation: 1, reported: true })
    for (let round = 0; round <= rounds; round++)
      for (const { store, work, shares } of sides) {
        const bare = await measured(() =>
          bareLoop(bases, { reported: true, generation: 1, sent: sentHeaders }),
        )
        store.begin()
        const plain = await measured(() => plainLoop({ store, work }))
        if (round > 0) shares.push(bare.seconds / plain.seconds)
      }
    for (const { reported, shares } of sides)
      print(`304s, ${reported}: share ${median(shares).toFixed(2)}`)
  } finally {
    await tables.close()
    await own.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
