/**
 * Visits a second with full recording (politeness, reading, learning, SQLite
 * with full sync on its own thread, as `revisit run` has it), as a share of a bare undici loop that only reads the bodies:
 * 50 hosts x 200 pages of 10 KB, delay 0, one connection a host on both sides.
 * Once with answers of 200, half of them changed, and once with answers of 304.
 * The bare loop runs before and after, and its mean is compared with. Runs
 * alone too: node bench/crawl.mjs
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Agent } from 'undici'
import {
  HostGate,
  HttpFetcher,
  PoliteVisitor,
  rememberingPageReader,
  StoredVisitor,
} from '../dist/crawl/index.js'
import { Cycle } from '../dist/engine/index.js'
import { malcolmArmitageLearner } from '../dist/estimate/index.js'
import { Random } from '../dist/numeric/index.js'
import { malcolmArmitage } from '../dist/schedule/index.js'
import { openThreadedStore } from '../dist/store/index.js'

export const name = 'the loop over HTTP with full recording, against bare undici'

const hosts = 50
const pages = 200
const collection = 'bench'
const targets = { 200: 0.35, 304: 0.5 }
const year = 365 * 86_400

export async function run({ print }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-'))
  const server = await startServer()
  const loop = await openLoop(join(folder, 'revisit.db'), server.bases)
  try {
    await server.serve({ generation: 0, told: false })
    await measured(() => loop.visitAll())
    const plain = await compared({ loop, server, status: 200 })
    tell(print, plain)
    // The ETags are told once, then nothing changes.
    await server.serve({ generation: 1, told: true })
    await loop.visitAll()
    tell(print, await compared({ loop, server, status: 304 }))
    const problems = await loop.store.check()
    if (problems.length > 0) throw new Error(problems.join('; '))
  } finally {
    await loop.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compared({ loop, server, status }) {
  const told = status === 304
  await server.serve({ generation: 1, told })
  const before = await measured(() => bareLoop(server.bases, { told }))
  const { seconds, outcomes } = await measured(() => loop.visitAll())
  const after = await measured(() => bareLoop(server.bases, { told }))
  const bare = (before.seconds + after.seconds) / 2
  return { status, outcomes, speed: (hosts * pages) / seconds, bare: (hosts * pages) / bare }
}

function tell(print, { status, outcomes, speed, bare }) {
  const share = speed / bare
  const seen = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`)
  const verdict = share >= targets[status] ? 'reached' : 'MISSED'
  print(
    `${status}s: ${Math.round(speed)} visits/s (${seen.join(', ')}), bare undici ${Math.round(bare)}/s: share ${share.toFixed(2)} (target ${targets[status]}: ${verdict})`,
  )
}

async function measured(work) {
  const begun = performance.now()
  const outcomes = await work()
  return { seconds: (performance.now() - begun) / 1000, outcomes }
}

/** As the loop does it: one connection a host, one request at a time on each. */
async function bareLoop(bases, { told }) {
  const agent = new Agent({ connections: 1, pipelining: 1 })
  await Promise.all(
    bases.map(async (origin, site) => {
      for (let page = 0; page < pages; page++) {
        const headers = told
          ? { 'if-none-match': `"${site}-${page}-${page % 2 === 0 ? 1 : 0}"` }
          : {}
        const path = `/page/${page}`
        const { statusCode, body } = await agent.request({ origin, path, method: 'GET', headers })
        await body.arrayBuffer()
        if (statusCode !== (told ? 304 : 200)) throw new Error(`${origin}${path}: ${statusCode}`)
      }
    }),
  )
  await agent.close()
}

/** The whole loop; before each round its clock jumps a year ahead, so that every page is due. */
async function openLoop(path, bases) {
  let ahead = 0
  const clock = {
    now: () => Date.now() / 1000 + ahead,
    sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  }
  const store = await openThreadedStore({ path })
  const urls = bases.flatMap((base) =>
    Array.from({ length: pages }, (_, page) => ({ url: `${base}/page/${page}` })),
  )
  await store.addPages({ collection, pages: urls, now: clock.now() })
  const gate = new HostGate({ clock, politeness: { delay: 0 } })
  const allowedNetworks = ['127.0.0.0/8']
  const who = { contact: 'bench@localhost', version: '0' }
  const fetcher = new HttpFetcher({ clock, ...who, allowedNetworks })
  const visitor = new PoliteVisitor({ fetcher, gate, clock })
  const mind = { policy: malcolmArmitage(), learner: malcolmArmitageLearner }
  const parts = {
    store,
    clock,
    visitor: new StoredVisitor({ visitor, gate, now: () => clock.now() }),
    reader: rememberingPageReader(),
    random: new Random(1),
    mindFor: () => mind,
  }
  const settings = { collection, worker: 'bench', concurrency: hosts, ahead: 32, doubt: 0 }
  return {
    store,
    async visitAll() {
      ahead += year
      const outcomes = {}
      await new Cycle(parts, settings).run({
        once: true,
        onVisit: ({ visit: { outcome } }) => {
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        },
      })
      return outcomes
    },
    async close() {
      await fetcher.close()
      await store.close()
    },
  }
}

async function startServer() {
  const script = fileURLToPath(new URL('crawl/server.mjs', import.meta.url))
  const child = fork(script, [String(hosts), String(pages)])
  const heard = () => new Promise((resolve) => child.once('message', resolve))
  const { ports } = await heard()
  return {
    bases: ports.map((port) => `http://127.0.0.1:${port}`),
    async serve(what) {
      child.send(what)
      await heard()
    },
    close: () => child.kill(),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await run({ print: (line) => console.log(line) })
