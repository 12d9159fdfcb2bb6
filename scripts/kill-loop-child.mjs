import { writeSync } from 'node:fs'
import { rememberingPageReader } from '../dist/content/index.js'
import { Cycle, systemClock as clock } from '../dist/crawler/index.js'
import { malcolmArmitageLearner as learner } from '../dist/estimators/index.js'
import { HttpFetcher } from '../dist/fetch/index.js'
import { Random } from '../dist/numeric/index.js'
import { fixed } from '../dist/policies/index.js'
import { openSqliteStore, openThreadedStore } from '../dist/store/index.js'
import { HostGate, PoliteVisitor, StoredVisitor } from '../dist/visit/index.js'

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
const gate = new HostGate({ clock, politeness: { delay: Number(delay) } })
const allowedNetworks = ['127.0.0.0/8']
const fetcher = new HttpFetcher({ clock, contact: 'test@localhost', version: '0', allowedNetworks })
const planner = { policy: fixed({ gap: 0.1 }), learner }
const cycle = new Cycle(
  {
    store,
    clock,
    visitor: new StoredVisitor({
      visitor: new PoliteVisitor({ fetcher, gate, clock }),
      gate,
      now: () => clock.now(),
    }),
    reader: rememberingPageReader(),
    random: new Random(Number(seed)),
    plannerFor: () => planner,
  },
  {
    collection,
    worker,
    concurrency: 64,
    ahead: 1 + (Number(seed) % 4),
    leaseTime: 1,
    pollEvery: 0.05,
  },
)
await cycle.run({
  // At once and whole: what was said before the kill is in the pipe.
  onVisit({ visit, lease }) {
    writeSync(1, `${JSON.stringify({ url: lease.page.url, at: visit.at })}\n`)
  },
})
