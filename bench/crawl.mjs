import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openCrawler } from '../dist/crawler/index.js'
import { malcolmArmitageLearner } from '../dist/estimators/index.js'
import { Random } from '../dist/numeric/index.js'
import { limited, malcolmArmitage, usualLimits } from '../dist/policies/index.js'
import { openThreadedStore } from '../dist/store/index.js'
import {
  bareLoop,
  hosts,
  measured,
  median,
  pages,
  rounds,
  sentHeaders,
  startServer,
} from './crawl/sides.mjs'

/**
 * Visits a second with full recording (politeness, reading, learning, SQLite
 * with full sync on its own thread, as `revisit run` has it), as a share of a
 * bare undici loop that makes the same requests and only reads the bodies:
 * 50 hosts x 200 pages of 10 KB, delay 0, one connection a host on both sides.
 * Once with answers of 200, half of them changed, and once with answers of 304.
 * Beside it stands the share of a bare loop whose requests say nothing of who
 * asks and what is taken (User-Agent, Accept, Accept-Encoding): to write and to
 * read these costs undici and the server time that is not ours to save. Each
 * has its own verdict.
 * All run in turns, twenty-one times, after one that does not count; each turn
 * gives a share, and their median is printed: machines that others work on change
 * their speed from second to second, and what runs side by side changes alike.
 * Once in Node as it comes, and once with more room for young objects, as the
 * files in deploy/ start it. Runs alone too: node [--max-semi-space-size=64] bench/crawl.mjs
 */

export const name = 'the loop over HTTP with full recording, against bare undici'

const collection = 'bench'
const targets = { 200: 0.35, 304: 0.5 }

/** Mebibytes; 16 in Node as it comes. What the loop has under way outlives several rounds of a small one. */
const youngFlag = '--max-semi-space-size=64'

export async function run({ print }) {
  await compareBoth({ print })
  print(`with ${youngFlag}:`)
  const lines = execFileSync(process.execPath, [youngFlag, fileURLToPath(import.meta.url)])
  print(String(lines).trimEnd())
}

/** `timed` measures each turn of a side. */
export async function compareBoth({ print, timed = measured, statuses = [200, 304] }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-'))
  const server = await startServer()
  const loop = await openLoop(join(folder, 'revisit.db'), server.bases)
  try {
    await server.serve({ generation: 0, reported: false })
    await loop.visitAll()
    if (statuses.includes(200)) tell(print, await compared({ loop, server, status: 200, timed }))
    // The ETags are sent once, then nothing changes.
    await server.serve({ generation: rounds + 1, reported: true })
    await loop.visitAll()
    if (statuses.includes(304)) tell(print, await compared({ loop, server, status: 304, timed }))
    const problems = await loop.store.check()
    if (problems.length > 0) throw new Error(problems.join('; '))
  } finally {
    await loop.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Rounds of all sides in turns; the first is for warming up. */
async function compared({ loop, server, status, timed }) {
  const reported = status === 304
  const turns = []
  let outcomes
  for (let round = 0; round <= rounds; round++) {
    const generation = reported ? rounds + 1 : round + 1
    await server.serve({ generation, reported })
    const bareTurn = (side, sent) =>
      timed(() => bareLoop(server.bases, { reported, generation, sent }), { server, side })
    const silent = await bareTurn('bare, without headers', {})
    const bare = await bareTurn('bare', sentHeaders)
    const ours = await timed(() => loop.visitAll(), { server, side: 'loop' })
    if (round > 0) turns.push({ silent: silent.seconds, bare: bare.seconds, loop: ours.seconds })
    outcomes = ours.result
    const visits = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
    if (visits !== hosts * pages) throw new Error(`${visits} visits of ${hosts * pages}`)
  }
  const visits = hosts * pages
  return {
    status,
    outcomes,
    speed: median(turns.map(({ loop }) => visits / loop)),
    bare: median(turns.map(({ bare }) => visits / bare)),
    shares: turns.map(({ bare, loop }) => bare / loop).sort((a, b) => a - b),
    ofSilent: median(turns.map(({ silent, loop }) => silent / loop)),
  }
}

function tell(print, { status, outcomes, speed, bare, shares, ofSilent }) {
  const share = shares[shares.length >> 1]
  const seen = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`)
  const verdict = (of) => (of >= targets[status] ? 'reached' : 'MISSED')
  print(
    `${status}s: ${Math.round(speed)} visits/s (${seen.join(', ')}), bare undici ${Math.round(bare)}/s: share ${share.toFixed(2)}, from ${shares[0].toFixed(2)} to ${shares.at(-1).toFixed(2)} (target ${targets[status]}: ${verdict(share)}); of bare requests without our headers ${ofSilent.toFixed(2)} (${verdict(ofSilent)})`,
  )
}

/**
 * The whole loop. Before each round its clock jumps ahead by more than the
 * longest gap, so that every page is due.
 */
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
  const planner = {
    policy: limited(malcolmArmitage(), { maxGap: usualLimits.maxGap }),
    learner: malcolmArmitageLearner,
  }
  const crawler = await openCrawler({
    store,
    clock,
    collection,
    worker: 'bench',
    contact: 'bench@localhost',
    allowedNetworks: ['127.0.0.0/8'],
    delay: 0,
    random: new Random(1),
    concurrency: hosts,
    unconditionalShare: 0,
    // As in earlier measurements: contents are not searched for hints.
    publisher: null,
    plannerFor: () => planner,
  })
  return {
    store,
    async visitAll() {
      ahead += 2 * usualLimits.maxGap
      const outcomes = {}
      await crawler.run({
        once: true,
        onVisit: ({ visit: { outcome } }) => {
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        },
      })
      return outcomes
    },
    async close() {
      await crawler.close()
      await store.close()
    },
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await compareBoth({ print: (line) => console.log(line) })
