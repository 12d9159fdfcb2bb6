/**
 * What is remembered: `sqlite/` in a file, on a `thread/` of its own, `postgres/` on a server for many machines, `memory/` for tests and simulation. Uses model.
 */
export { openMemoryStore } from './memory/store.js'
export { openPostgresStore, type PostgresStoreOptions } from './postgres/store.js'
export { defaultRetention } from './rules.js'
export { restoreStore } from './sqlite/file/backup.js'
export type { OpenOptions } from './sqlite/file/open-database.js'
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/store.js'
export { openThreadedStore } from './thread/threaded-store.js'
