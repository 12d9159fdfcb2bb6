import { EnvironmentError, RevisitError } from '../../model/index.js'

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
export function isTorn(cause: unknown): boolean {
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
