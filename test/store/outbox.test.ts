import { join } from 'node:path'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { describeOutbox } from '../contracts/outbox.js'
import { tempFolder } from '../fixtures/temp-folder.js'

describeOutbox('memory', async () => openMemoryStore())
describeOutbox('SQLite', () => openSqliteStore({ path: join(tempFolder(), 'x.db') }))
