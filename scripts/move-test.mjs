import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openPostgresStore, openSqliteStore } from '../dist/store/index.js'
import { collection, makeSource } from './move/source.mjs'
import { startPostgres } from './postgres-server.mjs'

/**
 * A store in a file is moved to PostgreSQL or to another file, killed twice by
 * kill -9 and given again; both must then hold the same:
 *
 *   npm run move-test -- --pages 1000000 --visits 20000000 [--to file]
 *
 * The move itself compares counts and checksums of both. Beside it the rows are
 * counted here, the pages that are next due are compared one by one, and the
 * target's check has to find nothing. A million pages and 20 million visits take
 * some 25 GB of the temporary folder meanwhile.
 */

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
/** Of the visits, when a move is killed. */
const killedAt = [0.1, 0.5]
/** Of the pages, those that are next due. */
const compared = 1_000

/** Throws where the target is not the same; gives what was moved and the seconds that each part took. */
export async function killedMove({
  pages,
  visits,
  hosts = 1_000,
  seed = 1,
  url,
  toFile = false,
  print = () => {},
}) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-move-'))
  const from = join(folder, 'from.db')
  const given = toFile ? join(folder, 'to.db') : url
  const server = given === undefined ? await startPostgres({ durable: true, flags }) : undefined
  const to = given ?? server.url
  const seconds = {}
  const timed = async (part, task) => {
    const began = performance.now()
    const result = await task()
    seconds[part] = (performance.now() - began) / 1000
    print(`${part}: ${seconds[part].toFixed(1)} s`)
    return result
  }
  try {
    await timed('source made', () => makeSource(from, { pages, visits, hosts, seed }))
    for (const share of killedAt)
      await timed(`killed at ${100 * share}% of the visits`, () =>
        killedOnce({ from, to, visits: share * visits }),
      )
    const moved = await timed('moved and compared', () => wholeMove({ from, to, print }))
    await timed('looked at', () => verify({ from, to, pages, visits, moved }))
    return { moved, seconds }
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const flags = ['-c', 'shared_buffers=512MB', '-c', 'max_wal_size=4GB']

/** The target, to look at. */
function openTarget(to) {
  return /^postgres/.test(to)
    ? openPostgresStore({ url: to, readOnly: true, connections: 1 })
    : openSqliteStore({ path: to, readOnly: true })
}

/** Kills a move once so many visits of the source are in the target. */
async function killedOnce({ from, to, visits }) {
  const child = spawn(process.execPath, [main, 'move', from, to], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  let isOver = false
  const ended = new Promise((resolve) => {
    child.once('close', () => {
      isOver = true
      resolve()
    })
  })
  let target
  for (;;) {
    if (isOver) throw new Error(`the move ended before it was killed: ${complaint}`)
    // Until the move has made it there is none.
    target ??= await openTarget(to).catch(() => {})
    const place = await target?.getSetting(collection, 'move')
    if ((place?.visit ?? 0) >= visits) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  await ended
  await target.close()
}

async function wholeMove({ from, to, print }) {
  const child = spawn(process.execPath, [main, 'move', from, to, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  print(out.trim())
  if (code !== 0) throw new Error(`the move ended with ${code}`)
  return JSON.parse(out)[0]
}

async function verify({ from, to, pages, visits, moved }) {
  const wrong = (what) => {
    throw new Error(`the target is not the same: ${what}`)
  }
  if (!moved.same) wrong('checksums')
  if (moved.to.pages.count !== pages || moved.to.nextVisits.count !== pages) wrong('pages')
  if (moved.to.visits.count !== visits) wrong('visits')
  const [source, target] = await Promise.all([
    openSqliteStore({ path: from, readOnly: true }),
    openTarget(to),
  ])
  try {
    const counts = await Promise.all([source, target].map((store) => store.totals()))
    if (counts.some((each) => each.pages !== pages || each.visits !== visits)) wrong('rows')
    const query = { collection, sort: 'due', limit: compared }
    const [before, after] = await Promise.all([source, target].map((each) => each.listPages(query)))
    const due = ({ pages: list }) => JSON.stringify(list.map((page) => [page.url, page.due]))
    if (before.pages.length === 0 || due(before) !== due(after)) wrong('next visits')
    const problems = await target.check()
    if (problems.length > 0) wrong(problems.join('; '))
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      pages: { type: 'string', default: '100000' },
      visits: { type: 'string', default: '2000000' },
      hosts: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      to: { type: 'string', default: 'postgres' },
      url: { type: 'string' },
    },
  })
  const { url } = values
  const toFile = values.to === 'file'
  const [pages, visits, hosts, seed] = [
    ...[values.pages, values.visits, values.hosts, values.seed].map(Number),
  ]
  const result = await killedMove({ pages, visits, hosts, seed, url, toFile, print: console.log })
  const total = Object.values(result.seconds).reduce((sum, each) => sum + each, 0)
  console.log(`${pages} pages and ${visits} visits, killed twice: the same, ${total.toFixed(0)} s`)
}
