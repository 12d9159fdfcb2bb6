import { type BigIntStats, fstatSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { OptionError } from '../../model/index.js'
import type { NewFile } from '../crawler/crawler-world.js'
import type { Source } from '../world.js'
import { databaseAt } from './database-at.js'
import { createFile } from './new-file.js'
import { saveFile } from './save-file.js'
import { openFile } from './sources.js'

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
