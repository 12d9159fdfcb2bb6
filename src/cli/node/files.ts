import { randomBytes } from 'node:crypto'
import { type BigIntStats, createReadStream, existsSync, fstatSync } from 'node:fs'
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { EnvironmentError, InputError, OptionError } from '../../model/errors.js'
import type { FoundPath, NewFile, Source } from '../environment.js'

const reasons: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'writing there is not permitted',
  EPERM: 'writing there is not permitted',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

/** Writes a file in place of what was there. */
export async function saveFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content).catch((cause) => Promise.reject(writeFault(path, cause)))
}

/** Why a file cannot be written, for a person. */
function writeFault(
  path: string,
  cause: Pick<NodeJS.ErrnoException, 'code'> & { readonly message?: string },
): EnvironmentError {
  return new EnvironmentError(
    'unwritable-file',
    `cannot write ${path}: ${reasons[cause.code ?? ''] ?? cause.message}; name another file`,
    { cause },
  )
}

/** How an SQLite database begins. https://www.sqlite.org/fileformat.html, 1.3 */
const firstBytes = 'SQLite format 3\0'

/** What SQLite keeps beside a database: foreign bytes there could cost the last visits. */
const beside = /-(wal|shm|journal)$/

/** Says in which way a path is a database or belongs to one; null where it does not. */
async function databaseAt(path: string): Promise<string | null> {
  if (await isDatabase(path)) return 'is a database'
  const main = path.replace(beside, '')
  return main !== path && (await isDatabase(main)) ? `belongs to the database ${main}` : null
}

/** What is there and cannot be read is not written over either. */
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

/** A file that is written beside its place and takes it, whole, at the end. */
async function createFile(path: string): Promise<NewFile> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  const fault = (cause: NodeJS.ErrnoException): EnvironmentError => writeFault(path, cause)
  const file = await open(partial, 'wx').catch((cause) => Promise.reject(fault(cause)))
  return {
    async write(bytes) {
      await file.appendFile(bytes).catch((cause) => Promise.reject(fault(cause)))
    },
    async finish() {
      await file.close()
      await rename(partial, path).catch((cause) => Promise.reject(fault(cause)))
    },
    async drop() {
      await file.close().catch(() => {})
      await rm(partial, { force: true })
    },
  }
}

/** Large reads: fewer turns of the event loop. */
const readLength = 1 << 20

/** The bytes of a file. */
async function openFile(path: string): Promise<Source> {
  const found = await stat(path).catch((cause) => Promise.reject(unreadable(path, cause)))
  if (found.isDirectory())
    throw new EnvironmentError('is-folder', `${path} is a folder; name a file in it`)
  const stream = createReadStream(path, { highWaterMark: readLength })
  return {
    chunks: readable(stream, path),
    size: found.isFile() ? found.size : undefined,
    bytesRead: () => stream.bytesRead,
  }
}

/** What lies at a path, by its first bytes; undefined where nothing does or it cannot be read. */
export async function foundPath(path: string): Promise<FoundPath | undefined> {
  const there = await stat(path).catch(() => undefined)
  if (there === undefined) return undefined
  const { size } = there
  if (there.isDirectory()) return { isFolder: true, size, head: '' }
  if (!there.isFile()) return { isFolder: false, size, head: '' }
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), { position: 0 })
    return { isFolder: false, size, head: buffer.toString('latin1', 0, bytesRead) }
  } finally {
    await file.close()
  }
}

/** The bytes that are piped in. */
export function pipedInput(stream: Readable): Source {
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      bytes += chunk.length
      yield chunk
    }
  }
  return { chunks: counted(), size: undefined, bytesRead: () => bytes }
}

async function* readable(stream: Readable, path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

const reasonsOfSources: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
}

function unreadable(path: string, cause: NodeJS.ErrnoException | unknown): EnvironmentError {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return new EnvironmentError(
    'unreadable-file',
    `cannot read ${path}: ${reasonsOfSources[code] ?? message}; check the path`,
    { cause },
  )
}

/**
 * The files of the disk, as a command reads and writes them. A slip of the
 * hand must not cost anybody's data: what was read is never written over, and
 * neither is a database, under whatever name or link it is named.
 */
export class DiskFiles {
  readonly #read = new Set<string>()

  /** `piped` is the descriptor of standard input, which may be a file too. */
  constructor({ piped }: { readonly piped?: number } = {}) {
    if (piped === undefined) return
    try {
      this.#note(fstatSync(piped, { bigint: true }))
    } catch {
      // Closed: nothing is read from it.
    }
  }

  readonly open = async (path: string): Promise<Source> => {
    const source = await openFile(path)
    this.#note(await found(path))
    return source
  }

  readonly save = async (path: string, content: string | Uint8Array): Promise<void> => {
    await this.mayReplace(path)
    await saveFile(path, content)
  }

  readonly createFile = async (path: string): Promise<NewFile> => {
    await this.mayReplace(path)
    return createFile(path)
  }

  readonly mayReplace = async (path: string, inputs: readonly string[] = []): Promise<void> => {
    for (const input of inputs) this.#note(await found(input))
    const there = await found(path)
    if (there !== undefined && this.#read.has(identity(there)))
      throw new OptionError(
        'replaces-input',
        `${path} is read by this command and would be replaced; name another file to write to`,
      )
    const database = await databaseAt(path)
    if (database !== null)
      throw new OptionError(
        'replaces-database',
        `${path} ${database}, which no report or export replaces; name another file to write to`,
      )
    // Known before the work that is to be saved, which may take hours.
    if (there?.isDirectory() === true) throw writeFault(path, { code: 'EISDIR' })
    if (there === undefined && (await found(dirname(resolve(path))))?.isDirectory() !== true)
      throw writeFault(path, { code: 'ENOENT' })
  }

  /** Terminals, pipes and /dev/null can be read and written at the same time. */
  #note(file: BigIntStats | undefined): void {
    if (file?.isFile()) this.#read.add(identity(file))
  }
}

function found(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch(() => undefined)
}

/** The same through links, and in whatever way the path is written. */
function identity({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`
}

/** Makes a folder, and those it lies in, unless it is there already. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((cause: Error) => {
    throw new EnvironmentError(
      'unwritable-folder',
      `cannot make the folder ${path}: ${cause.message}; name another`,
      { cause },
    )
  })
}

/** What a JavaScript file of the user's own exports. It is run: whoever names it vouches for it. */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const file = await stat(path).catch(() => undefined)
  if (file === undefined)
    throw new EnvironmentError('unreadable-file', `cannot read ${path}: there is no such file`)
  if (!file.isFile())
    throw new EnvironmentError('unreadable-file', `cannot read ${path}: it is not a file`)
  const { href } = pathToFileURL(resolve(path))
  try {
    return await import(/* @vite-ignore */ href)
  } catch (cause) {
    throw fault(path, cause)
  }
}

function fault(path: string, cause: unknown): InputError {
  const why = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof SyntaxError)
    return new InputError(
      'bad-module',
      `${path} does not parse: ${why}; node --check ${path} shows the line`,
      { cause },
    )
  return new InputError('bad-module', `${path} cannot be loaded: ${why}`, { cause })
}

/** From dist/cli/serve, and from src/cli/serve where tests run. */
const places = ['../../dashboard/', '../../../dist/dashboard/']

/** Where the built dashboard is; undefined where it was not built. */
export function dashboardFolder(): string | undefined {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return folders.find((folder) => existsSync(`${folder}index.html`))
}
