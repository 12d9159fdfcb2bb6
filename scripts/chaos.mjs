import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { connect, createServer as createRelay } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Random } from '../dist/numeric/index.js'
import { openPostgresStore } from '../dist/store/index.js'
import { startPostgres } from './postgres-server.mjs'

/**
 * Workers on one PostgreSQL while everything goes wrong that can:
 *
 *   npm run chaos -- [--minutes 10] [--seed 1]
 *
 * Four workers visit 200 hosts. Every few seconds one of them is killed, or
 * frozen for longer than its leases hold, or all connections to the server are
 * cut, or the server itself is ended at once and started again; the clock of
 * one worker is 30 seconds ahead. The web server's log must show no request
 * before its host's delay was over and never two at once; every visit that a
 * worker was acknowledged must be there once; and no page may be left behind.
 */

/** How large it is, and how fast: seconds, and milliseconds between two mishaps. */
const usual = { hosts: 200, delay: 4, leaseTime: 5, every: [1000, 4000] }

const script = fileURLToPath(new URL('chaos-worker.mjs', import.meta.url))
const collection = 'chaos'
const workers = 4
const pagesOfHost = 3
/** Seconds that a busy machine may add to the way of a request between its last check and the web server. */
const slack = 0.5
const clockAhead = 30
/** Seconds in which every page is visited once nothing goes wrong any more; a busy machine takes its time. */
const leftBehind = 120

/** Throws at the first broken promise; tells what it saw. */
export async function chaos({ minutes, seed = 1, print = () => {}, ...changed }) {
  const terms = { ...usual, ...changed }
  const random = new Random(seed)
  const server = await startPostgres()
  const relay = await openRelay(server.port)
  const web = await openSites(random, terms)
  const url = server.url.replace(`:${server.port}/`, `:${relay.port}/`)
  const crew = new Crew(url, terms)
  const counts = { kills: 0, freezes: 0, cuts: 0, restarts: 0 }
  try {
    await addPages(url, web.bases)
    for (let at = 0; at < workers; at++) crew.start(at)
    const end = performance.now() + minutes * 60_000
    let printed = performance.now()
    while (performance.now() < end) {
      await pause(terms.every[0] + random.below(terms.every[1] - terms.every[0]))
      await mishap({ random, crew, relay, server, counts, terms })
      verifyWeb(web, crew)
      if (performance.now() - printed < 30_000) continue
      printed = performance.now()
      print(summary({ counts, crew, web, terms }))
    }
    // What was frozen thaws and what was cut connects again; then all finish what is under way.
    await allVisited(url)
    await crew.stop()
    verifyWeb(web, crew)
    await verify(url, crew.words, web.bases.length * pagesOfHost)
    print(summary({ counts, crew, web, terms }))
    return {
      ...counts,
      acknowledged: crew.words.length,
      requests: web.requests(),
      shortest: web.shortest(),
    }
  } finally {
    crew.kill()
    web.close()
    relay.close()
    await server.stop()
  }
}

/** With what was done to the workers, where the log shows what it must not. */
function verifyWeb(web, crew) {
  try {
    web.verify()
  } catch (fault) {
    fault.message += `; what was done: ${JSON.stringify(crew.deeds.slice(-20))}`
    throw fault
  }
}

function summary({ counts, crew, web, terms: { delay } }) {
  const { kills, freezes, cuts, restarts } = counts
  return `${kills} kills, ${freezes} freezes, ${cuts} cuts, ${restarts} restarts: ${crew.words.length} visits acknowledged; ${web.requests()} requests, the shortest gap ${web.shortest().toFixed(2)} s (delay ${delay} s)`
}

