import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Random } from '../dist/numeric/index.js'
import {
  asked,
  clientOf,
  foundItem,
  getAll,
  knownItem,
  listAll,
  putAll,
  putStream,
} from './frontier/client.mjs'
import { startNode } from './frontier/node.mjs'
import { startPostgres } from './postgres-server.mjs'

/**
 * The frontier under whatever may happen to it: `npm run frontier-chaos`, or
 * parts of it: `npm run frontier-chaos -- kills 50`, `clients 60`, `restart`.
 *
 * - kills: a node is killed under load, again and again; acknowledged items,
 *   delays, blocks, limits, leases and last turns must be as before.
 * - clients: eight clients, two nodes, one PostgreSQL, 200 queues, delay 1 s.
 * - restart: PostgreSQL is restarted under a running client.
 */

const seconds = () => Date.now() / 1000
/** Clocks of nodes go by the database's, which they ask now and then: to some milliseconds. */
const clockSlack = 0.05

/** Kills a node under load again and again; throws at the first thing that was forgotten. */
export async function killedNodes({
  database,
  kills,
  seed = 1,
  schedule = 'client',
  print = () => {},
}) {
  const random = new Random(seed)
  /** By address: the date that was acknowledged last, and those sent since without an answer. */
  const sent = new Map()
  const leased = new Map()
  let acknowledged = 0
  let given = 0
  const rules = { delayed: 3600, blocked: Math.floor(seconds()) + 36_000, limit: 1 }
  let node = await startNode({ database, schedule })
  const first = clientOf(node.address)
  await putAll(first, [
    ...['delayed', 'blocked', 'limited'].flatMap((key) =>
      Array.from({ length: 5 }, (_, at) => foundItem(`http://${key}/${at}`, key)),
    ),
    knownItem('http://limited/done', 'limited', 0),
    ...Array.from({ length: 400 }, (_, at) =>
      foundItem(`http://lease${at % 40}/${at}`, `lease${at % 40}`),
    ),
  ])
  await asked(first, 'SetDelay', { key: 'delayed', delay_requestable: rules.delayed })
  await asked(first, 'BlockQueueUntil', { key: 'blocked', time: rules.blocked })
  await asked(first, 'SetCrawlLimit', { key: 'limited', limit: rules.limit })
  const turn = await getAll(first, {
    key: 'delayed',
    crawlID: 'DEFAULT',
    max_urls_per_queue: 1,
    delay_requestable: 7200,
  })
  if (turn.found.length !== 1) throw new Error('the delayed queue gave nothing at first')
  for (let kill = 1; kill <= kills; kill++) {
    const { address } = node
    const load = loadOf(clientOf(address), { sent, leased, random, round: kill })
    await wait(150 + random.below(400))
    await node.kill()
    const done = await load.ended
    acknowledged += done.acknowledged
    given += done.given
    node = await startNode({ database, schedule })
    await verify(clientOf(node.address), { sent, leased })
    if (kill % 10 === 0 || kill === kills)
      print(
        `${kill} kills: ${acknowledged} items acknowledged, ${given} addresses leased, all as before`,
      )
  }
  await node.stop()
  return { acknowledged, given }
}

/** Items and requests for addresses until the node is gone. */
function loadOf(client, { sent, leased, random, round }) {
  const counts = { acknowledged: 0, given: 0 }
  const putting = async (stream) => {
    const items = putStream(client)
    for (let at = 0; ; at++) {
      const url = `http://put${stream}-${random.below(20)}/${random.below(60)}`
      const key = new URL(url).hostname
      const date = 4_000_000_000 + round * 1_000_000 + at
      const state = sent.get(url) ?? { date: null, open: [] }
      state.open.push(date)
      sent.set(url, state)
      const status = await items.put(knownItem(url, key, date, { round: String(round) }))
      if (status === 0) {
        state.date = date
        state.open = []
        counts.acknowledged++
      }
    }
  }
  const getting = async () => {
    for (;;) {
      const request = { max_queues: 3, max_urls_per_queue: 3, delay_requestable: 7200 }
      const before = seconds()
      const { found } = await getAll(client, request)
      for (const { url } of found) {
        if (leased.has(url)) throw new Error(`${url} was given twice within its lease`)
        leased.set(url, before)
        counts.given++
      }
      await wait(20)
    }
  }
  const until = (work) =>
    work.catch((error) => {
      if (/twice/.test(error.message)) throw error
    })
  const ended = Promise.all([
    ...[0, 1, 2].map((stream) => until(putting(stream))),
    until(getting()),
  ])
  return { ended: ended.then(() => counts) }
}

