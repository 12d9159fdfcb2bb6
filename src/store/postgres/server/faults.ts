import { EnvironmentError, RevisitError } from '../../../model/errors.js'

/** What is known of a server from its address, without its password. */
export interface ServerName {
  /** For messages. */
  readonly text: string
  readonly user: string
  readonly database: string
  readonly schema: string
}

interface Known {
  readonly code: string
  readonly text: (name: ServerName) => string
}

const nothingLost = 'nothing of this step was recorded, and what was recorded before is kept'

const refused: Known = {
  code: 'store-refused',
  text: ({ text, user }) =>
    `${text} does not let ${user} in. Check user and password: in the address, in PGPASSWORD, or in the file that PGPASSFILE names`,
}

const pooledServer: Known = {
  code: 'store-pooled',
  text: ({ text }) =>
    `a pooler stands before ${text} that gives each transaction another connection. Name the server itself, or set the pooler to session mode`,
}

const damaged: Known = {
  code: 'store-damaged',
  text: ({ text }) =>
    `${text} has found damage in its files. Keep them, and restore the database from its last good backup`,
}

const noSchema: Known = {
  code: 'no-store',
  text: ({ text, schema }) =>
    `the tables of the store are gone from ${text} (schema ${schema}); restore the database, or open the store anew`,
}

/** PostgreSQL's codes that a person can do something about. */
const known: Readonly<Record<string, Known>> = {
  '28P01': refused,
  '28000': refused,
  '3D000': {
    code: 'no-database',
    text: ({ text, database }) =>
      `there is no database ${database} at ${text}. Make it once: create database ${database}`,
  },
  '42501': {
    code: 'store-rights',
    text: ({ text, user, database, schema }) =>
      `${user} lacks rights in ${text}. Let its owner run: grant create on database ${database} to ${user}; and where the schema ${schema} is there already, make ${user} its owner`,
  },
  '25006': {
    code: 'store-read-only',
    text: ({ text }) =>
      `${text} can only be read, such as a replica; ${nothingLost}. Name the primary server`,
  },
  '53100': {
    code: 'disk-full',
    text: ({ text }) =>
      `the disk of ${text} is full; ${nothingLost}. Free some space there, then run again`,
  },
  '53300': {
    code: 'store-busy',
    text: ({ text }) =>
      `${text} has no connection left. Raise its max_connections, or run fewer workers`,
  },
  '26000': pooledServer,
  '42P05': pooledServer,
  '08P01': pooledServer,
  '58030': {
    code: 'store-io',
    text: ({ text }) => `${text} could not read or write its files; ${nothingLost}. Check its disk`,
  },
  '42P01': noSchema,
  '3F000': noSchema,
  XX001: damaged,
  XX002: damaged,
}

/** A pooler stands between that cannot be worked through. */
export function pooled(name: ServerName): EnvironmentError {
  return new EnvironmentError(pooledServer.code, pooledServer.text(name))
}

/** Of a server that takes no connections yet, or no longer. */
export const starting = '57P03'

/** Errors of the way to a server. */
const unreachable: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ECONNABORTED', 'EHOSTDOWN', 'EACCES'],
  // Of the server: it was ended, has crashed, is starting, or the connection was.
  ...['57P01', '57P02', starting, '57P05', '25P03', '08000', '08001', '08003', '08004', '08006'],
])

/** `pg` says these in words alone. */
const lostWords =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout e|timeout exceeded|Query read timeout)/

function codeOf(cause: unknown): string | undefined {
  const { code, errors } = cause as { code?: unknown; errors?: readonly unknown[] }
  if (typeof code === 'string') return code
  // Each address of a name was tried: all failed, alike most often.
  return errors === undefined ? undefined : codeOf(errors[0])
}

/** Whether the connection is gone, or was not to be had: the same may succeed on another. */
export function isLost(cause: unknown): boolean {
  if (!(cause instanceof Error) || cause instanceof RevisitError) return false
  const code = codeOf(cause)
  if (code !== undefined) return unreachable.has(code) || code === '53300'
  return lostWords.test(cause.message)
}

/** Whether it would have to do with others that were at work at the same time: the same succeeds next. */
export function isCrossed(cause: unknown): boolean {
  const code = cause instanceof Error ? codeOf(cause) : undefined
  return code === '40001' || code === '40P01'
}

/** What a person should be told of an error of the server; errors of our own pass through. */
export function serverFault(cause: unknown, name: ServerName): unknown {
  if (cause instanceof RevisitError || !(cause instanceof Error)) return cause
  const code = codeOf(cause)
  const fault = code === undefined ? undefined : known[code]
  if (fault !== undefined)
    return new EnvironmentError(fault.code, `${fault.text(name)} (${cause.message})`, { cause })
  const why = cause.message === '' ? code : cause.message
  if (isTls(cause))
    return new EnvironmentError(
      'store-tls',
      `${name.text} has no TLS with a certificate that can be checked here, which sslmode in the address asks for. Name the file of the authority that signed it (sslrootcert=FILE), or take sslmode away where the network is your own (${why})`,
      { cause },
    )
  if (!isLost(cause)) return cause
  return new EnvironmentError(
    'store-unreachable',
    `${name.text} cannot be reached. Check the address, and that the server runs and may be reached from here (${why})`,
    { cause },
  )
}

/** Certificates that do not fit, or a server that has none. */
function isTls(cause: Error): boolean {
  const code = codeOf(cause) ?? ''
  if (cause.message.startsWith('The server does not support SSL')) return true
  return /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)
}
