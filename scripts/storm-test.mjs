import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { asked, clientOf, foundItem, listAll, putAll } from './frontier/client.mjs'
import { fetchUntil } from './frontier/fetcher.mjs'
import { startNode } from './frontier/node.mjs'

/**
 * The frontier and clients in Java: `npm run storm-test`.
 *
 * 1. Every call and rule by the official stubs of the API (scripts/storm).
 * 2. examples/stormcrawler against 200 pages of 20 hosts on loopback: every
 *    page is fetched at least three times, at the frontier's due times, from
 *    the second time on conditionally, and no host within its delay.
 *
 * Where Java, Maven or an artifact is missing it says so and ends with 3. With
 * `--stand-in` the second part is done by a crawler of ours instead of
 * StormCrawler: it shows that the test itself works, and nothing of StormCrawler.
 * With `--core-2.4` by StormCrawler's core 2.4, with a spout and a status
 * updater of ours (scripts/storm-2.4) in the place of its URLFrontier module:
 * for registries that have the one and not the other.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const [hosts, each, rounds] = [20, 10, 3]
const delay = 1
/** Pages are due again within this, whatever is learned: three rounds in two minutes. */
const gaps = ['--shortest-gap', '15s', '--longest-gap', '25s', '--budget', 'none']
const seconds = 120

