import { join } from 'node:path'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { describeInbox } from '../contracts/inbox.js'
import { tempFolder } from '../fixtures/temp-folder.js'

describeInbox('memory', async () => openMemoryStore())
describeInbox('SQLite', () => openSqliteStore({ path: join(tempFolder(), 'x.db') }))
