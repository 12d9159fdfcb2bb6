import { hash } from 'node:crypto'
import { InputError } from '../../model/errors.js'

/**
 * Hosts and addresses are named by 64 bits of their SHA-256: a key that every
 * process works out alike, without asking for it, and by which tables can be
 * split. It is written in decimal, as PostgreSQL's bigint: a JavaScript number
 * holds 53 bits.
 */
export type Key = string

export function keyOf(text: string): Key {
  return hash('sha256', text, 'buffer').readBigInt64BE(0).toString()
}

/** Enough for the hosts at work; beyond it they are worked out again. */
const cached = 50_000
const hostKeys = new Map<string, Key>()

/** The same for a host, which is asked for again and again. */
export function hostKey(name: string): Key {
  const known = hostKeys.get(name)
  if (known !== undefined) return known
  if (hostKeys.size >= cached) hostKeys.clear()
  const key = keyOf(name)
  hostKeys.set(name, key)
  return key
}

/** Among 2 ** 32 names one such pair is to be expected; the key is the first one's. */
export function keyTaken(kind: 'host' | 'address', name: string, by: string): InputError {
  return new InputError(
    'key-taken',
    `the ${kind} ${name} has the same key as ${by}, which is in this database already; keep it in a database of its own`,
  )
}

/** Where a page lies: its host, and its number among the pages that host ever had. */
export interface PageKey {
  readonly host: Key
  readonly page: number
}

/** `host.page`: the host's key as 16 hexadecimal digits, and the page's number. */
export function pageId({ host, page }: PageKey): string {
  return `${BigInt.asUintN(64, BigInt(host)).toString(16).padStart(16, '0')}.${page}`
}

/** Undefined where the text is not an id of ours. */
export function pageKey(id: string): PageKey | undefined {
  const parts = /^([0-9a-f]{16})\.([1-9]\d{0,14})$/.exec(id)
  if (parts === null) return undefined
  return { host: BigInt.asIntN(64, BigInt(`0x${parts[1]}`)).toString(), page: Number(parts[2]) }
}
