import { writeSync } from 'node:fs'

/**
 * One worker on PostgreSQL, to be killed, frozen and cut off; tells of each
 * visit on stdout once it is recorded. Started by chaos.mjs. Its clock may be
 * ahead: that is set before anything else is loaded.
 */

const [url, collection, delay, worker, ahead, leaseTime] = process.argv.slice(2)
const realNow = Date.now
Date.now = () => realNow() + Number(ahead) * 1000

const { openCrawler } = await import('../dist/crawler/index.js')
const { malcolmArmitageLearner: learner } = await import('../dist/estimators/index.js')
const { Random } = await import('../dist/numeric/index.js')
const { fixed } = await import('../dist/policies/index.js')
const { openPostgresStore } = await import('../dist/store/index.js')

// A server that is just being started again is waited for.
const store = await openPostgresStore({ url, openWithin: 60 })
const planner = { policy: fixed({ gap: 0.1 }), learner }
const crawler = await openCrawler({
  store,
  collection,
  worker,
  // The web server's log tells by it who asked.
  contact: `${worker}@localhost`,
  allowedNetworks: ['127.0.0.0/8'],
  delay: Number(delay),
  random: new Random(worker.length),
  plannerFor: () => planner,
  concurrency: 32,
  ahead: 2,
  leaseTime: Number(leaseTime),
  pollEvery: 0.2,
})
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
await crawler.run({
  signal: stop.signal,
  onVisit({ visit, lease }) {
    writeSync(1, `${JSON.stringify({ url: lease.page.url, at: visit.at })}\n`)
  },
})
await crawler.close()
await store.close()
