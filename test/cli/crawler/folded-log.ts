import { spawn } from 'node:child_process'
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { expect } from 'vitest'
import type { Store } from '../../../src/model/store.js'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { randomPages, writeVisits } from '../../estimators/bulk/random-pages.js'
import { newDatabase } from '../../fixtures/postgres.js'
import { runCli } from '../../fixtures/run-cli.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const collection = 'default'

/**
 * A log folded in so many parts, in no order, one of them killed with -9 and run
 * again: the states in a file and, by COPY through a table, in PostgreSQL, beside
 * an import of the whole log by one process.
 */
export async function comparedFold(
  folder: string,
  // biome-ignore lint/suspicious/noExplicitAny: an optional package.
  { duckdb, pages: count, parts }: { duckdb: any; pages: number; parts: number },
): Promise<void> {
  const at = (name: string) => join(folder, name)
  const made = { seed: 616, lastModified: true, unchangedFor: true }
  // Visits up to some years from 2020: what lies in the future is left out of a log.
  const now = 1_700_000_000
  const pages = [...randomPages(count, made)]
    .map(({ url, visits }) => ({ url, visits: visits.filter((visit) => visit.at < now) }))
    .filter(({ visits }) => visits.length > 0)
  writeVisits(at('log.csv'), pages)
  const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect()
  const numbers = `types = {'at': 'DOUBLE', 'changed': 'VARCHAR', 'last_modified': 'DOUBLE', 'unchanged_for': 'DOUBLE'}`
  await connection.run(
    `COPY (SELECT url, "at", changed, last_modified, unchanged_for FROM read_csv('${at('log.csv')}', header = true, ${numbers}) ORDER BY hash(url || "at")) TO '${at('log.parquet')}'`,
  )
  const fold = (part: number) => [
    ...['fold', at('log.parquet'), '--part', `${part}/${parts}`, '--threads', '1'],
    ...['--output', at(`part-${part}.copy`), '--database', at('none.db')],
  ]
  await killed(fold(2), () => readdirSync(folder).some((name) => name.startsWith('part-2.copy')))
  const order = Array.from({ length: parts }, (_, i) => 1 + ((i * 7 + 3) % parts))
  for (const part of order) {
    const { code, err } = await runCli(fold(part))
    expect({ code: code! <= 1, err }).toEqual({ code: true, err: '' })
  }
  const files = order.map((part) => at(`part-${part}.copy`))
  const states = (names: readonly string[]) => names.flatMap((name) => ['--states', name])
  const taken = await runCli(['import', ...states(files), '--database', at('folded.db')])
  expect(taken.err).toBe('')
  const whole = await runCli(['import', at('log.csv'), '--database', at('whole.db')])
  expect(whole.err).toBe('')
  const expected = await openSqliteStore({ path: at('whole.db') })
  const folded = await openSqliteStore({ path: at('folded.db') })
  await expectSame(folded, expected, pages)
  const server = await throughCopy(files, at('back.copy'))
  const there = await runCli(['import', '--states', at('back.copy'), '--database', server])
  expect(there.err).toBe('')
  const postgres = await openPostgresStore({ url: server })
  await expectSame(postgres, expected, pages)
  for (const store of [expected, folded, postgres]) await store.close()
}

/** Starts a command and kills it once something is there. */
async function killed(args: readonly string[], isThere: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  while (child.exitCode === null && !isThere()) await sleep(1)
  child.kill('SIGKILL')
  await ended
}

async function expectSame(
  store: Store,
  expected: Store,
  pages: ReadonlyArray<{ readonly url: string }>,
): Promise<void> {
  let learned = 0
  for (const { url } of pages) {
    const kept = async (from: Store) => {
      const page = (await from.getPage({ collection, url }))!
      const { state, due, lastSeen, lastVisit, failing, gone } = page
      return { url, state, due, lastSeen, lastVisit, failing, gone }
    }
    const one = await kept(expected)
    expect(await kept(store)).toEqual(one)
    if (one.state !== null) learned++
  }
  expect(learned).toBeGreaterThan(pages.length / 2)
}

/** All rows into a table of a new database, and out of it again. */
async function throughCopy(files: readonly string[], back: string): Promise<string> {
  const server = await newDatabase()
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('create table states (url text primary key, state jsonb not null)')
    for (const file of files)
      await pipeline(createReadStream(file), client.query(copyFrom('copy states from stdin')))
    const rows: Buffer[] = []
    for await (const chunk of client.query(copyTo('copy states to stdout'))) rows.push(chunk)
    writeFileSync(back, Buffer.concat(rows))
    const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean))
    const { rows: counted } = await client.query('select count(*)::int as many from states')
    expect(counted).toEqual([{ many: lines.length }])
  } finally {
    await client.end()
  }
  return server
}
