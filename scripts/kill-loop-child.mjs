import { writeSync } from 'node:fs'
import { openCrawler } from '../dist/crawler/index.js'
import { malcolmArmitageLearner as learner } from '../dist/estimators/index.js'
import { Random } from '../dist/numeric/index.js'
import { fixed } from '../dist/policies/index.js'
import { openSqliteStore, openThreadedStore } from '../dist/store/index.js'

/**
 * The whole loop (HTTP, politeness, SQLite) under load, to be killed; tells of
 * each visit on stdout once it is recorded. Started by kill-loop.mjs.
 */

const [path, collection, delay, seed] = process.argv.slice(2)
const worker = 'killed'
// Two in three as `revisit run` does it.
const open = Number(seed) % 3 === 0 ? openSqliteStore : openThreadedStore
const store = await open({ path })
// Every other time the pages of the one killed before are free only when their leases run out.
if (Number(seed) % 2 === 0) await store.releaseWorker(worker)
const planner = { policy: fixed({ gap: 0.1 }), learner }
const crawler = await openCrawler({
  store,
  collection,
  worker,
  contact: 'test@localhost',
  allowedNetworks: ['127.0.0.0/8'],
  delay: Number(delay),
  random: new Random(Number(seed)),
  plannerFor: () => planner,
  concurrency: 64,
  ahead: 1 + (Number(seed) % 4),
  leaseTime: 1,
  pollEvery: 0.05,
})
await crawler.run({
  // At once and whole: what was said before the kill is in the pipe.
  onVisit({ visit, lease }) {
    writeSync(1, `${JSON.stringify({ url: lease.page.url, at: visit.at })}\n`)
  },
})
