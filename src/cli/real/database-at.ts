import { open, stat } from 'node:fs/promises'
import { writeFault } from './save-file.js'

/** How an SQLite database begins. https://www.sqlite.org/fileformat.html, 1.3 */
const firstBytes = 'SQLite format 3\0'

/** What SQLite keeps beside a database: foreign bytes there could cost the last visits. */
const beside = /-(wal|shm|journal)$/

/** Says in which way a path is a database or belongs to one; null where it does not. */
export async function databaseAt(path: string): Promise<string | null> {
  if (await isDatabase(path)) return 'is a database'
  const main = path.replace(beside, '')
  return main !== path && (await isDatabase(main)) ? `belongs to the database ${main}` : null
}

/** What is there and cannot be looked at is not written over either. */
async function isDatabase(path: string): Promise<boolean> {
  // Asked first: to open a named pipe would wait for its other end.
  const there = await stat(path).catch(() => undefined)
  if (!there?.isFile()) return false
  const file = await open(path, 'r').catch((cause) => Promise.reject(writeFault(path, cause)))
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(firstBytes.length), { position: 0 })
    return buffer.toString('latin1', 0, bytesRead) === firstBytes
  } finally {
    await file.close()
  }
}
