import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Random } from '../dist/numeric/index.js'
import { stateSummary } from '../dist/planner/index.js'
import { openSqliteStore } from '../dist/store/index.js'

/**
 * Kills the whole loop again and again while it visits sites of this process,
 * and looks whether it has kept its word:
 *
 *   node scripts/kill-loop.mjs [KILLS] [SEED]
 *
 * After each kill the store must open and its check find nothing; every visit
 * that was acknowledged must be there once; each gap must run from the visit
 * before it, and what was learned must come from as many visits; and no site
 * may have been asked twice within the delay, whoever was killed in between.
 */

const child = fileURLToPath(new URL('kill-loop-child.mjs', import.meta.url))
const collection = 'killed'
const sites = 200
const pagesOfSite = 3
/** Longer than a process needs to start: one that forgets whom it has asked is found out. */
const delay = 3
/** What a busy machine may add to the way of one request, and not to the next. */
const slack = 0.5
const longestAnswer = 150
/** Milliseconds a loop lives after its first word, at most. */
const longestLife = 900

/** Kills `kills` times; throws at the first broken word. Tells what it saw. */
export async function killLoop({ kills, seed = 1, print = () => {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-kill-loop-'))
  const path = join(folder, 'revisit.db')
  const random = new Random(seed)
  const web = await openSites(random)
  const reported = new Map()
  let acknowledged = 0
  try {
    await addPages(path, web.bases)
    for (let kill = 1; kill <= kills; kill++) {
      const words = await killedLoop({ path, seed: kill, life: random.below(longestLife) })
      for (const { url, at } of words) reported.set(url, [...(reported.get(url) ?? []), at])
      acknowledged += words.length
      await verify(path, reported)
      web.verify()
      if (kill % 10 === 0 || kill === kills)
        print(
          `${kill} kills: ${acknowledged} visits acknowledged, all there once; ${web.requests()} requests, none too soon (the shortest gap ${web.shortest().toFixed(2)} s, delay ${delay} s)`,
        )
    }
    return { kills, acknowledged, requests: web.requests(), shortest: web.shortest() }
  } finally {
    web.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sites that take their time, so that many requests are under way when the kill comes. */
async function openSites(random) {
  const asked = Array.from({ length: sites }, () => [])
  const servers = asked.map((times) =>
    createServer((request, response) => {
      times.push(performance.now() / 1000)
      if (request.url === '/robots.txt') return response.writeHead(404).end()
      const text = `<p>${request.url} ${random.below(2)}</p>`
      setTimeout(
        () => response.setHeader('content-type', 'text/html').end(text),
        random.below(longestAnswer),
      )
    }),
  )
  for (const server of servers)
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const gaps = () => asked.flatMap((times) => times.slice(1).map((at, i) => at - times[i]))
  const shortest = () => gaps().reduce((least, gap) => Math.min(least, gap), Infinity)
  return {
    bases: servers.map((server) => `http://127.0.0.1:${server.address().port}`),
    requests: () => asked.reduce((sum, times) => sum + times.length, 0),
    shortest,
    verify() {
      if (shortest() < delay - slack)
        throw new Error(`a site was asked again after ${shortest()} s; the delay is ${delay} s`)
    },
    close() {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}

async function addPages(path, bases) {
  const store = await openSqliteStore({ path })
  const pages = bases.flatMap((base) =>
    Array.from({ length: pagesOfSite }, (_, page) => ({ url: `${base}/${page}` })),
  )
  await store.addPages({ collection, pages, now: 0 })
  await store.close()
}

/** What the loop said until it was killed; some are killed before they say anything. */
async function killedLoop({ path, seed, life }) {
  const args = [child, path, collection, String(delay), String(seed)]
  const loop = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const adjusted = { text: '', complaint: '' }
  let doomed = false
  const doom = () => {
    if (!doomed) setTimeout(() => loop.kill('SIGKILL'), life)
    doomed = true
  }
  if (seed % 5 === 0) doom()
  loop.stderr.on('data', (chunk) => {
    adjusted.complaint += chunk
  })
  loop.stdout.on('data', (chunk) => {
    adjusted.text += chunk
    doom()
  })
  const signal = await new Promise((resolve) => loop.once('close', (_, by) => resolve(by)))
  if (signal !== 'SIGKILL') throw new Error(`the loop ended by itself: ${adjusted.complaint}`)
  const lines = adjusted.text.slice(0, adjusted.text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}

async function verify(path, reported) {
  const store = await openSqliteStore({ path })
  try {
    const problems = await store.check()
    if (problems.length > 0) throw new Error(`the check found: ${problems.join('; ')}`)
    const { pages } = await store.listPages({ collection, limit: sites * pagesOfSite })
    for (const page of pages)
      verifyPage(page, {
        visits: await store.visitsOf(page),
        reported: reported.get(page.url) ?? [],
      })
  } finally {
    await store.close()
  }
}

/** Acknowledged visits are there, each once, and each was learned from once. */
function verifyPage(page, { visits, reported }) {
  const times = new Set(visits.map(({ at }) => at))
  if (times.size < visits.length) throw new Error(`${page.url} has a visit twice`)
  for (const at of reported)
    if (!times.has(at)) throw new Error(`${page.url} lost its visit at ${at}`)
  let before = null
  let seen = 0
  for (const { at, gap, outcome } of visits) {
    if (!['first', 'changed', 'unchanged'].includes(outcome)) continue
    const expected = before === null ? null : at - before
    if (gap !== expected) throw new Error(`${page.url}: a gap of ${gap} instead of ${expected}`)
    before = at
    seen++
  }
  const learned = stateSummary(page.state)?.visits ?? 0
  if (learned !== seen) throw new Error(`${page.url} learned from ${learned} visits of ${seen}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [kills = 200, seed = 1] = process.argv.slice(2).map(Number)
  await killLoop({ kills, seed, print: (line) => console.log(line) })
}
