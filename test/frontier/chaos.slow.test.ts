import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { killedNodes, manyClients, restartedDatabase } from '../../scripts/frontier-chaos.mjs'
import { startPostgres } from '../../scripts/postgres-server.mjs'
import { newDatabase } from '../fixtures/postgres.js'
import { tempFolder } from '../fixtures/temp-folder.js'

it.each(['auto', 'client'] as const)(
  '50 kills on SQLite, by the schedule %s',
  async (schedule) => {
    const database = join(tempFolder(), 'a.db')
    const seen = await killedNodes({ database, kills: 50, seed: 5, schedule })
    expect(seen.acknowledged).toBeGreaterThan(100)
  },
  600_000,
)

it('50 kills on PostgreSQL', async () => {
  const seen = await killedNodes({ database: await newDatabase(), kills: 50, seed: 6 })
  expect(seen.acknowledged).toBeGreaterThan(100)
}, 600_000)

it('eight clients of two nodes on one PostgreSQL, 200 queues, a minute', async () => {
  const database = await newDatabase()
  const shape = { nodes: 2, clients: 8, queues: 200, each: 12, seconds: 60 }
  const seen = await manyClients({ database, ...shape })
  expect(seen.given).toBe(200 * 12 - 20 * 6)
}, 600_000)

it('PostgreSQL restarted under a running client: FAIL while it is away, nothing lost', async () => {
  const server = await startPostgres({ durable: true })
  onTestFinished(() => server.stop())
  const seen = await restartedDatabase({
    database: server.url,
    stop: async () => {
      process.kill(server.pid(), 'SIGINT')
      await wait(500)
    },
    start: () => server.started(),
    away: 25,
  })
  expect(seen.failed).toBeGreaterThan(0)
}, 600_000)
