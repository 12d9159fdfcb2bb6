import { writeSync } from 'node:fs'
import { Random } from '../dist/numeric/index.js'
import { openSqliteStore, openThreadedStore } from '../dist/store/index.js'
import { collection, crawlDelay, hostName, pageName, worker } from './kill-test-plan.mjs'

/**
 * Visits under load, to be killed: leases pages, records visits with state,
 * content and host, adds pages, and tells of each on stdout once the store has
 * acknowledged it. Started by kill-test.mjs.
 */

const [path, seed] = [process.argv[2], Number(process.argv[3])]
const random = new Random(seed)
// Some on a thread of its own.
const open = seed % 3 === 0 ? openThreadedStore : openSqliteStore
const store = await open({ path, lockWait: 5, retention: { newest: 2, youngerThan: 0 } })
// Every other time the pages of the one killed before are only free once their leases run out.
if (seed % 2 === 0) await store.releaseWorker(worker)
say({ ready: true })
await Promise.all([visitForEver(), addForEver()])

async function visitForEver() {
  for (;;) {
    const now = Date.now() / 1000
    const terms = { collection, now, limit: 30, perHost: 1, ttl: 0.3, worker }
    const leases = await store.leaseDue(terms)
    if (leases.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    // Some in calls of their own, which share a commit, and some in one call.
    const alone = leases.slice(0, leases.length / 2)
    const together = leases.slice(leases.length / 2)
    await Promise.all([...alone.map((lease) => record([lease])), record(together)])
  }
}

async function record(leases) {
  const reports = await Promise.all(leases.map(report))
  const results = await store.recordVisits(reports)
  for (const [at, { lease, visit }] of reports.entries()) {
    if (results[at] === 'recorded') say({ visited: lease.page.url, at: visit.at })
    else if (results[at] !== 'lease-lost') say({ wrong: `a report was ${results[at]}` })
  }
  if (reports.length === 0 || random.below(4) > 0) return
  const [again] = await store.recordVisits(reports.slice(0, 1))
  if (again !== 'lease-lost') say({ wrong: `a visit reported twice was ${again}` })
}

async function report(lease) {
  const { page } = lease
  const before = await store.getHost(page.host)
  const at = Math.max(Date.now() / 1000, (page.lastVisit?.at ?? 0) + 1e-5)
  const changed = random.below(2) === 0
  return {
    lease,
    visit: {
      at,
      outcome: page.lastSeen === null ? 'first' : changed ? 'changed' : 'unchanged',
      status: 200,
      gap: page.lastSeen === null ? null : at - page.lastSeen,
      contentAge: null,
      fingerprint: changed ? `f${at}` : null,
      bytes: 100,
      duration: 0.01,
      fault: null,
    },
    due: { at, reason: 'at once' },
    state: { learner: 'counter', numbers: Float64Array.of(page.visits + 1) },
    host: {
      host: page.host,
      state: { visits: (before?.state?.visits ?? 0) + 1 },
      blockedUntil: at + crawlDelay,
    },
    ...(changed ? { content: { body: bytes() } } : {}),
  }
}

/** Does not shrink: the log fills, and checkpoints come while we are killed. */
function bytes() {
  return Uint8Array.from({ length: 8000 }, () => random.below(256))
}

async function addForEver() {
  for (;;) {
    const pages = Array.from({ length: 5 }, () => ({
      url: `https://${hostName(random.below(40))}/${pageName(random.below(25))}`,
    }))
    await store.addPages({ collection, now: Date.now() / 1000, pages })
    for (const { url } of pages) say({ added: url })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** At once and whole: what was said before the kill is in the pipe. */
function say(message) {
  writeSync(1, `${JSON.stringify(message)}\n`)
}
