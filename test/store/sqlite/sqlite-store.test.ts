import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { describeSharedStore } from '../../contracts/shared-store.js'
import { describeStore } from '../../contracts/store.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

describeStore('SQLite', (options) =>
  openSqliteStore({ path: join(tempFolder(), 'revisit.db'), ...options }),
)

describeStore('SQLite that leaves syncing to the system', (options) =>
  openSqliteStore({ path: join(tempFolder(), 'revisit.db'), unsynced: true, ...options }),
)

describeSharedStore('SQLite', async () => {
  const path = join(tempFolder(), 'revisit.db')
  return { connect: () => openSqliteStore({ path }) }
})
