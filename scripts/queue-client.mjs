import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '../dist/numeric/index.js'
import { openPostgresStore, openSqliteStore } from '../dist/store/index.js'

/**
 * A client of a store's queues, in a process of its own, for the tests of the
 * gate: it asks for addresses, reports on most of them, lets some leases run
 * out, and writes down each thing once it is acknowledged. It goes on until its
 * standard input ends.
 *
 *   node scripts/queue-client.mjs '{"path": ..., "seed": 1, ...}'
 */
const { path, url, seed, collection, perQueue, maxQueues, ttl, again } = JSON.parse(process.argv[2])
const store = url === undefined ? await openSqliteStore({ path }) : await openPostgresStore({ url })
const random = new Random(seed)
const clock = () => (performance.timeOrigin + performance.now()) / 1000
/** By the store's clock, where it has one. */
const ahead = ((await store.now()) ?? clock()) - clock()
const note = (event) => writeSync(1, `${JSON.stringify(event)}\n`)

let isOver = false
process.stdin.resume().once('end', () => {
  isOver = true
})
while (!isOver) {
  const now = clock() + ahead
  const asked = clock()
  const given = await store.queues.give({ collection, maxQueues, perQueue, ttl, now })
  note({
    event: 'given',
    now,
    asked,
    pages: given.map(({ key, url, expiresAt }) => ({ key, url, expiresAt })),
  })
  await pause(random.below(10))
  const reported = given.filter(() => random.below(10) > 0)
  if (reported.length > 0) await report(reported)
  else await pause(5)
}
await store.close()

async function report(given) {
  const now = clock() + ahead
  const claims = await store.queues.claim(given)
  const due = { at: again === null ? 'never' : now + again, reason: 'by the test' }
  const items = claims.map((lease) => ({
    report: { lease, visit: aVisit(now), due },
    metadata: { by: [String(seed)] },
  }))
  const results = await store.queues.report(items, now)
  const done = claims.filter((_, at) => results[at] === 'recorded')
  note({
    event: 'reported',
    now,
    answered: clock(),
    pages: done.map(({ host: key, page: { url } }) => ({ key, url })),
  })
}

function aVisit(at) {
  const nothing = { gap: null, contentAge: null, fingerprint: null, fault: null }
  return { at, outcome: 'first', status: 200, bytes: 0, duration: 0.01, ...nothing }
}
