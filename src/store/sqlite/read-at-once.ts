import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/**
 * The first column of a query, read without a statement of our own. The library
 * frees prepared statements only with the garbage, and a connection that is
 * closed before then goes on holding the file; `exec` frees at once.
 */
export function readAtOnce(
  db: DatabaseSyncInstance,
  {
    column,
    from,
    into = [],
  }: {
    readonly column: string
    readonly from: string
    /** Where the values go, for a caller that wants those before a failure too. */
    readonly into?: unknown[]
  },
): unknown[] {
  db.function('revisit_read', (value: unknown) => {
    into.push(value)
    return null
  })
  db.exec(`select revisit_read(${column}) from ${from}`)
  return into
}
