// One of two processes on one store. Before it connects it says so, and waits for a line on stdin:
// so it can be stopped just there, and go on when its lease is over.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openCrawler } from '../../dist/crawler/index.js'
import { malcolmArmitageLearner as learner } from '../../dist/estimators/index.js'
import { HttpFetcher } from '../../dist/fetch/index.js'
import { fixed } from '../../dist/policies/index.js'
import { openSqliteStore } from '../../dist/store/index.js'

const [path, collection, delay, leaseTime] = process.argv.slice(2)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const store = await openSqliteStore({ path })
const clock = { now: () => Date.now() / 1000, sleep: async () => {} }
const crawler = await openCrawler({
  store,
  collection,
  delay: Number(delay),
  leaseTime: Number(leaseTime),
  contact: 'frozen@example.org',
  fetcher: new HttpFetcher({
    clock,
    contact: 'frozen@example.org',
    version: '0',
    allowedNetworks: ['127.0.0.0/8'],
    async resolve() {
      writeSync(1, 'connects\n')
      await lines.next()
      return [{ address: '127.0.0.1', family: 4 }]
    },
  }),
  plannerFor: () => ({ policy: fixed({ gap: 0.1 }), learner }),
  pollEvery: 0.1,
})
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
await crawler.run({ signal: stop.signal })
await crawler.close()
await store.close()
process.exit()
