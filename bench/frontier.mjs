import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { clientOf, getAll, knownItem, putAll, putFound } from '../scripts/frontier/client.mjs'
import { startNode } from '../scripts/frontier/node.mjs'
import { startPostgres } from '../scripts/postgres-server.mjs'

/**
 * The frontier as a crawler meets it, in processes of its own: items
 * acknowledged a second on one stream of known items with the metadata of
 * StormCrawler, beside a server that acknowledges and keeps nothing, in turns
 * in one run; by our schedule (each item is a visit that is judged and
 * recorded) and by the client's date. Then GetURLs of 100 queues among a
 * million addresses of 20,000 hosts, and the memory of the server.
 *
 *   npm run bench -- frontier
 *   REVISIT_BENCH_ITEMS=20000 REVISIT_BENCH_PAGES=100000 npm run bench -- frontier
 */

export const name = 'the frontier: items acknowledged, and addresses given'

const items = Number(process.env.REVISIT_BENCH_ITEMS ?? 60_000)
const pages = Number(process.env.REVISIT_BENCH_PAGES ?? 1_000_000)
const hosts = 2_000
const rounds = 3
const ackServer = fileURLToPath(new URL('frontier/ack-server.mjs', import.meta.url))
const targets = { sqlite: 0.4, postgres: 0.3, get: 50, memory: 400 }

export async function run({ print }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-bench-frontier-'))
  const postgres = await startPostgres({
    durable: true,
    flags: ['-c', 'shared_buffers=256MB', '-c', 'max_wal_size=4GB'],
  })
  try {
    const address = (schema) => `${postgres.url}?schema=${schema}`
    await acknowledged({ print, folder, address })
    await given({ print, database: join(folder, 'give.db'), what: 'SQLite' })
    await given({ print, database: address('give'), what: 'PostgreSQL' })
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function acknowledged({ print, folder, address }) {
  const servers = {
    'keeps nothing': await started(ackServer),
    'SQLite, auto': await frontier(join(folder, 'auto.db'), 'auto'),
    'SQLite, client': await frontier(join(folder, 'client.db'), 'client'),
    'PostgreSQL, auto': await frontier(address('auto'), 'auto'),
    'PostgreSQL, client': await frontier(address('client'), 'client'),
  }
  const best = {}
  for (let round = 0; round < rounds; round++) {
    // The first round adds the pages; each later one is a visit to all of them.
    const now = Date.now() / 1000
    const some = Array.from({ length: items }, (_, at) =>
      fetchedItem(at, { signature: `${at}-${round}`, now }),
    )
    for (const [what, server] of Object.entries(servers)) {
      const { seconds, refused, answered } = await putAll(clientOf(server.address), some)
      if (refused > 0 || answered !== items) throw new Error(`${what}: ${refused} not stored`)
      best[what] = [...(best[what] ?? []), Math.round(items / seconds)]
    }
  }
  const bare = median(best['keeps nothing'])
  for (const [what, speeds] of Object.entries(best)) {
    const share = median(speeds) / bare
    const least = what.startsWith('SQLite') ? targets.sqlite : targets.postgres
    const goal = what === 'keeps nothing' ? '' : `, ${share.toFixed(2)} of it (at least ${least})`
    print(`${what}: ${speeds.join(', ')} items/s${goal}; ${memory(servers[what])} MB at most`)
  }
  for (const server of Object.values(servers)) await server.stop()
}

async function given({ print, database, what }) {
  const server = await frontier(database, 'client')
  const client = clientOf(server.address)
  const spread = Math.min(20_000, pages / 10)
  const began = performance.now()
  const batches = Array.from({ length: Math.ceil(pages / 500) }, (_, batch) => () => ({
    ID: String(batch),
    items: Array.from({ length: Math.min(500, pages - batch * 500) }, (_, at) => {
      const page = batch * 500 + at
      return {
        url: `http://h${page % spread}.example.org/${page}`,
        key: `h${page % spread}.example.org`,
      }
    }),
  }))
  await putFound(client, batches)
  const filled = pages / ((performance.now() - began) / 1000)
  const times = []
  let addresses = 0
  for (let call = 0; call < 300; call++) {
    const asked = { max_queues: 100, max_urls_per_queue: 1, delay_requestable: 600 }
    const { found, ms } = await getAll(client, asked)
    addresses += found.length
    times.push(ms)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1)
  print(
    `${what}: ${pages} addresses of ${spread} hosts put at ${Math.round(filled)}/s; GetURLs of 100 queues p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (at most ${targets.get}), ${addresses} given; ${memory(server)} MB at most (${targets.memory})`,
  )
  await server.stop()
}

/** A known item as StormCrawler sends it after a fetch. */
function fetchedItem(at, { signature, now }) {
  const key = `host${at % hosts}.example.org`
  const url = `http://${key}/articles/${at}/some-longer-title-of-a-page.html`
  const item = knownItem(url, key, Math.floor(now) + 86_400, {
    signature,
    signatureOld: signature,
    'fetch.statusCode': '200',
    lastProcessedDate: new Date(now * 1000).toISOString(),
    'protocol.etag': `"${signature}"`,
    'last-modified': '2026-01-01T00:00:00Z',
    discoveryDate: '2026-01-01T00:00:00Z',
    'url.path': 'http://example.org/',
    depth: '1',
  })
  return { ...item, ID: `${url}-${at}` }
}

/** The most memory that a server has had, in MB. */
function memory({ pid }) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024)
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

function frontier(database, schedule) {
  return startNode({ database, schedule })
}

/** The server that keeps nothing, once it has said where it listens. */
function started(path) {
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise((resolve) => child.once('close', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
  }
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (address) =>
      resolve({ address, pid: child.pid, stop }),
    )
    child.once('exit', (code) => reject(new Error(`a server ended with ${code}`)))
  })
}
