import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { Random } from '../dist/numeric/index.js'
import { openSqliteStore } from '../dist/store/index.js'

/**
 * The SQLite store with a million pages on 10,000 hosts: a lease of 1,000 due
 * pages, visits recorded in batches of 100, memory, and bytes on disk. Runs
 * alone too: node bench/store.mjs [PAGES]
 */

export const name = 'store: leases and visits among 1,000,000 pages'

const hosts = 10_000
const start = 1_700_000_000
const collection = 'bench'
const leaseLimit = 10
const memoryLimit = 600
const learnerSize = 70

export async function run({ print, pages = 1_000_000 }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-'))
  const path = join(folder, 'revisit.db')
  const memory = watchMemory()
  try {
    let store = await openSqliteStore({ path })
    const filled = await timed(() => fill(store, pages))
    print(`${pages} pages added: ${Math.round(pages / filled)} pages/s`)
    await store.close()
    print(`${(statSync(path).size / pages).toFixed(0)} bytes a page that was never visited`)
    store = await openSqliteStore({ path })
    const slow = await measureLeases(store, { print, pages })
    await measureVisits(store, { print, path })
    print(`peak memory ${memory.peak()} MB (limit ${memoryLimit} MB)`)
    if (slow > leaseLimit) throw new Error(`a lease of 1,000 took ${slow.toFixed(1)} ms`)
    if (memory.peak() > memoryLimit) throw new Error(`peak memory over ${memoryLimit} MB`)
  } finally {
    memory.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(store, pages) {
  const random = new Random(1)
  for (let from = 0; from < pages; from += 10_000) {
    const chunk = Array.from({ length: Math.min(10_000, pages - from) }, (_, at) => ({
      url: `https://host${random.below(hosts)}.example.org/section/page-${from + at}.html`,
      due: { at: start + random.below(1_000_000), reason: 'every 3.2 days, by its changes so far' },
    }))
    await store.addPages({ collection, now: start, pages: chunk })
  }
}

/**
 * Few due, half due, all due: the cost must not go with what is stored. The
 * limit is held by the fastest of 31, which other work on the machine does not
 * lengthen.
 */
async function measureLeases(store, { print, pages }) {
  let slowest = 0
  for (const share of [0.01, 0.5, 1]) {
    const now = start + share * 1_000_000
    const times = []
    for (let turn = 0; turn < 31; turn++) {
      const terms = { collection, now, limit: 1000, perHost: 1, ttl: 60, worker: 'bench' }
      let leases
      times.push(1000 * (await timed(async () => (leases = await store.leaseDue(terms)))))
      if (leases.length !== 1000) throw new Error(`only ${leases.length} pages were leased`)
      await store.releaseLeases(leases)
    }
    times.sort((a, b) => a - b)
    const [fastest, median] = [times[0], times[15]]
    slowest = Math.max(slowest, fastest)
    const due = Math.round(share * pages)
    print(
      `lease of 1,000 among ${due} due of ${pages}: ${median.toFixed(1)} ms (median of 31; fastest ${fastest.toFixed(1)}, limit ${leaseLimit})`,
    )
  }
  return slowest
}

async function measureVisits(store, { print, path }) {
  const now = start + 1_000_000
  const visits = 20_000
  const random = new Random(2)
  let spent = 0
  for (let done = 0; done < visits; done += 1000) {
    const terms = {
      collection,
      now: now + done,
      limit: 1000,
      perHost: 1,
      ttl: 600,
      worker: 'bench',
    }
    const leases = await store.leaseDue(terms)
    const reports = leases.map((lease, at) => report(lease, { at: now + done + at / 1000, random }))
    for (let from = 0; from < reports.length; from += 100)
      spent += await timed(() => store.recordVisits(reports.slice(from, from + 100)))
  }
  print(`visits recorded in batches of 100, each synced: ${Math.round(visits / spent)} visits/s`)
  const { contents, bytes } = await contentsToo(store, { now: now + visits, random })
  print(`the same with new content of ${bytes} bytes each: ${contents} visits/s`)
  await reportBytes(store, { print, path })
}

function report({ page, ...lease }, { at, random, body }) {
  return {
    lease: { page, ...lease },
    visit: {
      at: at + 0.123,
      outcome: page.lastSeen === null ? 'first' : 'unchanged',
      status: 200,
      gap: page.lastSeen === null ? null : at + 0.123 - page.lastSeen,
      contentAge: null,
      fingerprint: null,
      bytes: 10_240,
      duration: 0.081,
      fault: null,
    },
    due: { at: at + 1e6 * (1 + random.uniform()), reason: 'every 3.2 days, by its changes so far' },
    state: { learner: 'irregular-mle', numbers: numbers(random) },
    validators: { etag: '"5f1e-5d2a9c0b7e3c0"' },
    host: { host: page.host, state: { delay: 1, failures: 0 }, blockedUntil: at + 1 },
    ...(body === undefined ? {} : { content: { body, mediaType: 'text/html' } }),
  }
}

/** A learner's state: most of its bins are empty. */
function numbers(random) {
  const state = new Float64Array(learnerSize)
  for (let at = 0; at < 12; at++) state[random.below(learnerSize)] = random.uniform()
  return state
}

async function contentsToo(store, { now, random }) {
  const count = 2000
  const leases = await store.leaseDue({
    collection,
    now: now + 1,
    limit: count,
    perHost: 1,
    ttl: 600,
    worker: 'bench',
  })
  const bodies = leases.map(({ page }) => html(page.url, random))
  const reports = leases.map((lease, at) =>
    report(lease, { at: now + 2, random, body: bodies[at] }),
  )
  let spent = 0
  for (let from = 0; from < reports.length; from += 100)
    spent += await timed(() => store.recordVisits(reports.slice(from, from + 100)))
  return { contents: Math.round(reports.length / spent), bytes: bodies[0].length }
}

function html(url, random) {
  const rows = Array.from(
    { length: 130 },
    (_, at) =>
      `<p class="item" id="${at}">Item ${random.below(1e9)} of <a href="${url}">it</a></p>`,
  )
  return Buffer.from(`<!doctype html><title>${url}</title>${rows.join('\n')}`)
}

async function reportBytes(store, { print, path }) {
  const totals = await store.totals()
  await store.close()
  const sizes = tableSizes(path)
  print(`${(sizes.get('visits') / totals.visits).toFixed(0)} bytes a visit`)
  const { snapshots, contentBytes, packedBytes } = totals
  const [plain, packed] = [contentBytes / snapshots, packedBytes / snapshots].map(Math.round)
  print(`${snapshots} contents of ${plain} bytes on average take ${packed} each`)
}

/** Bytes of the file by table. */
function tableSizes(path) {
  const db = new DatabaseSync(path, { readOnly: true })
  const rows = db.prepare('select name, sum(pgsize) as bytes from dbstat group by name').all()
  db.close()
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}

async function timed(work) {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** The most that the process took, looked at often; SQLite's own memory counts. */
function watchMemory() {
  let most = 0
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 20)
  return {
    stop: () => clearInterval(timer),
    peak: () => {
      look()
      return Math.round(most / 1024 / 1024)
    },
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const pages = Number(process.argv[2] ?? 1_000_000)
  await run({ print: (line) => console.log(line), pages })
}
