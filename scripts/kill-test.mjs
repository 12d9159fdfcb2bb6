import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Random } from '../dist/numeric/index.js'
import { stateSummary } from '../dist/planner/index.js'
import { openSqliteStore } from '../dist/store/index.js'
import { collection, crawlDelay, hostName, pageName } from './kill-test-plan.mjs'

/**
 * Kills a process that records visits, again and again, and looks whether the
 * store has kept its word each time:
 *
 *   node scripts/kill-test.mjs [KILLS] [SEED]
 *
 * After each kill the store must open, its check must find nothing, every
 * acknowledged visit must be there once, and hosts must know of every visit.
 */

const writer = fileURLToPath(new URL('kill-test-writer.mjs', import.meta.url))
/** A writer is killed after it has said so much, and up to so many milliseconds; some before they say anything. */
const mostReported = 150
const longestWait = 15
const longestStart = 300

/** Kills `kills` times; throws at the first broken word. Tells what it saw. */
export async function killAgainAndAgain({ kills, seed = 1, print = () => {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-kill-'))
  const path = join(folder, 'revisit.db')
  const random = new Random(seed)
  const reported = { visits: new Map(), pages: new Set(), acknowledged: 0, unfinished: 0 }
  try {
    await begin(path)
    for (let kill = 1; kill <= kills; kill++) {
      const early = random.below(8) === 0
      const reports = early ? 0 : 1 + random.below(mostReported)
      const wait = random.below(early ? longestStart : longestWait)
      for (const message of await killedWriter({ path, seed: kill, reports, wait }))
        note(reported, message)
      await verify(path, reported, { all: kill === kills })
      if (kill % 10 === 0 || kill === kills) print(`${kill} kills: ${summary(reported)}`)
    }
    return { kills, acknowledged: reported.acknowledged, unfinished: reported.unfinished }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Pages enough that visits are always due. */
async function begin(path) {
  const store = await openSqliteStore({ path })
  const pages = Array.from({ length: 200 }, (_, at) => ({
    url: `https://${hostName(at % 40)}/${pageName(Math.floor(at / 40))}`,
  }))
  await store.addPages({ collection, now: 0, pages })
  await store.close()
}

/** What the writer said until it was killed. */
async function killedWriter({ path, seed, reports, wait }) {
  const child = spawn(process.execPath, [writer, path, String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const adjusted = { text: '', lines: 0, complaint: '' }
  let doomed = false
  const killOnceReported = () => {
    if (doomed || adjusted.lines < reports) return
    doomed = true
    setTimeout(() => child.kill('SIGKILL'), wait)
  }
  killOnceReported()
  child.stderr.on('data', (chunk) => {
    adjusted.complaint += chunk
  })
  child.stdout.on('data', (chunk) => {
    adjusted.text += chunk
    adjusted.lines += String(chunk).split('\n').length - 1
    killOnceReported()
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself: ${adjusted.complaint}`)
  const lines = adjusted.text.slice(0, adjusted.text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}

function note(reported, message) {
  if (message.wrong !== undefined) throw new Error(message.wrong)
  if (message.added !== undefined) reported.pages.add(message.added)
  if (message.visited === undefined) return
  const times = reported.visits.get(message.visited) ?? []
  times.push(message.at)
  reported.visits.set(message.visited, times)
  reported.acknowledged++
}

async function verify(path, reported, { all }) {
  const store = await openSqliteStore({ path })
  try {
    const problems = await store.check()
    if (problems.length > 0) throw new Error(`the check found: ${problems.join('; ')}`)
    for (const url of reported.pages)
      if ((await store.getPage({ collection, url })) === null) throw new Error(`${url} is missing`)
    for (const [url, times] of reported.visits) await verifyVisits(store, { url, times, all })
    await verifyHosts(store)
    reported.unfinished = (await store.totals()).visits - reported.acknowledged
    if (reported.unfinished < 0) throw new Error('there are fewer visits than were acknowledged')
  } finally {
    await store.close()
  }
}

/** Every acknowledged visit is there once; after all but the last kill, the latest of each page. */
async function verifyVisits(store, { url, times, all }) {
  const expected = all ? times : times.slice(-20)
  const kept = (await store.visitsOf({ collection, url }, { from: expected[0] })).map(
    ({ at }) => at,
  )
  if (new Set(kept).size !== kept.length) throw new Error(`${url} has a visit twice`)
  const found = new Set(kept)
  for (const at of expected) if (!found.has(at)) throw new Error(`${url} lost its visit at ${at}`)
}

/** A host's record is committed with its visits: it knows of each, and its delay still holds. */
async function verifyHosts(store) {
  const hosts = new Map()
  for (let after; after !== null; ) {
    const query = { collection, limit: 500, ...(after === undefined ? {} : { after }) }
    const { pages, next } = await store.listPages(query)
    for (const page of pages) {
      const host = hosts.get(page.host) ?? { visits: 0, last: null }
      host.visits += page.visits
      if (page.lastVisit !== null) host.last = Math.max(host.last ?? 0, page.lastVisit.at)
      hosts.set(page.host, host)
      const learned = stateSummary(page.state)?.visits ?? 0
      if (learned !== page.visits)
        throw new Error(`${page.url} learned from ${learned} visits of ${page.visits}`)
    }
    after = next
  }
  for (const [name, { visits, last }] of hosts) {
    const record = await store.getHost(name)
    const known = record?.state?.visits ?? 0
    if (known !== visits) throw new Error(`${name} knows of ${known} visits, there are ${visits}`)
    if (last !== null && record.blockedUntil < last + crawlDelay)
      throw new Error(`${name} forgot its delay`)
  }
}

function summary({ acknowledged, unfinished }) {
  return `${acknowledged} visits acknowledged, all there once; ${unfinished} more were committed but not yet acknowledged`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [kills = 200, seed = 1] = process.argv.slice(2).map(Number)
  await killAgainAndAgain({ kills, seed, print: (line) => console.log(line) })
}
