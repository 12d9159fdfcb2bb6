import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { dialectNamed } from '../dist/estimators/bulk/dialect.js'
import { estimateStatement } from '../dist/estimators/bulk/statement.js'

/**
 * `revisit estimate` over 20 and 100 million observations in 16 Parquet files
 * made on the spot, two threads and 2 GB: beside the bare statement in the same
 * run, in how much memory, and how time grows. Fewer: BULK_MILLIONS=1,5. The
 * files, 1 GB, go to BULK_FOLDER or the system's, and are removed.
 */

export const name = 'revisit estimate over many Parquet files'

const visits = 21
const files = 16
const memoryLimit = 2000
const millions = (process.env.BULK_MILLIONS ?? '20,100').split(',').map(Number)

export async function run({ print }) {
  const folder = mkdtempSync(join(process.env.BULK_FOLDER ?? tmpdir(), 'revisit-bulk-bench-'))
  const rates = []
  try {
    for (const size of millions) {
      const log = join(folder, String(size))
      await writeLog(log, size)
      const bare = await bareStatement(log, folder)
      const { seconds, megabytes } = await timed(log, folder)
      rates.push({ size, seconds })
      const ratio = bare / seconds
      print(
        `${size} million observations: ${seconds.toFixed(1)} s, the bare statement, given 12 GB at once, ${bare.toFixed(1)} s (${ratio.toFixed(2)} of its speed, at least 0.50), peak memory ${megabytes} MB (limit ${memoryLimit})`,
      )
      rmSync(log, { recursive: true, force: true })
      if (megabytes > memoryLimit) throw new Error(`peak memory over ${memoryLimit} MB`)
      if (ratio < 0.5) throw new Error('less than half the speed of the bare statement')
    }
    const [few, many] = [rates[0], rates.at(-1)]
    const growth = many.seconds / few.seconds / (many.size / few.size)
    print(
      `from ${few.size} to ${many.size} million: ${growth.toFixed(2)} times linear (at most 1.2)`,
    )
    if (growth > 1.2) throw new Error('time grows faster than 1.2 times linear')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A day of all pages after the other, in as many files: nothing is sorted by page. */
async function writeLog(folder, size) {
  mkdirSync(folder)
  const connection = await connected({ memory: '4GB' })
  const pages = Math.round((size * 1e6) / (visits - 1))
  const days = Math.ceil(visits / files)
  for (let file = 0; file < files; file++)
    await connection.run(
      `COPY (SELECT 'https://host' || (p % 9973) || '.example.org/section/page-' || p || '.html' AS url, 1700000000 + v * 86400 + (hash(p + v * 31) % 40000)::BIGINT AS "at", hash(p * 31 + v) % 100 < 5 + p % 60 AS changed FROM range(${file * days}, ${Math.min(visits, (file + 1) * days)}) t(v), range(${pages}) s(p)) TO '${join(folder, `${file}.parquet`)}'`,
    )
  connection.closeSync()
}

/** The statement alone, with as much memory as it likes: rates of all pages counted, none written. */
async function bareStatement(log, folder) {
  const connection = await connected({ memory: '12GB', spill: join(folder, 'spill') })
  const statement = estimateStatement({
    dialect: dialectNamed('duckdb'),
    visits: `SELECT url, "at"::DOUBLE AS visited_at, CASE WHEN changed THEN 0 ELSE 1 END AS outcome FROM '${log}/*.parquet'`,
    extras: { digest: false, lastModified: false, unchangedFor: false },
    method: 'irregular-mle',
    level: 0.95,
  })
  const begun = performance.now()
  await connection.run(`SELECT count(*), sum(low), sum(high), sum(change_rate) FROM (${statement})`)
  connection.closeSync()
  return (performance.now() - begun) / 1000
}

async function connected({ memory, spill }) {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '2',
    memory_limit: memory,
    preserve_insertion_order: 'false',
    ...(spill === undefined ? {} : { temp_directory: spill }),
  })
  return instance.connect()
}

/** The command as a person runs it, which tells its peak memory. */
function timed(log, folder) {
  const command = new URL('../dist/cli/main.js', import.meta.url).pathname
  const result = join(folder, 'rates.parquet')
  const args = [
    'estimate',
    log,
    '--memory',
    '2GB',
    '--threads',
    '2',
    '--spill',
    folder,
    '--output',
    result,
  ]
  const begun = performance.now()
  const child = spawn(process.execPath, [command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, REVISIT_STATS: '1' },
  })
  let printed = ''
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const megabytes = Number(/peak memory (\d+) MB/.exec(printed)?.[1])
      if (code !== 0 || statSync(result).size === 0)
        reject(new Error(`revisit estimate ended with ${code}: ${printed}`))
      else resolve({ seconds: (performance.now() - begun) / 1000, megabytes })
    })
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await run({ print: (line) => console.log(line) })
