export { defaultRetention } from './retention.js'
export type { OpenOptions } from './sqlite/open-database.js'
export { restoreStore } from './sqlite/restore-store.js'
export { openSqliteStore, type SqliteStoreOptions } from './sqlite/sqlite-store.js'
