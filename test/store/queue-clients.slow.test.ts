import { join } from 'node:path'
import { it } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { newDatabase, newSchema } from '../fixtures/postgres.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { shareQueues } from './queue-clients.js'

/** The clients have a minute, and half a minute more for what is left. */
const timeout = 180_000
const long = { clients: 8, queues: 200, seconds: 60, delay: 1, kills: 50 }

for (const perQueue of [1, 3]) {
  it(`eight processes on one file, 200 queues with ${perQueue} in flight, 50 kills`, {
    timeout,
  }, async () => {
    const path = join(tempFolder(), 'revisit.db')
    const connect = () => openSqliteStore({ path })
    await shareQueues({ connect, where: { path }, perQueue, ...long })
  })

  it(`the same on one PostgreSQL with ${perQueue} in flight`, { timeout }, async () => {
    const url = newSchema(await newDatabase())
    const connect = () => openPostgresStore({ url })
    await shareQueues({ connect, where: { url }, perQueue, ...long })
  })
}
