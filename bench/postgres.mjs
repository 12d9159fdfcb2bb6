import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../scripts/postgres-server.mjs'
import { BareLoop } from './postgres/bare-loop.mjs'
import { batch, nextDue, state, visitDue } from './postgres/visits.mjs'

/**
 * The store on PostgreSQL: leases and records of a million pages on 10,000
 * hosts, 100 at a time, in turns with a bare loop of statements that have the
 * same effect on the same tables (bench/postgres/bare-loop.mjs). Compared is
 * the processor time a page, of this process and of all of the server's: on a
 * machine that others use, too, it hardly depends on them, as seconds do. Then
 * the time of a lease with 10,000 hosts and with as many hosts as pages, two
 * worker processes beside one, and, with REVISIT_BENCH_MINUTES, the last minute
 * of so many beside the first.
 *
 *   npm run bench -- postgres
 *   REVISIT_BENCH_PAGES=100000 REVISIT_BENCH_MINUTES=10 npm run bench -- postgres
 *
 * REVISIT_BENCH_SHARE is the share of the pages that both sides visit for the
 * comparison; with 0 it is left out, and so are the workers.
 */

export const name = 'leases and visits on PostgreSQL, against a bare loop of the same statements'

const pages = Number(process.env.REVISIT_BENCH_PAGES ?? 1_000_000)
const minutes = Number(process.env.REVISIT_BENCH_MINUTES ?? 0)
const compared = Number(process.env.REVISIT_BENCH_SHARE ?? 0.8)
const hosts = Math.min(10_000, pages)
/** Batches of one side in a row. */
const turnLength = Math.max(2, Math.min(50, Math.round(pages / 4000)))
const collection = 'bench'
const started = 1_700_000_000
const targets = { processor: 1.7, lease: 50, two: 1.3, last: 0.8 }

export async function run({ print }) {
  // It waits for its disk, as outside of tests.
  const server = await startPostgres({
    durable: true,
    flags: ['-c', 'shared_buffers=256MB', '-c', 'max_wal_size=4GB'],
  })
  try {
    if (compared > 0) {
      const few = await filled(server, { schema: 'few', hosts, print })
      const bare = await filled(server, { schema: 'bare', hosts, print })
      await bare.store.close()
      await compare(server, { few, print })
      await workers({ few, print })
      await few.store.close()
    }
    const many = await filled(server, { schema: 'many', hosts: pages, print })
    await leaseTimes(many, { print, what: `${pages} hosts` })
    if (minutes > 0) await lasting(server, { many, print })
    const problems = await many.store.check()
    if (problems.length > 0) throw new Error(problems.join('; '))
    await many.store.close()
  } finally {
    await server.stop()
  }
}

async function filled({ url }, { schema, hosts: spread, print }) {
  const { openPostgresStore } = await import('../dist/store/index.js')
  const address = `${url}?schema=${schema}`
  const store = await openPostgresStore({ url: address })
  const began = performance.now()
  const together = 20_000
  for (let from = 0; from < pages; from += together) {
    const length = Math.min(together, pages - from)
    const some = Array.from({ length }, (_, at) => ({
      url: `https://h${(from + at) % spread}.example/page/${from + at}`,
    }))
    await store.addPages({ collection, now: started, pages: some })
  }
  const rate = Math.round((1000 * pages) / (performance.now() - began))
  print(`${schema}: ${pages} pages on ${spread} hosts added, ${rate} a second`)
  return { store, address }
}

/** Both sides in turns until all pages were visited once. */
async function compare(server, { few, print }) {
  const bare = await BareLoop.open({ url: server.url, schema: 'bare', collection })
  const { packNumbers } = await import('../dist/store/packed-numbers.js')
  const packed = packNumbers(state.numbers)
  const sides = {
    store: async (now) => visitDue(few.store, { collection, worker: 'bench', now }),
    bare: async (now) => ({
      visited: await bare.turn({ now, limit: batch, due: nextDue(now), state: packed }),
    }),
  }
  const sums = { store: sum(), bare: sum() }
  const leases = []
  let now = started + 1
  // The rest is left for the workers; the first turn of each is for warming up.
  const turns = Math.floor((compared * pages) / (turnLength * batch))
  for (let turn = 0; turn < turns; turn++) {
    for (const side of ['store', 'bare']) {
      const before = measure(server)
      let visited = 0
      for (let at = 0; at < turnLength; at++) {
        now += 0.01
        const done = await sides[side](now)
        visited += done.visited
        if (done.lease !== undefined && turn > 0) leases.push(done.lease)
      }
      if (visited === 0) throw new Error(`nothing was due for ${side}`)
      if (turn > 0) add(sums[side], before, measure(server), visited)
    }
  }
  await bare.close()
  for (const [side, total] of Object.entries(sums)) print(`${side}: ${shown(total)}`)
  const ratio = perPage(sums.store).both / perPage(sums.bare).both
  print(
    `processor time a page, store over bare: ${verdict(ratio.toFixed(2), ratio <= targets.processor, `at most ${targets.processor}`)}`,
  )
  print(`lease of ${batch} with ${hosts} hosts: ${times(leases)}`)
}

