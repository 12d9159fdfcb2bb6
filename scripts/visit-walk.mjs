import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The files that one visit of `revisit serve` passes through, from the lease to
 * what the dashboard is sent: the functions that ran, by V8's own count, between
 * two visits of one page of a local site. docs/architecture.md walks the same files.
 *
 * `node scripts/visit-walk.mjs` after `npm run build`. The store's own thread is
 * another engine, whose files are not counted here; the walk names them.
 */

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'revisit-walk-'))
let asked = 0
const site = createServer((request, response) => {
  if (request.url !== '/page') return response.writeHead(404).end()
  asked++
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>a</title><p>text ${asked}`)
})
await new Promise((done) => site.listen(0, '127.0.0.1', done))
const page = `http://127.0.0.1:${site.address().port}/page`

const service = 17_400 + Math.floor(Math.random() * 1000)
const settings = ['--database', join(folder, 'walk.db'), '--port', String(service)]
const polite = [
  '--allowed-networks',
  '127.0.0.0/8',
  '--delay',
  '0',
  '--contact',
  'walk@example.org',
]
process.argv = [process.argv[0], 'revisit', 'serve', ...settings, ...polite, '--longest-gap', '4s']
process.stdout.write = () => true
process.stderr.write = () => true
void import('../dist/cli/main.js')
const api = `http://127.0.0.1:${service}/api`
const json = { 'content-type': 'application/json' }
await until(() =>
  fetch(`${api}/pages`).then(
    (answer) => answer.ok,
    () => false,
  ),
)
const body = JSON.stringify({ pages: [{ url: page }] })
const added = await fetch(`${api}/pages`, { method: 'POST', headers: json, body })
if (!added.ok) throw new Error(await added.text())
const events = await fetch(`${api}/events`)
void events.body.pipeTo(new WritableStream())

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await until(() => asked >= 4)
await pause(1500)
await session.post('Profiler.takePreciseCoverage')
await until(() => asked >= 6)
await pause(1500)
const { result } = await session.post('Profiler.takePreciseCoverage')
const ran = result
  .filter(({ url, functions }) => url.startsWith(`file://${dist}`) && functions.some(isCalled))
  .map(({ url }) => `src/${fileURLToPath(url).slice(dist.length).replace(/\.js$/, '.ts')}`)
const lines = `${[...new Set(ran)].sort().join('\n')}\n${ran.length} files\n`
rmSync(folder, { recursive: true, force: true })
Object.getPrototypeOf(process.stdout).write.call(process.stdout, lines)
setTimeout(() => process.exit(0), 100)

/** The module's own code runs when it is loaded, not at a visit. */
function isCalled({ functionName, ranges }) {
  return functionName !== '' && ranges[0].count > 0
}

/** Gives up after a while, so that a page that is never visited ends the script. */
async function until(holds) {
  const end = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > end) process.exit(1)
    await pause(100)
  }
}

function pause(time) {
  return new Promise((done) => setTimeout(done, time))
}
