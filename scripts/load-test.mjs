import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openSqliteStore } from '../dist/store/index.js'

/**
 * The service under load, beside a crawl of a site on loopback: 200 readers
 * and 5 writers for a minute, a client of events that hangs up again and
 * again, and 100,000 pages to list. Prints errors, lost events, p50 and p99.
 *
 *   node scripts/load-test.mjs [--seconds 60] [--pages 100000] [--readers 200]
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    pages: { type: 'string', default: '100000' },
    readers: { type: 'string', default: '200' },
    writers: { type: 'string', default: '5' },
  },
})
const seconds = Number(values.seconds)
const folder = mkdtempSync(join(tmpdir(), 'revisit-load-'))
const database = join(folder, 'revisit.db')
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** What readers ask for, one after the other. */
const reads = [
  '/api/status',
  '/api/pages?sort=due&limit=50',
  '/api/pages?limit=50&descending=true',
  '/api/pages/1',
  '/api/visits?order=newest&limit=50',
  '/api/pages/1/estimate',
  '/api/hosts?limit=50',
  '/api/pages/1/why',
]

const site = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(`<p>${Math.floor(Date.now() / 2000)}`)
}).listen(0, '0.0.0.0')
await once(site, 'listening')
const sitePort = site.address().port

await fill()
try {
  await withServer(['--no-crawl'], listTimes)
  await withServer([], load)
} finally {
  site.close()
  site.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
}

/** Most pages lie far ahead; those of the site are visited every second. */
async function fill() {
  const store = await openSqliteStore({ path: database })
  const now = Date.now() / 1000
  const far = (n) => ({
    url: `http://h${n % 2000}.localhost:${sitePort}/some/longer/path/article-${n}.html`,
    group: `g${n % 20}`,
    importance: n % 7,
    due: { at: now + 86_400 + ((n * 7919) % 100_000), reason: 'expected to change every 3.2 days' },
  })
  const all = Array.from({ length: Number(values.pages) }, (_, n) => far(n))
  for (let i = 0; i < all.length; i += 1000)
    await store.addPages({ collection: 'default', now: now + i, pages: all.slice(i, i + 1000) })
  const busy = Array.from({ length: 200 }, (_, n) => ({
    url: `http://127.0.${n >> 3}.${1 + (n & 7)}:${sitePort}/${n}`,
  }))
  await store.addPages({ collection: 'default', now, pages: busy })
  await store.close()
}

async function withServer(more, task) {
  const { child, base } = await serve(more)
  try {
    await task(base)
  } finally {
    child.kill('SIGINT')
    await once(child, 'exit')
  }
}

