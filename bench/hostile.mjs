import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openSqliteStore } from '../dist/store/index.js'

/**
 * Hostile hosts of all kinds at once, beside 40 good ones whose pages are due
 * every second: how many visits to the good ones `serve` makes with and without
 * the others, in turns of one run, and how long /health takes at worst. All on
 * loopback. Runs alone too: node bench/hostile.mjs [SECONDS]
 */

export const name = 'hostile: visits to good hosts beside hostile ones'

const goodHosts = 40
const turns = 2
const leastShare = 0.8
const longestHealth = 1000
const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** What is hostile: third number of its addresses, hosts, and settings of its pages. */
const kinds = {
  'slow bodies': { at: 4, hosts: 64 },
  'pages of 9 MB of distinct words': { at: 5, hosts: 10 },
  'PDF of nested forms': { at: 6, hosts: 4 },
  'millions of combining marks': { at: 7, hosts: 4 },
  'pages of which 1,400 words vary': { at: 8, hosts: 4 },
  'slow selectors': { at: 9, hosts: 4, reading: { select: ['main div div div span'] } },
  'servers that say nothing': { at: 10, hosts: 16 },
  'names that never answer': { hosts: 16 },
}

export async function run({ print, seconds = 40 }) {
  const site = fork(here('./hostile/site.mjs'))
  const folder = mkdtempSync(join(tmpdir(), 'revisit-hostile-'))
  try {
    const [web] = await once(site, 'message')
    for (const [kind, { hosts }] of Object.entries(kinds)) print(`${hosts} hosts: ${kind}`)
    const made = { alone: [], beside: [] }
    for (let turn = 0; turn < turns; turn++)
      for (const [side, hostile] of [
        ['alone', false],
        ['beside', true],
      ]) {
        const path = join(folder, `${side}${turn}.db`)
        const found = await oneTurn({ web, path, hostile, seconds })
        made[side].push(found)
        print(
          `good hosts ${side === 'alone' ? 'alone' : 'beside hostile ones'}: ${found.visits} visits in ${seconds} s, ${found.failed} failed; /health at worst ${found.worst.toFixed(0)} ms; peak memory ${found.peak} MB`,
        )
      }
    verdict(made, print)
  } finally {
    site.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function verdict({ alone, beside }, print) {
  const total = (side) => side.reduce((sum, { visits }) => sum + visits, 0)
  const share = total(beside) / total(alone)
  const worst = Math.max(...beside.map((each) => each.worst))
  print(`beside hostile hosts ${share.toFixed(2)} of the visits (goal: ${leastShare})`)
  print(`/health at worst ${worst.toFixed(0)} ms (goal: ${longestHealth})`)
  if (share < leastShare)
    throw new Error(`hostile hosts took ${(1 - share).toFixed(2)} of the visits`)
  if (worst > longestHealth) throw new Error(`/health took ${worst.toFixed(0)} ms`)
}

async function oneTurn({ web, path, hostile, seconds }) {
  await fill({ web, path, hostile })
  const { child, base } = await serve({ web, path })
  const watched = { worst: 0, peak: 0, open: true }
  try {
    const from = Date.now() / 1000
    const watching = watch({ child, base, watched })
    await sleep(seconds * 1000)
    watched.open = false
    await watching
    const { visits, failed } = await counted(base, { from, until: from + seconds })
    return { visits, failed, worst: watched.worst, peak: watched.peak }
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

async function fill({ web: { port }, path, hostile }) {
  const store = await openSqliteStore({ path })
  const now = Date.now() / 1000
  const pages = Array.from({ length: goodHosts }, (_, i) => ({
    url: `http://127.0.3.${1 + i}:${port}/`,
    due: { at: now, reason: 'a bench' },
  }))
  if (hostile)
    for (const { at, hosts, reading } of Object.values(kinds))
      for (let i = 0; i < hosts; i++)
        pages.push({
          url:
            at === undefined
              ? `http://s${i}.silent.example:${port}/`
              : `http://127.0.${at}.${1 + i}:${port}/`,
          due: { at: now, reason: 'a bench' },
          settings: { noiseCheck: true, ...(reading === undefined ? {} : { reading }) },
        })
  await store.addPages({ collection: 'default', now, pages })
  await store.close()
}

async function serve({ web: { names }, path }) {
  const preload = ['--import', pathToFileURL(here('./hostile/silent-names.mjs')).href]
  const options = [
    '--database',
    path,
    '--port',
    '0',
    '--log-level',
    'error',
    '--policy',
    'fixed:gap=1s',
  ]
  const visits = ['--allowed-networks', '127.0.0.0/8', '--delay', '0']
  const soon = ['--poll-every', '1s', '--contact', 'bench@example.org']
  const args = [...preload, here('../dist/cli/main.js'), 'serve', ...options, ...visits, ...soon]
  const env = { ...process.env, BENCH_NAME_SERVER: `127.0.0.1:${names}` }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = await once(child.stdout, 'data')
  return { child, base: String(text).trim() }
}

async function watch({ child, base, watched }) {
  while (watched.open) {
    const began = performance.now()
    await (await fetch(`${base}/health`)).text()
    watched.worst = Math.max(watched.worst, performance.now() - began)
    watched.peak = Math.max(watched.peak, megabytes(child.pid))
    await sleep(50)
  }
}

/** 0 where the system does not tell (it is not Linux). */
function megabytes(pid) {
  try {
    return Math.round(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1] / 1024)
  } catch {
    return 0
  }
}

async function counted(base, { from, until }) {
  const answer = await fetch(`${base}/api/export/visits?from=${from}&until=${until}`)
  const all = (await answer.text())
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const good = all.filter(({ url }) => url.startsWith('http://127.0.3.'))
  const failed = good.filter(({ changed }) => changed === 'failed').length
  return { visits: good.length - failed, failed }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await run({
    print: console.log,
    ...(process.argv[2] ? { seconds: Number(process.argv[2]) } : {}),
  })
