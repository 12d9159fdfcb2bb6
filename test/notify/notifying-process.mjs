import { systemClock } from '../../dist/crawler/index.js'
import { Notifier } from '../../dist/notify/index.js'
import { Random } from '../../dist/numeric/index.js'
import { openSqliteStore } from '../../dist/store/index.js'

/** A process that notifies until it is killed: node notifying-process.mjs DATABASE. */

const store = await openSqliteStore({ path: process.argv[2] })
const notifier = new Notifier({
  store,
  collection: 'default',
  clock: systemClock,
  random: new Random(process.pid),
  worker: `test:${process.pid}`,
  version: '0.0.0',
  allowedNetworks: ['127.0.0.0/8'],
  pollEvery: 0.01,
  holdTime: 0.3,
  retry: { firstWait: 0.005, longestWait: 0.02 },
  onError: (error) => process.stderr.write(String(error)),
})
await notifier.run(new AbortController().signal)
