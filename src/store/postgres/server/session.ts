import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { ClientBase } from 'pg'
import type { Statement } from './database.js'

/** What a statement is given: text cannot hold a character of number 0 there. */
export type Value = string | number | boolean | null | Uint8Array | readonly Value[]

/** Where many rows go. */
interface CopyTarget {
  readonly table: string
  readonly columns: readonly string[]
}

/** A connection for a while. */
export class Session {
  readonly #client: ClientBase

  constructor(client: ClientBase) {
    this.#client = client
  }

  /** Rows as arrays: objects take longer to make. */
  async rows<Row extends readonly unknown[]>(
    { name, text }: Statement,
    values: readonly Value[] = [],
  ): Promise<Row[]> {
    const query = { name, text, values: values.map(plain), rowMode: 'array' as const }
    return (await this.#client.query(query)).rows as unknown as Row[]
  }

  async first<Row extends readonly unknown[]>(
    statement: Statement,
    values?: readonly Value[],
  ): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, values))[0]
  }

  /** How many rows it changed. */
  async run({ name, text }: Statement, values: readonly Value[] = []): Promise<number> {
    const { rowCount } = await this.#client.query({ name, text, values: values.map(plain) })
    return rowCount ?? 0
  }

  /** A query made for this call alone, with rows as objects. */
  async once<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#client.query(text, [...values])).rows as Row[]
  }

  /** The same for one that changes rows: how many. */
  async onceCounted(text: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.#client.query(text, [...values])).rowCount ?? 0
  }

  /** The same with rows as arrays. */
  async onceArrays<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const query = { text, values: [...values], rowMode: 'array' as const }
    return (await this.#client.query(query)).rows as unknown as Row[]
  }

  /** Many rows at once, column by column as the table has them. */
  async copy(into: CopyTarget, rows: Iterable<readonly Value[]>): Promise<void> {
    const { from: copyFrom } = await import('pg-copy-streams')
    const client = this.#client as { pipeline: boolean } & ClientBase
    // What streams cannot share the line with others.
    client.pipeline = false
    try {
      await streamed(client.query(copyFrom(copyInto(into))), rows)
    } finally {
      // The line is free once the next answer has come, be it that the transaction has failed.
      await client.query('select').catch(() => {})
      client.pipeline = true
    }
  }
}

function copyInto({ table, columns }: CopyTarget): string {
  return `copy ${table} (${columns.join(', ')}) from stdin`
}

async function streamed(stream: Writable, rows: Iterable<readonly Value[]>): Promise<void> {
  const ended = once(stream, 'finish')
  // Where it fails meanwhile, it is thrown below and not at whoever listens.
  ended.catch(() => {})
  let chunk = ''
  try {
    for (const row of rows) {
      chunk += `${row.map(copied).join('\t')}\n`
      if (chunk.length < chunkLength) continue
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), ended])
      chunk = ''
    }
  } catch (cause) {
    // The server waits for more, unless it is told that none comes.
    stream.destroy(cause as Error)
    throw cause
  }
  stream.end(chunk)
  await ended
}

/** What the server says to statements of a transaction in which one has failed. */
const aborted = '25P02'

/**
 * Answers to what was sent together. Where a statement fails, those behind it
 * are refused, and may be known here before it: what is thrown is why it failed,
 * so that a deadlock or a full disk is known for what it is.
 */
export async function together<const Answers extends readonly unknown[]>(
  sent: Answers,
): Promise<{ -readonly [At in keyof Answers]: Awaited<Answers[At]> }> {
  try {
    return await Promise.all(sent)
  } catch (first) {
    const answers = await Promise.allSettled(sent)
    const failures = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    throw failures.find(({ code }) => code !== aborted) ?? first
  }
}

const chunkLength = 65_536

/** As a parameter. Lists are written out here: in far less time than by `pg`, which looks at each cell anew. */
function plain(value: Value): string | number | boolean | null | Uint8Array {
  if (typeof value === 'string') return withoutZero(value)
  return isList(value) ? `{${value.map(listed).join(',')}}` : value
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** As an element of a list: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function listed(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value !== 'string')
    return value instanceof Uint8Array ? `"\\\\x${hexOf(value)}"` : String(value)
  return `"${withoutZero(value).replace(/["\\]/g, '\\$&')}"`
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex')
}

/** PostgreSQL refuses the character 0 in texts, which pages may hold: shown as what cannot be shown. */
function withoutZero(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

/** As a cell of COPY's text format. */
function copied(value: Value): string {
  if (value === null) return '\\N'
  if (value instanceof Uint8Array) return `\\\\x${hexOf(value)}`
  if (typeof value !== 'string') return String(value)
  return withoutZero(value).replace(/[\\\t\n\r]/g, (character) => escapes[character]!)
}