async function serve(more) {
  const options = ['--port', '0', '--database', database, '--policy', 'fixed:gap=1s']
  const polite = ['--allowed-networks', '127.0.0.0/8', '--delay', '0', '--poll-every', '1s']
  const limits = ['--requests-per-second', '1000000', '--log-level', 'warn']
  const child = spawn(
    process.execPath,
    [main, 'serve', ...options, ...polite, ...limits, ...more],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [address] = await once(child.stdout, 'data')
  return { child, base: String(address).trim() }
}

function ask(base, { path, method = 'GET', body, agent }) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(base + path, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function listTimes(base) {
  const paths = ['added', 'url', 'due', 'importance', 'lastVisit', 'lastChange'].flatMap((sort) => [
    `sort=${sort}`,
    `sort=${sort}&descending=true`,
  ])
  const filters = ['contains=article-9999', 'contains=nowhere', 'group=g3', 'outcome=changed']
  const more = ['host=h3.localhost&sort=due', 'due=true&sort=importance', 'group=g3&sort=lastVisit']
  const agent = new Agent({ keepAlive: true })
  const slow = []
  console.log(`list, filter and sort of ${values.pages} pages, ms over HTTP (best and median of 9)`)
  for (const query of [...paths, ...filters, ...more, ...reads]) {
    const times = []
    for (let i = 0; i < 9; i++) {
      const began = performance.now()
      await ask(base, {
        path: `${query.startsWith('/') ? query : `/api/pages?limit=100&${query}`}`,
        agent,
      })
      times.push(performance.now() - began)
    }
    times.sort((a, b) => a - b)
    console.log(
      `  ${query.padEnd(32)} ${times[0].toFixed(1).padStart(6)} ${times[4].toFixed(1).padStart(6)}`,
    )
    if (times[4] > 50) slow.push(query)
  }
  console.log(slow.length === 0 ? '  all medians under 50 ms' : `  over 50 ms: ${slow.join(', ')}`)
  agent.destroy()
}

async function load(base) {
  const until = Date.now() + seconds * 1000
  const times = []
  const errors = new Map()
  const failed = (what) => errors.set(what, (errors.get(what) ?? 0) + 1)
  const agent = new Agent({ keepAlive: true, maxSockets: 400 })
  const timed = async (asked) => {
    const began = performance.now()
    try {
      const { status } = await ask(base, { ...asked, agent })
      times.push(performance.now() - began)
      if (status !== 200) failed(`${asked.method ?? 'GET'} ${asked.path.split('?')[0]} ${status}`)
    } catch (error) {
      failed(error.code ?? error.message)
    }
  }
  const reader = async (n) => {
    for (let i = n; Date.now() < until; i++) {
      await timed({ path: reads[i % reads.length] })
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
  const writer = async (n) => {
    for (let i = 0; Date.now() < until; i++) {
      const pages = [{ url: `http://w${n}.localhost:${sitePort}/${i}`, group: 'written' }]
      await timed({ path: '/api/pages', method: 'POST', body: { pages } })
      const body = { importance: i % 5 }
      await timed({ path: `/api/pages/${1 + n}`, method: 'PATCH', body })
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const first = Number(JSON.parse((await ask(base, { path: '/api/status' })).text).lastVisitNumber)
  const seen = []
  const events = follow(base, { first, seen, until })
  const began = Date.now()
  await Promise.all([
    ...Array.from({ length: Number(values.readers) }, (_, n) => reader(n)),
    ...Array.from({ length: Number(values.writers) }, (_, n) => writer(n)),
  ])
  const hangUps = await events
  const lost = await missing(base, { first, seen })
  const took = (Date.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(0)
  console.log(`${values.readers} readers, ${values.writers} writers, ${took.toFixed(0)} s`)
  console.log(
    `  requests ${times.length} (${(times.length / took).toFixed(0)}/s), p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`,
  )
  console.log(`  visits recorded meanwhile ${seen.length} (${(seen.length / took).toFixed(0)}/s)`)
  console.log(`  events: ${hangUps} times hung up, ${lost.lost} lost, ${lost.twice} twice`)
  console.log(
    `  errors: ${errors.size === 0 ? 'none' : JSON.stringify(Object.fromEntries(errors))}`,
  )
  agent.destroy()
}

/** Reads events, hangs up about every second, and comes back with the last id. */
async function follow(base, { first, seen, until }) {
  let last = first
  let hangUps = 0
  while (Date.now() < until) {
    await new Promise((resolve) => {
      const sent = request(
        `${base}/api/events`,
        { headers: { 'last-event-id': String(last) } },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (part) => {
            text += part
            const blocks = text.split('\n\n')
            text = blocks.pop()
            for (const block of blocks) {
              const id = /^id: (\d+)\nevent: /m.exec(block)?.[1]
              if (id === undefined) continue
              last = Number(id)
              seen.push(last)
            }
          })
          response.once('close', resolve)
        },
      )
      sent.once('error', resolve)
      sent.end()
      setTimeout(() => sent.destroy(), 300 + Math.random() * 1000)
    })
    hangUps++
  }
  return hangUps
}

/** Compares what was seen with the log up to the last that was seen. */
async function missing(base, { first, seen }) {
  const log = []
  const last = seen[seen.length - 1] ?? first
  for (let after = first; after < last; ) {
    const { text } = await ask(base, { path: `/api/visits?after=${after}&limit=1000` })
    const { visits } = JSON.parse(text)
    log.push(...visits.map(({ number }) => number).filter((number) => number <= last))
    after = visits[visits.length - 1].number
  }
  const had = new Set(seen)
  return { lost: log.filter((number) => !had.has(number)).length, twice: seen.length - had.size }
}
