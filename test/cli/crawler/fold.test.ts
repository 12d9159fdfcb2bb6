import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { comparedFold } from './folded-log.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)

describe.skipIf(duckdb === undefined)('revisit fold', () => {
  it('in parts, one of them killed, leaves the states of an import, by COPY too', async () => {
    await comparedFold(tempFolder(), { duckdb, pages: 120, parts: 3 })
  }, 120_000)

  it('what was learned is shown as after an import of the visits, in the list without brackets', async () => {
    const folder = tempFolder()
    const at = (name: string) => join(folder, name)
    const url = 'https://a.example/'
    const outcomes = Array.from({ length: 30 }, (_, day) =>
      day % 4 === 0 ? 'changed' : 'unchanged',
    )
    const rows = outcomes.map((outcome, day) => `${url},${1_700_000_000 + day * 86_400},${outcome}`)
    writeFileSync(at('log.csv'), `url,at,changed\n${rows.join('\n')}\n`)
    const connection = await (await duckdb!.DuckDBInstance.create(':memory:')).connect()
    await connection.run(`COPY (FROM '${at('log.csv')}') TO '${at('log.parquet')}'`)
    const [whole, folded] = [at('whole.db'), at('folded.db')]
    await runCli(['import', at('log.csv'), '--database', whole])
    const states = at('states.jsonl')
    await runCli(['fold', at('log.parquet'), '--output', states, '--database', folded])
    await runCli(['import', '--states', states, '--database', folded])
    const shown = async (database: string) => {
      const { out } = await runCli(['show', url, '--json', '--database', database])
      const { estimate, posterior, learnedFrom, visits } = JSON.parse(out)
      // How much of the time was unchanged is not kept.
      const { unchangedTime: _, ...evidence } = estimate.evidence
      return { visits, rest: { estimate: { ...estimate, evidence }, posterior, learnedFrom } }
    }
    const [there, here] = [await shown(whole), await shown(folded)]
    expect(there).toMatchObject({ visits: 30, rest: { learnedFrom: { visits: 30, changes: 7 } } })
    expect(there.rest.estimate).toMatchObject({ verdict: 'ok', evidence: { observations: 29 } })
    expect(here).toEqual({ visits: 1, rest: { ...there.rest, posterior: expect.anything() } })
    const { out } = await runCli(['show', url, '--database', folded])
    expect(out).toMatch(/it changes +every .* bounds .*, from 29 comparisons/)
    expect(out).toMatch(/visits +1, .*; learned from 30 in all, of which 7 did \(revisit fold\)/)
    const list = await runCli(['list', '--database', folded])
    expect(list.out).toMatch(/example\/ +1 +0 +every \d/)
  }, 60_000)

  it('what is no file of states is refused, and no store is begun', async () => {
    const at = tempFolder()
    writeFileSync(join(at, 'log.csv'), 'url,at,changed\n')
    for (const [name, code, message] of [
      ['log.csv', 2, /log\.csv, line 1: this is no line that revisit fold wrote/],
      ['none.jsonl', 3, /cannot read .*none\.jsonl/],
    ] as const) {
      const states = ['import', '--states', join(at, name), '--database', join(at, 'new.db')]
      const result = await runCli(states)
      expect([result.code, result.err]).toEqual([code, expect.stringMatching(message)])
      expect(existsSync(join(at, 'new.db'))).toBe(false)
    }
  })

  it('refuses a part that is none', async () => {
    const { code, err } = await runCli([
      'fold',
      'x.parquet',
      '--part',
      '3/2',
      '--output',
      'y.jsonl',
    ])
    expect([code, err]).toEqual([2, expect.stringMatching(/--part takes a part of so many/)])
  })
})
