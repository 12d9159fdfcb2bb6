import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startDemoWeb } from '../../dist/lab/demo-web/demo-web.js'

/**
 * Tries a fetcher: starts the demo web and `revisit serve --no-crawl` on
 * loopback, lets the fetcher work, and tells what was recorded.
 *
 *   node try-fetcher.mjs [COMMAND ...]     node fetcher.mjs by default
 *
 * The command is given REVISIT_SERVER and `--server URL --visits 60
 * --lease-time 60`.
 * Needs the built package: npm run build.
 */

const revisit = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const plain = fileURLToPath(new URL('fetcher.mjs', import.meta.url))

/** How it went: visits by outcome, and the pages that nobody visited. */
export async function tryFetcher({
  command = [process.execPath, plain],
  visits = 60,
  pages = 24,
  /** Seconds that a page is held; those of a killed fetcher come back after it. */
  leaseTime = 60,
  /** Starts another one first, and kills it in the midst of its work. */
  killOne = false,
  print = () => {},
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-fetcher-'))
  const web = await startDemoWeb({ seed: 7, pages, delays: { slow: 0.1, hang: 0.5 } })
  const server = await served(folder)
  try {
    const urls = web.truth().map(({ url }) => url)
    await ask(server.url, 'POST', '/api/pages', { pages: urls.map((url) => ({ url })) })
    const fetch = (count) => fetcher({ command, url: server.url, visits: count, leaseTime, print })
    if (killOne) await killed(fetch(10 * visits))
    const code = await fetch(visits).ended
    const { visits: log } = await ask(server.url, 'GET', '/api/visits?limit=1000')
    const list = await ask(server.url, 'GET', '/api/pages?limit=1000')
    const outcomes = {}
    for (const { outcome } of log) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    const unvisited = list.pages.filter((page) => page.visits === 0).map((page) => page.url)
    return { code, visits: log.length, pages: list.pages.length, outcomes, unvisited, log }
  } finally {
    server.child.kill()
    await server.ended
    await web.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The service, on a store of its own; pages are due again after a second. */
async function served(folder) {
  const settings = {
    database: join(folder, 'revisit.db'),
    port: '0',
    'allowed-networks': '127.0.0.0/8',
    delay: '0.05s',
    'first-backoff': '1s',
    'longest-backoff': '1s',
    policy: 'fixed:gap=1s',
    'log-level': 'error',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(process.execPath, [revisit, 'serve', '--no-crawl', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = await new Promise((resolve, reject) => {
    child.stdout.once('data', (text) => resolve(String(text).trim()))
    child.once('exit', (code) => reject(new Error(`revisit serve ended with ${code}`)))
  })
  return { child, url, ended }
}

function fetcher({ command: [program, ...args], url, visits, leaseTime, print }) {
  const flags = ['--server', url, '--visits', String(visits), '--lease-time', String(leaseTime)]
  const child = spawn(program, [...args, ...flags], {
    env: { ...process.env, REVISIT_SERVER: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.on('data', (text) => print(String(text)))
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
  return { child, ended }
}

/** Kills a fetcher once it has reported something: it then holds other pages. */
async function killed({ child, ended }) {
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGKILL')
  await ended
}

async function ask(server, method, path, body) {
  const answer = await fetch(new URL(path, server), {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const command = process.argv.slice(2)
  const { log: _, ...reported } = await tryFetcher({
    ...(command.length === 0 ? {} : { command }),
    print: (text) => process.stdout.write(text),
  })
  process.stdout.write(`${JSON.stringify(reported, null, 2)}\n`)
  process.exitCode = reported.code
}
