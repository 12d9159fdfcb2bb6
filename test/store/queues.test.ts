import { join } from 'node:path'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { describeQueues } from '../contracts/queues.js'
import { tempFolder } from '../fixtures/temp-folder.js'

describeQueues('SQLite', async () => {
  const path = join(tempFolder(), 'revisit.db')
  return { connect: () => openSqliteStore({ path }) }
})
