import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { describeInbox } from '../../contracts/inbox.js'
import { describeOutbox } from '../../contracts/outbox.js'
import { describeQueues } from '../../contracts/queues.js'
import { describeSharedStore } from '../../contracts/shared-store.js'
import { describeStore } from '../../contracts/store.js'
import { newDatabase, newSchema } from '../../fixtures/postgres.js'

let database: Promise<string> | undefined
const newStore = async () => {
  database ??= newDatabase()
  return newSchema(await database)
}

describeStore('PostgreSQL', async (options) =>
  openPostgresStore({ url: await newStore(), ...options }),
)
describeInbox('PostgreSQL', async () => openPostgresStore({ url: await newStore() }))
describeOutbox('PostgreSQL', async () => openPostgresStore({ url: await newStore() }))
describeSharedStore('PostgreSQL', async () => {
  const url = await newStore()
  return { connect: () => openPostgresStore({ url }) }
})
describeQueues('PostgreSQL', async () => {
  const url = await newStore()
  return { connect: () => openPostgresStore({ url }) }
})
