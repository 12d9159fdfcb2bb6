import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { awayFromMidnight } from '../../fixtures/crawled-site.js'
import { localServer } from '../../fixtures/local-server.js'
import { administer, newDatabase } from '../../fixtures/postgres.js'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const processes = 4

/** A host that notes when it was asked for what. */
async function notingHost() {
  const asked: { readonly path: string; readonly at: number }[] = []
  const base = await localServer((request, response) => {
    asked.push({ path: request.url ?? '', at: performance.now() / 1000 })
    if (request.url === '/robots.txt') return response.writeHead(404).end()
    response.setHeader('content-type', 'text/html')
    response.end(`<p>hello ${request.url}</p>`)
  })
  return { base, asked, paths: () => new Set(asked.map(({ path }) => path)) }
}

/** As many hosts whose page leads to another host. */
function leadingHosts(many: number, to: string): Promise<string[]> {
  return Promise.all(
    Array.from({ length: many }, (_, at) =>
      localServer((request, response) => {
        if (request.url === '/robots.txt') return response.writeHead(404).end()
        response.writeHead(302, { location: `${to}/led-${at}` }).end()
      }),
    ),
  )
}

/** Where stores lie, each a new one. */
const places = {
  file: async () => join(tempFolder(), 'revisit.db'),
  PostgreSQL: newDatabase,
}

function storeFor(
  settings: Readonly<Record<string, string>>,
  database = join(tempFolder(), 'revisit.db'),
) {
  const env = {
    REVISIT_DATABASE: database,
    REVISIT_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...settings,
  }
  return { env, watch: (urls: readonly string[]) => runCli(['watch', ...urls], { env }) }
}

/** So many `run` at once on one store. */
function runs(env: Readonly<Record<string, string>>, more: readonly string[] = []) {
  return Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, [main, 'run', ...more], {
      env: { ...process.env, ...env },
    })
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text
    })
    child.stdout.resume()
    const ended = new Promise<{ code: number | null; err: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, err })),
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, ended }
  })
}

/** Hosts on loopback that count what they are asked for, each with so many pages. */
async function countedHosts(hosts: number, pages: number) {
  const asked = { count: 0 }
  const servers = await Promise.all(
    Array.from({ length: hosts }, async (_, at) => {
      const server = createServer((request, response) => {
        asked.count++
        if (request.url === '/robots.txt') return response.writeHead(404).end()
        response.setHeader('content-type', 'text/html')
        response.end(`<p>hello ${request.url}</p>`)
      })
      await new Promise<void>((resolve) => server.listen(0, `127.0.1.${at + 1}`, resolve))
      onTestFinished(() => void server.close())
      return `http://127.0.1.${at + 1}:${(server.address() as AddressInfo).port}`
    }),
  )
  const urls = servers.flatMap((base) => Array.from({ length: pages }, (_, at) => `${base}/${at}`))
  return { asked, urls }
}

/** How often a row of the settings was written, the day's count among them. */
async function settingsWritten(database: string): Promise<number> {
  // Connections report what they wrote when they end, at the latest.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const [row] = await administer<{ written: string }>(
    database,
    `select n_tup_ins + n_tup_upd as written from pg_stat_user_tables where relname = 'settings'`,
  )
  return Number(row!.written)
}

describe('four processes on one store', () => {
  it.each([
    { place: 'file', budget: 2_000, killed: 0, atLeast: 0.98 },
    { place: 'file', budget: 2_000, killed: 2, atLeast: 0 },
    { place: 'PostgreSQL', budget: 10_000, killed: 0, atLeast: 0.98 },
    { place: 'PostgreSQL', budget: 10_000, killed: 2, atLeast: 0 },
  ] as const)(
    'share a day of $budget requests by a $place store, $killed of them killed',
    async ({ place, budget, killed, atLeast }) => {
      await awayFromMidnight(90)
      const { asked, urls } = await countedHosts(100, (1.5 * budget) / 100)
      const database = await places[place]()
      const { env, watch } = storeFor(
        { REVISIT_DELAY: '0s', REVISIT_REQUESTS_PER_DAY: String(budget) },
        database,
      )
      const list = join(tempFolder(), 'pages.txt')
      writeFileSync(list, urls.join('\n'))
      expect((await watch([list])).code).toBe(0)
      asked.count = 0
      const before = place === 'PostgreSQL' ? await settingsWritten(database) : 0
      const began = performance.now()
      const all = runs(env, ['--once'])
      const dying = all.slice(0, killed)
      if (killed > 0) {
        while (asked.count < budget / 4) await new Promise((resolve) => setTimeout(resolve, 10))
        for (const { child } of dying) child.kill('SIGKILL')
      }
      for (const { ended } of all.slice(killed)) expect((await ended).code).toBe(0)
      expect(asked.count).toBeLessThanOrEqual(budget)
      expect(asked.count).toBeGreaterThanOrEqual(atLeast * budget)
      if (place !== 'PostgreSQL') return
      // Two a second and process, and what else is written once: price, prior, scan.
      const seconds = (performance.now() - began) / 1000
      const written = (await settingsWritten(database)) - before
      expect(written).toBeGreaterThan(0)
      expect(written).toBeLessThanOrEqual(2 * processes * seconds + 10 * processes)
    },
    180_000,
  )

  it('keep the delay of a host that the redirects of thirty others lead to', async () => {
    const delay = 0.5
    const target = await notingHost()
    const leading = await leadingHosts(30, target.base)
    const { env, watch } = storeFor({ REVISIT_DELAY: `${delay}s` })
    expect((await watch(leading.map((base) => `${base}/`))).code).toBe(0)
    const all = runs(env)
    const pages = () => [...target.paths()].filter((path) => path.startsWith('/led-')).length
    const end = performance.now() + 90_000
    while (pages() < 30 && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 50))
    for (const { child } of all) child.kill('SIGINT')
    for (const { ended } of all) expect((await ended).code).toBe(0)
    const gaps = target.asked.slice(1).map(({ at }, i) => at - target.asked[i]!.at)
    // A timer may fire a few milliseconds early.
    expect(gaps.filter((gap) => gap < delay - 0.02)).toEqual([])
    expect(pages()).toBe(30)
    expect(target.asked.filter(({ path }) => path === '/robots.txt')).toHaveLength(1)
  }, 120_000)

  it('ask a host as often in a day as its budget says, by its own pages and by redirects', async () => {
    await awayFromMidnight(90)
    const target = await notingHost()
    const leading = await leadingHosts(20, target.base)
    const own = Array.from({ length: 20 }, (_, at) => `${target.base}/own-${at}`)
    const { env, watch } = storeFor({ REVISIT_DELAY: '0.05s', REVISIT_HOST_REQUESTS_PER_DAY: '15' })
    expect((await watch([...own, ...leading.map((base) => `${base}/`)])).code).toBe(0)
    for (const { ended } of runs(env, ['--once'])) expect((await ended).code).toBe(0)
    expect(target.asked).toHaveLength(15)
  }, 120_000)
})