async function mishap({ random, crew, relay, server, counts, terms }) {
  const which = random.below(10)
  const worker = random.below(workers)
  if (which < 4) {
    counts.kills++
    crew.replace(worker)
  } else if (which < 7) {
    counts.freezes++
    crew.freeze(worker, (terms.leaseTime + 1 + random.below(3)) * 1000)
  } else if (which < 9) {
    counts.cuts++
    relay.cut()
  } else {
    counts.restarts++
    process.kill(server.pid(), 'SIGQUIT')
    await pause(300)
    await startedAgain(server)
  }
}

/** The one before may take a while to end. */
async function startedAgain(server) {
  for (let tries = 0; ; tries++)
    try {
      return await server.started()
    } catch (fault) {
      if (tries > 20) throw fault
      await pause(300)
    }
}

/** The workers, and what they said. */
class Crew {
  /** Each acknowledged visit. */
  words = []
  /** What was done to them, and when. */
  deeds = []
  #url
  #terms
  #children = []
  #generation = 0
  #complaints = ''
  #stopping = false

  constructor(url, terms) {
    this.#url = url
    this.#terms = terms
  }

  start(at) {
    const name = `chaos-${at}-${++this.#generation}`
    const ahead = at === 0 ? clockAhead : 0
    const { delay, leaseTime } = this.#terms
    const args = [script, this.#url, collection, delay, name, ahead, leaseTime].map(String)
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let rest = ''
    child.stdout.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()
      for (const line of lines) this.words.push(JSON.parse(line))
    })
    child.stderr.on('data', (chunk) => {
      this.#complaints += chunk
    })
    child.once('close', (code, signal) => {
      // One that ends by itself is what must not be: the next mishap finds it out.
      if (signal === null && !this.#stopping)
        this.#complaints += `worker ${name} ended by itself with ${code}\n`
    })
    this.#children[at] = child
  }

  replace(at) {
    this.verify()
    this.#note(at, 'killed')
    this.#children[at].kill('SIGKILL')
    this.start(at)
  }

  freeze(at, milliseconds) {
    this.verify()
    const child = this.#children[at]
    this.#note(at, 'frozen')
    child.kill('SIGSTOP')
    setTimeout(() => {
      this.#note(at, 'thawed')
      child.kill('SIGCONT')
    }, milliseconds)
  }

  #note(at, what) {
    this.deeds.push({ at: performance.now() / 1000, worker: at, what })
  }

  verify() {
    if (/ended by itself/.test(this.#complaints)) throw new Error(this.#complaints)
  }

  async stop() {
    this.verify()
    this.#stopping = true
    await Promise.all(
      this.#children.map((child) => {
        const closed = new Promise((resolve) => child.once('close', resolve))
        child.kill('SIGTERM')
        return closed
      }),
    )
  }

  kill() {
    this.#stopping = true
    for (const child of this.#children) child.kill('SIGKILL')
  }
}