async function verify(client, { sent, leased }) {
  const stored = new Map(
    (await listAll(client)).map(({ known }) => [known.info.url, known.refetchable_from_date]),
  )
  for (const [url, state] of sent) {
    const date = stored.get(url)
    // One that got no answer may be stored or not.
    const fits =
      date === state.date ||
      state.open.includes(date) ||
      (date === undefined && state.date === null)
    if (!fits)
      throw new Error(`${url} was acknowledged with ${state.date} and is stored with ${date}`)
    if (date !== undefined) state.date = date
    state.open = []
  }
  const all = await getAll(client, {
    max_queues: 0,
    max_urls_per_queue: 1000,
    delay_requestable: 7200,
  })
  for (const { url, key } of all.found) {
    if (['delayed', 'blocked', 'limited'].includes(key))
      throw new Error(`${key} gave ${url} after a restart`)
    if (leased.has(url)) throw new Error(`${url} was given again within its lease`)
    leased.set(url, seconds())
  }
}

/** Several clients of several nodes on one database; throws where a queue gave too soon, too much or twice. */
export async function manyClients(options) {
  const { database, nodes, clients, queues, each, seconds: time, print = () => {} } = options
  const started = await Promise.all(Array.from({ length: nodes }, () => startNode({ database })))
  try {
    const key = (queue) => `queue${queue}`
    const limit = Math.max(1, Math.floor(each / 2))
    const items = Array.from({ length: queues * each }, (_, at) =>
      foundItem(`http://${key(at % queues)}/${Math.floor(at / queues)}`, key(at % queues)),
    )
    const first = clientOf(started[0].address)
    await putAll(first, items)
    // One queue in ten has a limit of completed addresses.
    const limited = new Set(
      Array.from({ length: Math.floor(queues / 10) }, (_, at) => key(at * 10)),
    )
    for (const name of limited) await asked(first, 'SetCrawlLimit', { key: name, limit })
    const seen = {
      given: new Map(),
      completed: new Map(),
      reported: new Map(),
      turns: 0,
      shortest: Infinity,
    }
    const expected = queues * each - limited.size * (each - limit)
    const began = seconds()
    // For so long, and on a busy machine until all is given.
    const isOver = () => {
      const passed = seconds() - began
      return (passed > time && seen.given.size >= expected) || passed > 4 * time + 20
    }
    const run = async (at) => {
      const client = clientOf(started[at % nodes].address)
      const stream = putStream(client)
      while (!isOver()) {
        const { found } = await getAll(client, {
          max_queues: 20,
          max_urls_per_queue: 1,
          delay_requestable: 30,
        })
        const now = seconds()
        for (const info of found) tookTurn(seen, info, { now, limited, limit })
        for (const { url, key: name } of found) {
          // By when it can have been reported at the earliest.
          const at = seconds()
          const status = await stream.put(knownItem(url, name, 0))
          if (status !== 0) throw new Error(`${url} was answered with ${status}`)
          seen.reported.set(name, at)
          seen.completed.set(name, (seen.completed.get(name) ?? 0) + 1)
        }
        if (found.length === 0) await wait(20)
      }
      stream.end()
    }
    await Promise.all(Array.from({ length: clients }, (_, at) => run(at)))
    print(
      `${clients} clients, ${nodes} nodes, ${queues} queues: ${seen.given.size} of ${expected} addresses given in ${time} s, none twice; ${seen.turns} turns of queues, the shortest ${seen.shortest.toFixed(3)} s after the report before`,
    )
    if (seen.given.size !== expected)
      throw new Error(`${seen.given.size} addresses were given; ${expected} are expected`)
    return { given: seen.given.size, turns: seen.turns, shortest: seen.shortest }
  } finally {
    await Promise.all(started.map((node) => node.stop()))
  }
}

