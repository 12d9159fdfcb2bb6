import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { EnvironmentError, RevisitError } from '../../../model/errors.js'

/**
 * Makes an empty file that its owner alone can read, unless one is there: a
 * store holds the passwords of pages and the secrets of channels, and SQLite
 * would make it readable by all. Its log and its journals take the file's mode.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It is there, or cannot be made: then SQLite, which opens it next, says why.
  }
}

/**
 * The place of an open file. A file that is deleted or replaced can still be
 * written by who has it open, and all of that is lost at the end without an
 * error: so the place is compared before each write, which costs microseconds.
 */
export class FilePlace {
  readonly #path: string
  readonly #device: number
  readonly #number: number

  constructor(path: string) {
    const { dev, ino } = statSync(path)
    this.#path = path
    this.#device = dev
    this.#number = ino
  }

  check(): void {
    const there = statSync(this.#path, { throwIfNoEntry: false })
    if (there?.ino === this.#number && there.dev === this.#device) return
    const what = there === undefined ? 'was deleted or moved away' : 'was replaced by another file'
    throw new EnvironmentError(
      'store-gone',
      `${this.#path} ${what} while it was in use: what was recorded since then is lost with it. Nothing more is recorded; put the last good copy in its place (revisit restore BACKUP --replace) and start again`,
    )
  }
}

/** Whether a file is there and has no byte: cut by a full disk or a bad copy, or just made by SQLite, which writes later. */
export function isEmptyFile(path: string): boolean {
  const there = fileAt(path)
  return there?.isFile() === true && there.size === 0
}

/** Whether a log lies beside the file; a clean close removes it. */
export function hasLog(path: string): boolean {
  return (fileAt(`${path}-wal`)?.size ?? 0) > 0
}

/** What cannot be reached is left to the opening, which says why. */
function fileAt(path: string) {
  return existsSync(path) ? statSync(path) : undefined
}

/**
 * A log without its file, or beside an empty one, is one half of a store: SQLite
 * writes the first page of the file before it begins the log. It would remove
 * the log, with the last visits in it, without a word, or play it into whatever
 * file is put there next.
 */
export function isCutFromLog(path: string): boolean {
  return (!existsSync(path) || isEmptyFile(path)) && hasLog(path)
}

/** Refuses, before SQLite sees it, a file that is empty or missing and cannot be taken for a new store. */
export function checkEmptyFile(
  path: string,
  { readOnly = false }: { readonly readOnly?: boolean },
): void {
  if (isCutFromLog(path)) throw new EnvironmentError('store-damaged', halfText(path))
  if (readOnly && isEmptyFile(path))
    throw new EnvironmentError(
      'no-store',
      `${path} is empty (0 bytes), and no store. If it held pages before, put the last good copy in its place with \`revisit restore BACKUP --replace\`; else begin with \`revisit watch\``,
    )
}

function halfText(path: string): string {
  const what = existsSync(path)
    ? `${path} is empty (0 bytes), but its log ${path}-wal is not`
    : `${path} is missing, but its log ${path}-wal is there`
  return `${what}: this is one half of a store. Copy both files again from where they came, put the last good copy in their place with \`revisit restore BACKUP --replace\`, or move what is left away to begin a new store; nothing was changed`
}

interface Known {
  readonly code: string
  readonly text: (path: string) => string
}

/** What to do about a store that cannot be read any more. */
export function damagedText(path: string): string {
  return `${path} is damaged. Keep the file: \`revisit check\` lists what is wrong, and \`revisit restore BACKUP --replace\` puts the last good copy in its place`
}

/** SQLite's result codes that a person can do something about. */
const known: Readonly<Record<number, Known>> = {
  5: {
    code: 'store-locked',
    text: (path) =>
      `${path} is in use by another process that is writing; nothing was recorded. Wait for it or stop it, then try again`,
  },
  8: {
    code: 'store-read-only',
    text: (path) =>
      `${path} cannot be written; nothing was recorded. Give this user write access to the file and its folder, or choose another folder`,
  },
  10: {
    code: 'store-io',
    text: (path) =>
      `${path} could not be read or written; nothing of this step was recorded. Check the disk, then run again: what was recorded before is kept`,
  },
  11: {
    code: 'store-damaged',
    text: damagedText,
  },
  13: {
    code: 'disk-full',
    text: (path) =>
      `the disk of ${path} is full; nothing of this step was recorded, and what was recorded before is kept. Free some space, then run again`,
  },
  14: {
    code: 'store-unreachable',
    text: (path) =>
      `${path} cannot be opened. Check that its folder exists and that this user may write there`,
  },
  26: {
    code: 'not-a-store',
    text: (path) => `${path} is not a store of Revisit. Name another file; this one was left alone`,
  },
}

/** What a person should be told of an error of the database; errors of our own pass through. */
export function databaseFault(cause: unknown, path: string): unknown {
  if (cause instanceof RevisitError) return cause
  const code = resultCode(cause)
  if (code === undefined) return cause
  const fault = known[code & 0xff]
  if (fault === undefined) return cause
  return new EnvironmentError(fault.code, `${fault.text(path)} (${(cause as Error).message})`, {
    cause,
  })
}

/** Whether the file itself is torn. */
function isTorn(cause: unknown): boolean {
  return ((resultCode(cause) ?? 0) & 0xff) === 11
}

/**
 * The words of SQLite (sqlite3_errstr) for the codes above: the library gives no
 * number with an error that `all` meets between two rows.
 */
const codeOfWords: ReadonlyMap<string, number> = new Map([
  ['database is locked', 5],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['file is not a database', 26],
])

function resultCode(cause: unknown): number | undefined {
  if (!(cause instanceof Error)) return undefined
  const { code, errcode, sqliteCode } = cause as Error & Readonly<Record<string, unknown>>
  if (typeof errcode === 'number') return errcode
  if (typeof sqliteCode === 'number') return sqliteCode
  return code === 'ERR_SQLITE_ERROR' ? codeOfWords.get(cause.message) : undefined
}

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

/**
 * What SQLite's own check finds wrong with a file, a line each; empty where all
 * is well. The check itself breaks off at some damage, after it has told of it:
 * what was told counts.
 */
export function tornParts(
  db: DatabaseSyncInstance,
  check: 'quick_check' | 'integrity_check',
): string[] {
  const found: unknown[] = []
  try {
    readAtOnce(db, { column: check, from: `pragma_${check}`, into: found })
  } catch (cause) {
    if (!isTorn(cause)) throw cause
    if (found.length === 0) found.push((cause as Error).message)
  }
  const lines = found.flatMap((text) => String(text).split('\n'))
  return lines.filter((line) => line !== 'ok' && !line.startsWith('***'))
}
