/**
 * What a plain loop of undici and SQLite alone reaches, which is no bound: with no
 * robots.txt, no delays, no limits, nothing read or learned, no addresses
 * checked. Pages are leased and visits recorded as in `bench/crawl.mjs`, by the
 * hundreds with full sync on a thread, over the same server with answers of
 * 304, as a share of the same bare loop. Then the same with some microseconds of
 * work for each visit: what is left for all that a visit has to do besides.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Agent } from 'undici'
import {
  bareLoop,
  etagOf,
  hosts,
  measured,
  median,
  pages,
  rounds,
  startServer,
} from './crawl/sides.mjs'

export const name = 'undici and SQLite alone, against bare undici'

const generation = 1
const works = [0, 10, 20]
/** Pages of each host leased together, and how long a commit waits for more visits, as the loop has it. */
const [many, pace] = [8, 40]
const plainHeaders = {
  'user-agent': 'Revisit/0 (+mailto:bench@localhost)',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
}

export async function run({ print }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-'))
  const server = await startServer()
  const store = openStore({ path: join(folder, 'floor.db'), bases: server.bases, pages })
  try {
    await server.serve({ generation, told: true })
    const shares = works.map(() => [])
    for (let round = 0; round <= rounds; round++)
      for (const [at, work] of works.entries()) {
        const bare = await measured(() => bareLoop(server.bases, { told: true, generation }))
        const floor = await measured(() => floorLoop({ bases: server.bases, store, work }))
        if (round > 0) shares[at].push(bare.seconds / floor.seconds)
      }
    for (const [at, work] of works.entries())
      print(`304s, ${work} microseconds of work each: share ${median(shares[at]).toFixed(2)}`)
  } finally {
    await store.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function openStore(workerData) {
  const worker = new Worker(new URL('crawl/floor-store.mjs', import.meta.url), { workerData })
  const waiting = new Map()
  let last = 0
  worker.on('message', ({ id, result }) => {
    waiting.get(id)(result)
    waiting.delete(id)
  })
  const call = (method, args, moved = []) =>
    new Promise((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      worker.postMessage({ id, method, args }, moved)
    })
  return { call, close: () => worker.terminate() }
}

/** All pages once: leased by the handful, asked for host by host, recorded in shared commits. */
function floorLoop({ bases, store, work }) {
  const agent = new Agent({ connections: 1, pipelining: 1 })
  const queues = bases.map(() => [])
  const idle = new Set(bases.keys())
  let [leasedUpTo, leasing, atHand, recorded, committing] = [0, false, 0, 0, false]
  let visits = []
  return new Promise((resolve, reject) => {
    lease().catch(reject)

    async function lease() {
      if (leasing || leasedUpTo >= pages || atHand > 300) return
      leasing = true
      const rows = await store.call('lease', { from: leasedUpTo, many })
      leasedUpTo += many
      for (const row of rows) queues[row[2]].push(row)
      atHand += rows.length
      leasing = false
      for (const site of idle) ask(site)
    }

    function ask(site) {
      const row = queues[site].shift()
      idle[row === undefined ? 'add' : 'delete'](site)
      if (row === undefined) return
      atHand--
      lease().catch(reject)
      const [id] = row
      const page = (id - 1) % pages
      const headers = { ...plainHeaders, 'if-none-match': etagOf({ site, page, generation }) }
      const begun = Date.now()
      agent.dispatch(
        { origin: bases[site], path: `/page/${page}`, method: 'GET', headers },
        {
          onRequestStart() {},
          onResponseStart(_, status) {
            if (status !== 304) reject(new Error(`status ${status}`))
          },
          onResponseData() {},
          onResponseEnd() {
            if (work > 0) busy(work)
            visits.push(id, begun / 1000, 86_400, (Date.now() - begun) / 1000)
            if (!committing) commit().catch(reject)
            ask(site)
          },
          onResponseError: (_, error) => reject(error),
        },
      )
    }

    async function commit() {
      committing = true
      await new Promise((go) => setTimeout(go, recorded === 0 ? 0 : pace / 2))
      const packed = Float64Array.from(visits)
      visits = []
      recorded += await store.call('record', { visits: packed }, [packed.buffer])
      committing = false
      if (visits.length > 0) await commit()
      else if (recorded === hosts * pages) agent.close().then(resolve, reject)
    }
  })
}

function busy(microseconds) {
  const until = performance.now() + microseconds / 1000
  while (performance.now() < until);
}