/** A queue gave an address to a client. */
function tookTurn(seen, { url, key }, { now, limited, limit }) {
  if (seen.given.has(url)) throw new Error(`${url} was given twice`)
  seen.given.set(url, now)
  const reported = seen.reported.get(key)
  if (limited.has(key) && (seen.completed.get(key) ?? 0) >= limit)
    throw new Error(`${key} gave ${url} beyond its limit`)
  if (reported === undefined) return
  seen.turns++
  const rested = now - reported
  seen.shortest = Math.min(seen.shortest, rested)
  if (rested < 1 - clockSlack)
    throw new Error(`${key} gave ${url} ${rested} s after its last page was reported`)
}

/** Restarts the database under a running client; throws where a stream ended or an item was lost. */
export async function restartedDatabase({ database, stop, start, away, print = () => {} }) {
  const node = await startNode({ database })
  try {
    const client = clientOf(node.address)
    const stream = putStream(client)
    const stored = new Map()
    let failed = 0
    let isOver = false
    const putting = Array.from({ length: 20 }, async (_, worker) => {
      for (let at = 0; !isOver; at++) {
        const url = `http://w${worker}/${at}`
        // As the clients of the API do: what failed is sent again.
        for (let status = 2; status === 2; ) {
          status = await stream.put(knownItem(url, `w${worker}`, 4_000_000_000 + at))
          if (status === 2) failed++
          if (status === 2) await wait(200)
        }
        stored.set(url, 4_000_000_000 + at)
        await wait(5)
      }
    })
    await wait(1_000)
    const before = stored.size
    await stop()
    await wait(away * 1000)
    await start()
    const from = stored.size
    for (let tries = 0; stored.size < from + 200; tries++) {
      if (tries > 600)
        throw new Error(`nothing is stored since the database is back:\n${node.said()}`)
      await wait(100)
    }
    isOver = true
    await Promise.all(putting)
    if (stream.state.broken !== null) throw stream.state.broken
    stream.end()
    const found = new Map(
      (await listAll(client)).map(({ known }) => [known.info.url, known.refetchable_from_date]),
    )
    for (const [url, date] of stored)
      if (found.get(url) !== date) throw new Error(`${url} was acknowledged and is lost`)
    print(
      `database away for ${away} s under 20 writers: ${before} items before, ${stored.size} in all, ${failed} times FAIL and sent again; the stream stayed open, none lost`,
    )
    return { items: stored.size, failed }
  } finally {
    await node.stop()
  }
}

async function main([what = 'all', number]) {
  const print = (line) => console.log(line)
  const folder = mkdtempSync(join(tmpdir(), 'revisit-frontier-chaos-'))
  const needsServer = what !== 'kills-sqlite'
  const server = needsServer ? await startPostgres({ durable: true }) : null
  const address = (schema) => `${server.url}?schema=${schema}`
  const isWanted = (name) => what === 'all' || what.startsWith(name)
  try {
    if (isWanted('kills')) {
      const kills = Number(number ?? 50)
      print(`SQLite, ${kills} kills`)
      await killedNodes({ database: join(folder, 'a.db'), kills, print })
      if (server !== null) {
        print(`PostgreSQL, ${kills} kills`)
        await killedNodes({ database: address('kills'), kills, seed: 2, print })
      }
    }
    if (isWanted('clients')) {
      const time = Number(number ?? 60)
      // Each address takes a second of its queue and some: all are given well before the end.
      const each = Math.max(2, Math.floor(time / 4))
      await manyClients({
        database: address('clients'),
        nodes: 2,
        clients: 8,
        queues: 200,
        each,
        seconds: time,
        print,
      })
    }
    if (isWanted('restart')) {
      const stop = async () => {
        process.kill(server.pid(), 'SIGINT')
        await wait(500)
      }
      await restartedDatabase({
        database: address('restart'),
        stop,
        start: () => server.started(),
        away: 25,
        print,
      })
    }
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2))