/** Between the workers and the server, so that all connections can be cut. */
async function openRelay(port) {
  const sockets = new Set()
  const relay = createRelay((client) => {
    const server = connect(port, '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.pipe(server)
    server.pipe(client)
  })
  await new Promise((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: relay.address().port,
    cut,
    close() {
      cut()
      relay.close()
    },
  }
}

/**
 * Hosts that take their time, each an address of loopback, and what they were
 * asked when. This process may stand still too, on a busy machine: a request
 * has come since the last time at which it was seen not to, at the earliest.
 */
async function openSites(random, { hosts, delay }) {
  const asked = new Map()
  let awake = performance.now() / 1000
  const ticking = setInterval(() => {
    awake = performance.now() / 1000
  }, 5)
  const server = createServer((request, response) => {
    const { host } = request.headers
    const log = asked.get(host) ?? []
    asked.set(host, log)
    const by = /chaos-\d+-\d+/.exec(request.headers['user-agent'] ?? '')?.[0]
    const now = performance.now() / 1000
    const entry = { by, earliest: Math.min(awake, now), from: now, until: Infinity }
    log.push(entry)
    response.once('close', () => {
      entry.until = performance.now() / 1000
    })
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    setTimeout(() => {
      response.setHeader('content-type', 'text/html')
      // Each request connects anew: that is where a worker is frozen most often.
      response.setHeader('connection', 'close')
      response.end(`<p>${request.url} ${random.below(2)}</p>`)
    }, random.below(100))
  })
  await new Promise((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address()
  const pairs = () =>
    [...asked.values()].flatMap((log) => log.slice(1).map((entry, at) => [log[at], entry]))
  const gap = (before, after) => after.from - before.earliest
  const shortest = () =>
    pairs().reduce((least, [before, after]) => Math.min(least, gap(before, after)), Infinity)
  return {
    bases: Array.from(
      { length: hosts },
      (_, at) => `http://127.0.${1 + Math.floor(at / 100)}.${1 + (at % 100)}:${port}`,
    ),
    requests: () => [...asked.values()].reduce((sum, log) => sum + log.length, 0),
    shortest,
    verify() {
      const tooSoon = pairs().find(([before, after]) => gap(before, after) < delay - slack)
      if (tooSoon !== undefined)
        throw new Error(`a host was asked before its delay: ${JSON.stringify(tooSoon)}`)
      const twoAtOnce = pairs().find(([before, after]) => before.until > after.from)
      if (twoAtOnce !== undefined)
        throw new Error(`a host was asked twice at once: ${JSON.stringify(twoAtOnce)}`)
    },
    close() {
      clearInterval(ticking)
      server.close()
      server.closeAllConnections()
    },
  }
}

async function addPages(url, bases) {
  const store = await openPostgresStore({ url })
  const pages = bases.flatMap((base) =>
    Array.from({ length: pagesOfHost }, (_, page) => ({ url: `${base}/${page}` })),
  )
  await store.addPages({ collection, pages, now: (await store.now()) - 1 })
  await store.close()
}

/**
 * Waits until every page was visited again; throws where one is left behind. One
 * whose last visit failed, as on a machine that is too busy to answer, rests.
 */
async function allVisited(url) {
  const store = await openPostgresStore({ url })
  try {
    const since = await store.now()
    const giveUp = performance.now() + leftBehind * 1000
    for (;;) {
      const { pages } = await store.listPages({ collection, limit: 9999, sort: 'lastVisit' })
      const now = await store.now()
      const rests = ({ lastVisit, due }) => lastVisit?.outcome === 'failed' && due.at > now
      const late = pages.filter((page) => (page.lastVisit?.at ?? 0) < since && !rests(page))
      if (late.length === 0) return
      if (performance.now() > giveUp)
        throw new Error(
          `${late.length} pages were left behind at ${now}, such as ${JSON.stringify(late[0])}`,
        )
      await pause(1000)
    }
  } finally {
    await store.close()
  }
}

/** Acknowledged visits are there, each once. */
async function verify(url, words, pagesInAll) {
  const store = await openPostgresStore({ url })
  try {
    const problems = await store.check()
    if (problems.length > 0) throw new Error(`the check found: ${problems.join('; ')}`)
    const acknowledged = grouped(words)
    const { pages } = await store.listPages({ collection, limit: pagesInAll })
    for (const page of pages) {
      const visits = await store.visitsOf(page)
      const times = new Set(visits.map(({ at }) => at))
      if (times.size < visits.length) throw new Error(`${page.url} has a visit twice`)
      for (const { at } of acknowledged.get(page.url) ?? [])
        if (!times.has(at)) throw new Error(`${page.url} lost its visit at ${at}`)
    }
  } finally {
    await store.close()
  }
}

function grouped(words) {
  const groups = new Map()
  for (const word of words) groups.set(word.url, [...(groups.get(word.url) ?? []), word])
  return groups
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const option = (name, usual) => {
    const at = process.argv.indexOf(`--${name}`)
    return at < 0 ? usual : Number(process.argv[at + 1])
  }
  await chaos({
    minutes: option('minutes', 10),
    seed: option('seed', 1),
    print: (line) => console.log(line),
  })
}