async function leaseTimes({ store }, { print, what }) {
  const leases = []
  let now = started + 1
  for (let at = 0; at < Math.min(300, pages / batch); at++) {
    now += 0.01
    leases.push((await visitDue(store, { collection, worker: 'bench', now })).lease)
  }
  print(`lease of ${batch} with ${what}: ${times(leases.slice(20))}`)
}

/** One process, then two at once, for as long each. */
async function workers({ few, print }) {
  const seconds = 10
  const rate = async (count) => {
    const counts = await Promise.all(await begun(few.address, { count, seconds }))
    return counts.reduce((total, each) => total + each, 0) / seconds
  }
  const [one, two, oneAgain] = [await rate(1), await rate(2), await rate(1)]
  const ratio = (2 * two) / (one + oneAgain)
  print(
    `one worker ${Math.round(one)} and ${Math.round(oneAgain)} pages/s, two ${Math.round(two)}: ${verdict(ratio.toFixed(2), ratio >= targets.two, `at least ${targets.two}`)}`,
  )
}

/** Workers that are ready and begin together; what each of them visits. */
async function begun(address, { count, seconds }) {
  const script = fileURLToPath(new URL('./postgres/worker.mjs', import.meta.url))
  const children = Array.from({ length: count }, () => {
    const args = [script, address, collection, String(seconds)]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    return { child, lines: createInterface({ input: child.stdout }) }
  })
  await Promise.all(children.map(({ lines }) => once(lines, 'line')))
  return children.map(async ({ child, lines }) => {
    const line = once(lines, 'line')
    child.stdin.write('go\n')
    return Number((await line)[0])
  })
}

/** Visits that come again and again, minute by minute. */
async function lasting(server, { many: { store }, print }) {
  const rates = []
  const costs = []
  for (let minute = 0; minute < minutes; minute++) {
    const end = performance.now() + 60_000
    const before = measure(server)
    let visited = 0
    while (performance.now() < end) {
      const done = await visitDue(store, { collection, worker: 'bench', again: 60 })
      visited += done.visited
      if (done.visited === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    rates.push(visited / 60)
    const total = sum()
    add(total, before, measure(server), visited)
    costs.push(perPage(total).both)
  }
  const share = rates.at(-1) / rates[0]
  print(`pages/s by minute: ${rates.map(Math.round).join(' ')}`)
  print(`us of processor time a page by minute: ${costs.map(Math.round).join(' ')}`)
  print(
    `last minute over first: ${verdict(share.toFixed(2), share >= targets.last, `at least ${targets.last}`)}`,
  )
}

const sum = () => ({ pages: 0, client: 0, server: 0, wall: 0 })

function add(total, before, after, visited) {
  total.pages += visited
  total.client += after.client - before.client
  total.server += after.server - before.server
  total.wall += after.wall - before.wall
}

/** Microseconds a page. */
function perPage({ pages: count, client, server }) {
  return { client: client / count, server: server / count, both: (client + server) / count }
}

function shown(total) {
  const { client, server } = perPage(total)
  const rate = Math.round((1e6 * total.pages) / total.wall)
  return `${total.pages} pages, ${rate} a second, ${Math.round(client)} us of this process and ${Math.round(server)} us of the server a page`
}

function times(list) {
  const sorted = [...list].sort((a, b) => a - b)
  const at = (share) => sorted[Math.floor(sorted.length * share)].toFixed(1)
  const p99 = Number(at(0.99))
  return `median ${at(0.5)} ms, 99% within ${verdict(`${p99} ms`, p99 < targets.lease, `under ${targets.lease}`)}`
}

function verdict(value, isMet, target) {
  return `${value} (${target}: ${isMet ? 'met' : 'not met'})`
}

/** Microseconds so far, of this process, of the server's, and of the clock. */
function measure(server) {
  const { user, system } = process.cpuUsage()
  return { client: user + system, server: serverTime(server.pid()), wall: performance.now() * 1000 }
}

/** Processor time of a process and its children, those that have ended among them, from Linux' own list, which counts in hundredths of a second. */
function serverTime(postmaster) {
  let ticks = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(parent) === postmaster) ticks += Number(rest[9]) + Number(rest[10])
      if (Number(entry) === postmaster)
        ticks += [9, 10, 11, 12].reduce((sum, at) => sum + Number(rest[at]), 0)
    } catch {
      // It has ended since the list was made.
    }
  }
  return ticks * 10_000
}
