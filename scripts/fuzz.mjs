import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Random } from '../dist/numeric/index.js'
import { answer, noise } from './fuzz/hostile-answers.mjs'
import { Requests } from './fuzz/requests.mjs'

/**
 * Generated requests to a real `serve`, made from its own OpenAPI document,
 * while it crawls a server whose answers are generated too; all on loopback.
 * Fails on an answer of 5xx, on one that does not come in time, on memory past
 * the limit, on a process that ends by itself or does not end when asked to, and
 * on a store that is not in order after it. The seed makes the same requests and answers again.
 *
 *   npm run fuzz [-- --minutes 10 --seed 7 --megabytes 1500]
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    megabytes: { type: 'string', default: '1500' },
  },
})
const [minutes, seed, mostMegabytes] = [values.minutes, values.seed, values.megabytes].map(Number)
if (![minutes, seed, mostMegabytes].every((each) => each > 0)) {
  console.error('say --minutes, --seed and --megabytes as numbers above 0')
  process.exit(2)
}

/** Milliseconds after which an answer is a hang. */
const patience = 15_000
const hosts = 40
const clients = 4
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'revisit-fuzz-'))
const database = join(folder, 'revisit.db')
/** The store of the crawl that no request disturbs. */
const crawled = join(folder, 'crawled.db')
const failures = []
const counts = { requests: 0, answers: 0, raw: 0, byStatus: {}, worst: 0, worstHealth: 0, peak: 0 }
const end = Date.now() + minutes * 60_000
let stopped = false
/** Options of a crawl that visits again and again and gives up soon. */
const impatient = [
  ...['--policy', 'fixed:gap=1s', '--allowed-networks', '127.0.0.0/8', '--delay', '0'],
  ...[
    '--poll-every',
    '1s',
    '--first-backoff',
    '1s',
    '--longest-backoff',
    '3s',
    '--longest-delay',
    '1s',
  ],
  ...[
    '--first-byte-time',
    '5s',
    '--whole-time',
    '10s',
    '--noise-wait',
    '1s',
    '--retry-after',
    '3s',
  ],
]

console.log(`seed ${seed}, ${minutes} minutes, at most ${mostMegabytes} MB`)
const site = await hostileSite(new Random(seed))
const { child, base } = await serve()
const crawl = await startCrawl()
for (const [name, process] of [
  ['serve', child],
  ['run', crawl],
])
  process.once('exit', (code, signal) => {
    if (!stopped) fail(`${name} ended by itself: ${code ?? signal}`)
  })
try {
  await addPages()
  const document = JSON.parse((await ask({ path: '/openapi.json' })).text)
  // Streams do not end: they are opened and left below. The channel's test sends to others.
  const without = ['events']
  const work = Array.from({ length: clients }, (_, i) => {
    const random = new Random(seed + i + 1)
    return client(new Requests(document, { random, known: known(), without }), random)
  })
  await Promise.all([...work, watchHealth(), watchMemory(), rawClient(new Random(seed + 99))])
  await stop('serve', child)
  await stop('run', crawl)
  const visits = (await checkStore(database)) + (await checkStore(crawled))
  if (visits === 0) fail('no visit was made')
  report(visits)
} finally {
  stopped = true
  for (const each of [child, crawl]) if (each.exitCode === null) each.kill('SIGKILL')
  site.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failures.length === 0 ? 0 : 1)

function fail(what) {
  failures.push(what)
  console.error(`FAILED ${what}`)
}

function going() {
  return Date.now() < end && failures.length < 20 && child.exitCode === null
}

/** Every host of it is an address of loopback. */
async function hostileSite(random) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (head) => {
      counts.answers++
      const [, path = '/'] = String(head).split(' ', 2)
      answer(socket, { random, path, base: () => address(random.below(hosts), random.below(20)) })
    })
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  return server
}

function address(host, page) {
  return `http://127.0.1.${1 + host}:${site.address().port}/${page}`
}

async function serve() {
  const options = ['--port', '0', '--requests-per-second', '1000000', '--log-level', 'error']
  const args = [main, 'serve', '--database', database, ...options, ...impatient]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = await once(child.stdout, 'data')
  return { child, base: String(text).trim() }
}

