import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  copyFile,
  link,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  type DuckDbConnection,
  type DuckDbInstance,
  duckDbReason,
  type LoadDuckDb,
  openDuckDb,
  sqlText,
} from '../../formats/duckdb.js'
import { visitColumns } from '../../formats/visit-log/parquet.js'
import type { FileColumn } from '../../formats/visit-log/parquet-columns.js'
import { EnvironmentError, InputError, OptionError } from '../../model/errors.js'
import type { BulkEngine, EngineSettings, ShareDone } from '../bulk/engine.js'
import { engineFolder } from './engine-folder.js'

/** Bytes of the memory that is given for Node and its heap, and of the rest the share of DuckDB, which has more than it counts: more of little memory than of much. */
const shares = [
  { own: 1.5e8, share: 0.75 },
  { own: 2.5e8, share: 0.9 },
] as const
/** Of the machine's memory, where none is given. */
const ofMachine = 0.5
const leastMemory = 5e8
/** DuckDB is given this at least. */
const leastBytes = 1e8
const progressEvery = 200

/** Opens DuckDB in memory, with a folder of its own in `spill` or where the system keeps such. */
export async function openEngine(
  load: LoadDuckDb,
  { memory, threads = availableParallelism(), spill }: EngineSettings,
): Promise<BulkEngine> {
  if (memory !== undefined && memory < leastMemory)
    throw new OptionError(
      'bad-size',
      '--memory takes 500MB or more: DuckDB does not work with less',
    )
  const parent = spill ?? tmpdir()
  const folder = await engineFolder(parent).catch((cause: Error) => {
    throw new EnvironmentError(
      'unwritable-folder',
      `cannot write to the folder ${parent}: ${cause.message}; name another with --spill`,
      { cause },
    )
  })
  const given = memory ?? totalmem() * ofMachine
  const most = Math.max(...shares.map(({ own, share }) => (given - own) * share))
  // A machine with less than that is too small, but a limit of nothing would be none.
  const bytes = Math.round(Math.max(leastBytes, most))
  try {
    const opened = async (): Promise<OpenDuckDb> => {
      const instance = await openDuckDb(load, {
        threads: String(threads),
        memory_limit: `${Math.round(bytes / 1e6)}MB`,
        temp_directory: join(folder, 'spill'),
        preserve_insertion_order: 'false',
      })
      return { instance, connection: await instance.connect() }
    }
    return new DuckDbEngine({ opened, first: await opened(), folder, memory: bytes, threads })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

interface OpenDuckDb {
  readonly instance: DuckDbInstance
  readonly connection: DuckDbConnection
}

class DuckDbEngine implements BulkEngine {
  readonly memory: number
  readonly threads: number
  readonly folder: string
  readonly #opened: () => Promise<OpenDuckDb>
  #instance: DuckDbInstance
  #connection: DuckDbConnection

  constructor(parts: {
    opened: () => Promise<OpenDuckDb>
    first: OpenDuckDb
    folder: string
    memory: number
    threads: number
  }) {
    this.#opened = parts.opened
    this.#instance = parts.first.instance
    this.#connection = parts.first.connection
    this.folder = parts.folder
    this.memory = parts.memory
    this.threads = parts.threads
  }

  async anew(): Promise<void> {
    const next = await this.#opened()
    this.#shut()
    this.#instance = next.instance
    this.#connection = next.connection
    await collectGarbage()
  }

  #shut(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }

  async files(patterns: readonly string[]): Promise<string[]> {
    const found = new Set<string>()
    for (const pattern of patterns) {
      const files = await this.#filesOf(pattern)
      for (const file of files) found.add(file)
    }
    return [...found].sort()
  }

  async #filesOf(pattern: string): Promise<string[]> {
    const there = await stat(pattern).catch(() => undefined)
    if (there?.isFile()) return [pattern]
    const wanted = there?.isDirectory() ? `${pattern.replace(/\/+$/, '')}/**/*.parquet` : pattern
    const rows = await this.rows(`SELECT file FROM glob(${sqlText(wanted)})`)
    if (rows.length > 0) return rows.map(({ file }) => String(file))
    throw new EnvironmentError(
      there?.isDirectory() ? 'no-parquet' : 'no-files',
      there?.isDirectory()
        ? `there is no Parquet file in the folder ${pattern}`
        : `cannot read ${pattern}: there is no such file; check the path`,
    )
  }

  columns(source: string): Promise<FileColumn[]> {
    return asked(visitColumns(this.#connection, source))
  }

  async run(sql: string, done?: ShareDone): Promise<void> {
    const timer = setInterval(() => {
      const { percentage } = this.#connection.progress
      if (percentage > 0) done?.(Math.min(1, percentage / 100))
    }, progressEvery)
    try {
      await asked(this.#connection.run(sql))
    } finally {
      clearInterval(timer)
    }
  }

  async rows(sql: string): Promise<Array<Record<string, unknown>>> {
    const reader = await asked(this.#connection.runAndReadAll(sql))
    return reader.getRowObjectsJS().map(plain)
  }

  async each(
    sql: string,
    take: (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => Promise<void>,
  ): Promise<void> {
    const result = await asked(this.#connection.stream(sql))
    for await (const rows of result.yieldRowObjectJs()) await take(rows)
  }

  async publish(path: string, copy: (partial: string) => Promise<void>): Promise<void> {
    const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
    try {
      await copy(partial)
      await synced(partial)
      await rename(partial, path)
    } finally {
      await rm(partial, { force: true })
    }
  }

  names(folder: string): Promise<string[]> {
    return readdir(folder).catch(() => [])
  }

  text(path: string): Promise<string> {
    return readFile(path, 'utf8').catch((cause: Error) => {
      throw new EnvironmentError('unreadable-file', `cannot read ${path}: ${cause.message}`, {
        cause,
      })
    })
  }

  async create(path: string, text: string): Promise<boolean> {
    const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
    try {
      await writeFile(partial, text)
      await synced(partial)
      await namedOnce(partial, path)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    } finally {
      await rm(partial, { force: true })
    }
  }

  async remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true })
  }

  async close(): Promise<void> {
    this.#shut()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** Results that nobody holds any more keep the memory of their closed DuckDB until they are collected. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  // What is collected is freed in the next turn.
  await nextTurn()
}

/** On the disk, so that a name that is given to it later is never that of half a file. */
async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

/** A second name for a file, where that is free; a copy on file systems without such. */
async function namedOnce(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error
    return copyFile(from, to, constants.COPYFILE_EXCL)
  })
}

/** Counts come as 64 bits; none of ours is beyond a double. */
function plain(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(row)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value]),
  )
}

/** What DuckDB throws, as a person is told it: about the machine, or about the files. */
function asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((cause) => {
    if (cause instanceof InputError) throw cause
    const reason = duckDbReason(cause)
    if (/no space left|max_temp_directory_size|failed to offload/i.test(reason))
      throw new EnvironmentError(
        'no-room',
        `there is no room to put aside what does not fit into memory: ${reason}; give --spill FOLDER on a larger disk`,
        { cause },
      )
    if (/out of memory/i.test(reason))
      throw new EnvironmentError(
        'out-of-memory',
        `DuckDB needs more memory: ${reason}; give more with --memory, or fewer --threads`,
        { cause },
      )
    if (/cannot open file|permission denied/i.test(reason))
      throw new EnvironmentError('unreadable-file', `DuckDB cannot read or write: ${reason}`, {
        cause,
      })
    throw new InputError('bad-parquet', `DuckDB cannot read these files: ${reason}`, { cause })
  })
}
