import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { killedNodes, manyClients, restartedDatabase } from '../../scripts/frontier-chaos.mjs'
import { newDatabase } from '../fixtures/postgres.js'
import { tempFolder } from '../fixtures/temp-folder.js'

// The same at full length: chaos.slow.test.ts, and `npm run frontier-chaos`.

it('a node that is killed forgets neither items nor delays, blocks, limits, leases and turns', async () => {
  const seen = await killedNodes({ database: join(tempFolder(), 'a.db'), kills: 1, seed: 3 })
  expect(seen.acknowledged).toBeGreaterThan(0)
  expect(seen.given).toBeGreaterThan(0)
}, 60_000)

it('two nodes give each address once, and no queue too soon or too much', async () => {
  const database = await newDatabase()
  const seen = await manyClients({
    database,
    nodes: 2,
    clients: 4,
    queues: 20,
    each: 3,
    seconds: 4,
  })
  // Of two queues half is given: they have a limit.
  expect(seen.given).toBe(20 * 3 - 2 * 2)
  expect(seen.turns).toBeGreaterThan(10)
}, 60_000)

it('a database that is away for a while ends no stream and loses no item', async () => {
  const relay = await aRelay(await newDatabase())
  const seen = await restartedDatabase({
    database: relay.address,
    stop: async () => relay.shut(),
    start: async () => relay.open(),
    away: 1,
  })
  expect(seen.items).toBeGreaterThan(200)
}, 60_000)

/** Stands between a store and its server, and can be shut. */
async function aRelay(to: string) {
  const { port, hostname } = new URL(to)
  const sockets = new Set<Socket>()
  let isShut = false
  const server = createServer((client) => {
    if (isShut) return client.destroy()
    const behind = connect(Number(port), hostname)
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        behind.destroy()
      })
    }
    client.pipe(behind).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const address = new URL(to)
  address.port = String((server.address() as { port: number }).port)
  return {
    address: address.href,
    shut() {
      isShut = true
      cut()
    },
    open() {
      isShut = false
    },
  }
}
