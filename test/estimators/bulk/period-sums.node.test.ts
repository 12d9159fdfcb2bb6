import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dialectNamed } from '../../../src/estimators/bulk/dialect.js'
import {
  estimateStatement,
  mergeSteps,
  oneStatement,
  sumsSteps,
} from '../../../src/estimators/bulk/statement.js'
import type { VisitExtras } from '../../../src/estimators/bulk/visit-outcomes.js'
import { Random } from '../../../src/numeric/random.js'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { type PageKind, randomPages, writeVisits } from './random-pages.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)

const dialect = dialectNamed('duckdb')
const method = 'irregular-mle'

/** Random pages whose log is cut into periods: estimates of the whole log, and of the periods' sums. */
async function bothWays({ kind, bins, seed }: { kind: PageKind; bins: boolean; seed: number }) {
  const file = join(tempFolder(), 'visits.csv')
  const pages = [...randomPages(1500, { seed, ...kind })]
  writeVisits(file, pages)
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS()
  const types = `types = {'url': 'VARCHAR', 'at': 'DOUBLE', 'changed': 'VARCHAR', 'digest': 'VARCHAR', 'last_modified': 'DOUBLE', 'unchanged_for': 'DOUBLE'}`
  const codes = `CASE changed WHEN 'changed' THEN 0 WHEN 'unchanged' THEN 1 WHEN 'first' THEN 2 WHEN 'failed' THEN 4 ELSE 3 END`
  await connection.run(
    `CREATE TABLE log AS SELECT url, "at" AS visited_at, ${codes} AS outcome, digest, last_modified, unchanged_for FROM read_csv('${file}', header = true, ${types})`,
  )
  const extras: VisitExtras = {
    digest: kind.digest === true,
    lastModified: kind.lastModified === true,
    unchangedFor: kind.unchangedFor === true,
  }
  const cuts = [-1, ...cutsOf(pages, new Random(seed)), Infinity]
  for (let i = 0; i + 1 < cuts.length; i++) {
    const until = cuts[i + 1] === Infinity ? '' : ` AND visited_at < ${cuts[i + 1]}`
    const visits = `SELECT * FROM log WHERE visited_at >= ${cuts[i]}${until}`
    const statement = oneStatement(dialect, sumsSteps({ dialect, visits, extras, bins }))
    await connection.run(`CREATE TABLE period_${i} AS ${statement}`)
  }
  // Some periods are merged, and what came of it once more.
  const merged = async (name: string, parts: readonly string[]) => {
    const sums = parts.map((part) => `SELECT * FROM ${part}`).join(' UNION ALL ')
    const statement = oneStatement(dialect, mergeSteps({ dialect, sums, bins }))
    await connection.run(`CREATE TABLE ${name} AS ${statement}`)
  }
  await merged('early', ['period_0', 'period_1'])
  await merged('most', ['early', 'period_2'])
  const sums = ['most', 'period_3', 'period_4']
    .map((part) => `SELECT * FROM ${part}`)
    .join(' UNION ALL ')
  const asked = { dialect, method, level: 0.9 } as const
  const joined = await rowsOf(
    `SELECT * FROM (${estimateStatement({ ...asked, sums })}) ORDER BY url`,
  )
  const whole = await rowsOf(
    `SELECT * FROM (${estimateStatement({ ...asked, visits: 'SELECT * FROM log', extras })}) ORDER BY url`,
  )
  return { joined, whole, pages: pages.length }
}

/** Four times between visits, so that each of five periods has many. */
function cutsOf(pages: Iterable<{ visits: ReadonlyArray<{ at: number }> }>, random: Random) {
  const times = [...pages].flatMap(({ visits }) => visits.map(({ at }) => at)).sort((a, b) => a - b)
  const cuts = Array.from({ length: 4 }, (_, i) =>
    Math.floor(((i + 0.5 + random.uniform()) / 5) * times.length),
  )
  return cuts.map((place) => times[place]! + 0.5)
}

const rates = ['change_rate', 'change_period', 'low', 'high'] as const
const times = ['sampling_period', 'unchanged_time'] as const
const all: PageKind = { digest: true, lastModified: true, unchangedFor: true }

describe.skipIf(duckdb === undefined)('sums of periods', () => {
  it('add up to those of the whole log', async () => {
    const { joined, whole, pages } = await bothWays({ kind: all, bins: false, seed: 41 })
    expect(joined).toHaveLength(pages)
    let apart = 0
    for (const [i, row] of whole.entries()) {
      const { change_rate, change_period, low, high, ...exact } = row
      expect(joined[i]).toMatchObject(exact)
      for (const name of rates) {
        const [one, other] = [joined[i][name], row[name]]
        expect(one === null).toBe(other === null)
        if (other !== null && other !== 0) apart = Math.max(apart, Math.abs(one / other - 1))
      }
    }
    // The sums are the same to the last bit; rates differ by the order in which gaps are added.
    expect(apart).toBeLessThan(1e-12)
  })

  it('in bins keep counts and times, and rates within the bound', async () => {
    const { joined, whole } = await bothWays({ kind: {}, bins: true, seed: 43 })
    let most = 0
    for (const [i, row] of whole.entries()) {
      const { change_rate, change_period, low, high, sampling_period, unchanged_time, ...exact } =
        row
      expect(joined[i]).toMatchObject(exact)
      for (const name of times) expect(joined[i][name]).toBeCloseTo(row[name], 2)
      const found = joined[i].change_rate
      expect(found === null).toBe(change_rate === null)
      if (change_rate === null || change_rate === 0) continue
      most = Math.max(most, 1 - found / change_rate)
      expect(found).toBeLessThanOrEqual(change_rate * (1 + 1e-9))
      expect(found).toBeGreaterThan(change_rate / 2 ** (1 / 64))
      for (const [one, other] of [
        [joined[i].low, low],
        [joined[i].high, high],
      ])
        if (other !== null && other > 0)
          expect(Math.abs(Math.log2(one / other))).toBeLessThan(1 / 64)
    }
    expect(most).toBeGreaterThan(0)
  })
})
