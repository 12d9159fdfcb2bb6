import { join } from 'node:path'
import { openMemoryStore, openSqliteStore } from '../../src/store/index.js'
import { describeOutbox } from '../contracts/outbox.js'
import { tempFolder } from '../fixtures/temp-folder.js'

describeOutbox('memory', async () => openMemoryStore())
describeOutbox('SQLite', () => openSqliteStore({ path: join(tempFolder(), 'x.db') }))
