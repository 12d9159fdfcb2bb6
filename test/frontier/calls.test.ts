import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { newDatabase } from '../fixtures/postgres.js'
import { everyCall } from './every-call.js'

const folder = mkdtempSync(join(tmpdir(), 'revisit-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

everyCall('SQLite', () => openSqliteStore({ path: join(folder, 'a.db') }))
everyCall('PostgreSQL', async () => openPostgresStore({ url: await newDatabase() }))