const folder = mkdtempSync(join(tmpdir(), 'revisit-storm-'))
try {
  process.exitCode = await main(new Set(process.argv))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function main(flags) {
  const isStandIn = flags.has('--stand-in')
  const missing = ['java', 'mvn'].filter(
    (name) => spawnSync(name, ['-version']).error !== undefined,
  )
  if (missing.length > 0 && !isStandIn) {
    console.log(`not run: ${missing.join(' and ')} not found; Java 17 and Maven are needed`)
    return 3
  }
  if (missing.length === 0 && !(await stubs())) return 1
  if (isStandIn) return (await crawl(standIn)) ? 0 : 1
  const built = maven(flags.has('--core-2.4') ? core24() : copied('examples/stormcrawler'))
  if (built.fault !== null) {
    console.log(`StormCrawler was not run: ${built.fault}`)
    return 3
  }
  return (await crawl((web, node) => storm(built.folder, web, node))) ? 0 : 1
}

/** A project in a folder of its own, so that Maven leaves nothing in ours. */
function copied(project, copy = join(folder, project.split('/').at(-1))) {
  const filter = (path) => !path.endsWith('/target')
  cpSync(join(root, project), copy, { recursive: true, filter })
  return copy
}

/** The example with the names that StormCrawler had before it went to Apache. */
function core24() {
  const copy = copied('scripts/storm-2.4', copied('examples/stormcrawler'))
  for (const name of ['java/revisit/FrontierCrawl.java', 'resources/parsefilters.json']) {
    const path = join(copy, 'src/main', name)
    const text = readFileSync(path, 'utf8').replace(
      /^import .*stormcrawler\.urlfrontier\..*\n/gm,
      '',
    )
    writeFileSync(
      path,
      text.replaceAll('org.apache.stormcrawler', 'com.digitalpebble.stormcrawler'),
    )
  }
  return copy
}

function maven(copy) {
  const done = spawnSync('mvn', ['-q', '-B', 'package'], { cwd: copy, encoding: 'utf8' })
  if (done.status === 0) return { folder: copy, fault: null }
  const lines = `${done.stdout}${done.stderr}`.split('\n')
  const why =
    lines.find((line) => /could not (?:be resolved|find artifact)/i.test(line)) ?? lines[0]
  const artifacts = [...new Set(why.match(/[\w.-]+:[\w.-]+:jar:[\w.-]+/g) ?? [])]
  const fault =
    artifacts.length > 0 ? `Maven finds no ${artifacts.slice(1).join(', ') || artifacts[0]}` : why
  return { folder: copy, fault }
}

async function stubs() {
  const built = maven(copied('scripts/storm'))
  if (built.fault !== null) {
    console.log(`the official stubs were not run: ${built.fault}`)
    return true
  }
  const node = await startNode({ database: join(folder, 'stubs.db') })
  try {
    const done = spawnSync(
      'java',
      ['-cp', 'target/classes:target/lib/*', 'revisit.OfficialStubs', node.address],
      {
        cwd: built.folder,
        encoding: 'utf8',
      },
    )
    console.log(`${done.stdout}${done.stderr}`.trim())
    return done.status === 0
  } finally {
    await node.stop()
  }
}

/** 20 hosts with ten pages each; every third page changes every 20 s. */
async function openWeb() {
  const log = []
  const server = createServer((request, response) => {
    const at = Date.now() / 1000
    const host = request.headers.host.split(':')[0]
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    const page = Number(request.url.slice(1))
    const version = page % 3 === 0 ? Math.floor(at / 20) : 0
    const etag = `"${host}-${page}-${version}"`
    const isConditional = request.headers['if-none-match'] !== undefined
    log.push({ at, host, page, isConditional })
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
    response.writeHead(200, { 'content-type': 'text/html', etag })
    response.end(
      `<html><head><title>${page}</title></head><body><p>Page ${page} of ${host}, version ${version}</p></body></html>`,
    )
  })
  await new Promise((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address()
  const urls = Array.from({ length: hosts * each }, (_, at) => {
    const host = `127.0.0.${(at % hosts) + 1}`
    return `http://${host}:${port}/${Math.floor(at / hosts)}`
  })
  return { log, urls, close: () => server.close() }
}

async function crawl(run) {
  const web = await openWeb()
  const database = join(folder, 'crawl.db')
  const node = await startNode({ database, schedule: 'auto', args: gaps })
  try {
    const client = clientOf(node.address)
    await asked(client, 'SetDelay', { delay_requestable: delay })
    await run(web, node)
    return await judged(web, { client, database })
  } finally {
    web.close()
    await node.stop()
  }
}

/** Whether what the server saw is what it should be. */
async function judged({ log, urls }, { client, database }) {
  const faults = []
  const byPage = grouped(log, ({ host, page }) => `${host}/${page}`)
  const few = [...byPage.values()].filter((visits) => visits.length < rounds).length
  if (byPage.size < urls.length || few > 0)
    faults.push(
      `${urls.length - byPage.size} pages were never fetched, ${few} less than ${rounds} times`,
    )
  const plain = [...byPage.values()].flatMap((visits) =>
    visits.slice(1).filter((each) => !each.isConditional),
  )
  if (plain.length > 0) faults.push(`${plain.length} later requests were not conditional`)
  let shortest = Infinity
  for (const visits of grouped(log, ({ host }) => host).values())
    for (let at = 1; at < visits.length; at++)
      shortest = Math.min(shortest, visits[at].at - visits[at - 1].at)
  if (shortest < delay - 0.02)
    faults.push(`a host was asked ${shortest.toFixed(3)} s after the request before`)
  const stored = await listAll(client)
  const listed = spawnSync(
    process.execPath,
    [
      join(root, 'dist/cli/main.js'),
      'list',
      '--database',
      database,
      '--collection',
      'DEFAULT',
      '--json',
    ],
    { encoding: 'utf8' },
  )
  const estimates = listed.stdout
    .split('\n')
    .filter((line) => /"changePeriod":\s*[\d.]/.test(line)).length
  console.log(
    `${log.length} requests for ${byPage.size} pages of ${hosts} hosts, at least ${Math.min(...[...byPage.values()].map((visits) => visits.length))} for each; ${log.filter((each) => each.isConditional).length} conditional; shortest time between two requests to a host ${shortest.toFixed(3)} s; ${stored.length} addresses stored, ${estimates} with an estimate in revisit list`,
  )
  for (const fault of faults) console.log(`WRONG: ${fault}`)
  return faults.length === 0
}

/** `Map.groupBy`, which Node 20 has not. */
function grouped(values, keyOf) {
  const groups = new Map()
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value])
  return groups
}

async function standIn({ urls }, { address }) {
  await putAll(
    clientOf(address),
    urls.map((url) => foundItem(url, new URL(url).hostname)),
  )
  const end = new AbortController()
  const fetching = fetchUntil({ address, signal: end.signal })
  await wait(seconds * 1000)
  end.abort()
  await fetching
}

/** StormCrawler in a process of its own, by the example's configuration with this node's port. */
async function storm(project, { urls }, { port }) {
  writeFileSync(join(project, 'seeds.txt'), `${urls.join('\n')}\n`)
  const path = join(project, 'crawler-conf.yaml')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/urlfrontier\.port: \d+/, `urlfrontier.port: ${port}`))
  const child = spawn(
    'java',
    [
      '-Xmx1g',
      '-cp',
      'target/classes:target/lib/*',
      'revisit.FrontierCrawl',
      'crawler-conf.yaml',
      'seeds.txt',
      String(seconds),
    ],
    { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await new Promise((resolve) => child.once('close', resolve))
}
