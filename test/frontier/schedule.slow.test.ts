import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { byFrontier, byStormCrawler, ownLoop } from './demo-crawl.js'

/**
 * By how much `revisit evaluate` finds the default above StormCrawler's rule on
 * recorded histories at one visit a page and day: 41% of 1 - .9767
 * (docs/notes/default-first-version.md).
 */
const margin = 0.41 * (1 - 0.9767)

it('a frontier keeps copies as fresh as our own loop does, for as many requests', async () => {
  const run = { seed: 1, days: 40, perPage: 1 }
  const store = await openSqliteStore({ path: join(tempFolder(), 'a.db'), unsynced: true })
  onTestFinished(() => store.close())
  const own = await ownLoop(run)
  const frontier = await byFrontier(store, run)
  const storm = await byStormCrawler({ ...run, perPage: frontier.perPage })
  process.stderr.write(`${JSON.stringify({ own, frontier, storm })}\n`)
  expect(Math.abs(frontier.perPage / own.perPage - 1)).toBeLessThan(0.05)
  expect(frontier.freshness).toBeGreaterThan(own.freshness - 0.01)
  expect(frontier.freshness).toBeGreaterThan(storm.freshness + margin)
}, 900_000)
