import { join } from 'node:path'
import { it } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { newDatabase, newSchema } from '../fixtures/postgres.js'
import { tempFolder } from '../fixtures/temp-folder.js'
import { shareQueues } from './queue-clients.js'

const quick = { clients: 3, queues: 24, perQueue: 1, seconds: 4, delay: 0.2, kills: 2 }

it('processes on one file share its queues, and two of them are killed', async () => {
  const path = join(tempFolder(), 'revisit.db')
  await shareQueues({ connect: () => openSqliteStore({ path }), where: { path }, ...quick })
})

it('processes on one PostgreSQL share its queues, and two of them are killed', async () => {
  const url = newSchema(await newDatabase())
  await shareQueues({ connect: () => openPostgresStore({ url }), where: { url }, ...quick })
})