async function startCrawl() {
  const urls = Array.from({ length: hosts * 5 }, (_, i) =>
    address(i % hosts, Math.floor(i / hosts)),
  )
  const watch = [main, 'watch', ...urls, '--database', crawled, '--allowed-networks', '127.0.0.0/8']
  await once(spawn(process.execPath, watch, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  const args = [main, 'run', '--quiet', '--database', crawled, ...impatient]
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** What leads to something; every address is one of ours, so that nobody else is asked. */
function known() {
  const random = new Random(seed)
  const urls = Array.from({ length: 60 }, () => address(random.below(hosts), random.below(20)))
  const ids = Array.from({ length: 60 }, (_, i) => String(i + 1))
  return {
    url: urls,
    movedTo: urls,
    id: ids,
    page: ids,
    pages: ids.slice(0, 5).map((id) => `${id},${id}`),
    host: urls.map((url) => new URL(url).host),
    group: ['g', 'h'],
    worker: ['w'],
    ttl: [1, 2],
    target: [{ kind: 'webhook', url: address(1, 1) }],
    reading: [
      { select: ['p'] },
      { select: ['main div div div span'] },
      { ignore: ['p:nth-child(2n)'] },
      { compare: 'text' },
      { compare: 'bytes' },
    ],
  }
}

async function addPages() {
  const readings = known().reading
  const pages = known().url.map((url, i) => ({
    url,
    group: i % 2 ? 'g' : 'h',
    settings: i % 3 === 0 ? { reading: readings[i % readings.length] } : {},
  }))
  const body = JSON.stringify({ pages })
  await ask({
    method: 'POST',
    path: '/api/pages',
    headers: { 'content-type': 'application/json' },
    body,
  })
}

async function client(requests, random) {
  while (going()) {
    const made = requests.next()
    if (Array.isArray(made.body?.pages))
      made.body.pages.length = Math.min(made.body.pages.length, 5)
    const began = performance.now()
    try {
      const { status, text } = await ask(made)
      counts.requests++
      counts.byStatus[status] = (counts.byStatus[status] ?? 0) + 1
      if (status >= 500) fail(`${status} ${shown(made)}: ${text.slice(0, 300)}`)
    } catch (error) {
      if (child.exitCode === null) fail(`${error.message} ${shown(made)}`)
    }
    const took = performance.now() - began
    if (took > counts.worst) Object.assign(counts, { worst: took, slowest: shown(made) })
    // Removed pages are followed again.
    if (random.below(200) === 0) await addPages().catch(() => {})
  }
}

/** Bytes that may or may not be a request. */
async function rawClient(random) {
  const { port } = new URL(base)
  while (going()) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    const starts = [
      'GET / HTTP/1.1\r\n',
      'POST /api/pages HTTP/1.1\r\nhost: localhost\r\n',
      'GET /api/events HTTP/1.1\r\nhost: localhost\r\n\r\n',
      '',
    ]
    socket.write(starts[random.below(starts.length)])
    socket.write(noise(random, random.below(3000)))
    if (random.below(3) === 0) socket.write(`x: ${'y'.repeat(30_000)}\r\n`)
    socket.resume()
    await sleep(100)
    socket.destroy()
    counts.raw++
  }
}

async function watchHealth() {
  while (going()) {
    const began = performance.now()
    await ask({ path: '/health' }).catch(
      (error) => child.exitCode === null && fail(`/health: ${error.message}`),
    )
    counts.worstHealth = Math.max(counts.worstHealth, performance.now() - began)
    await sleep(200)
  }
}

async function watchMemory() {
  while (going()) {
    const megabytes = Math.max(residentMegabytes(child.pid), residentMegabytes(crawl.pid))
    counts.peak = Math.max(counts.peak, megabytes)
    if (megabytes > mostMegabytes) {
      fail(`${megabytes} MB of memory, more than ${mostMegabytes}`)
      return
    }
    await sleep(500)
  }
}

/** 0 where the system does not tell (it is not Linux). */
function residentMegabytes(pid) {
  try {
    const [, kilobytes = 0] =
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(kilobytes / 1024)
  } catch {
    return 0
  }
}

function ask({ path, method = 'GET', headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => sent.destroy(new Error(`no answer in ${patience} ms`)), patience)
    const framed =
      body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) }
    const sent = request(base + path, { method, headers: framed, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += text.length < 1e6 ? part : ''
      })
      response.once('error', reject)
      response.once('end', () => {
        clearTimeout(late)
        resolve({ status: response.statusCode, text })
      })
    })
    sent.once('error', (error) => {
      clearTimeout(late)
      reject(error)
    })
    sent.end(body)
  })
}

function shown({ method, path, headers, body = '' }) {
  return `${method} ${path.slice(0, 500)} ${JSON.stringify(headers).slice(0, 300)} ${String(body).slice(0, 500)}`
}

async function stop(name, process) {
  if (process.exitCode !== null) return
  stopped = true
  process.kill('SIGTERM')
  const ended = await Promise.race([once(process, 'exit'), sleep(60_000)])
  if (ended === undefined) fail(`${name} did not end within a minute of SIGTERM`)
  else if (ended[0] !== 0) fail(`${name} ended with ${ended[0] ?? ended[1]} after SIGTERM`)
}

/** Visits in a store, which must be in order. */
async function checkStore(path) {
  const check = spawn(process.execPath, [main, 'check', '--database', path])
  let reported = ''
  for await (const part of check.stdout) reported += part
  if (!reported.startsWith('in order')) fail(`revisit check: ${reported}`)
  return Number(/([\d,]+) visits?/.exec(reported)?.[1]?.replaceAll(',', '') ?? 0)
}

function report(visits) {
  const { requests, raw, answers, byStatus, worst, slowest, worstHealth, peak } = counts
  console.log(
    `${requests} requests and ${raw} streams of bytes, by status ${JSON.stringify(byStatus)}`,
  )
  console.log(`${answers} hostile answers, ${visits} visits recorded`)
  console.log(
    `slowest answer ${worst.toFixed(0)} ms (${slowest?.slice(0, 80)}), /health ${worstHealth.toFixed(0)} ms, peak memory ${peak} MB`,
  )
  console.log(
    failures.length === 0
      ? `seed ${seed}: nothing found`
      : `seed ${seed}: ${failures.length} failures`,
  )
}
