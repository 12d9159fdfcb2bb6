import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { DemoSummary } from '../../../src/cli/commands/demo/view.js'
import type { CompareRow } from '../../../src/lab/demo/compare-ways.js'
import { runCli } from '../../fixtures/run-cli.js'
import { runHere } from '../../fixtures/small-environment.js'

const folder = mkdtempSync(join(tmpdir(), 'revisit-demo-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Five ports of our own, below those that the system hands out: suites may run side by side. */
const port = String(10_000 + (process.pid % 4000) * 5)

describe('revisit demo', () => {
  it('visits the sample web, estimates from what it recorded, and tells the truth beside', async () => {
    const args = ['demo', '--for', '5s', '--speed', '43200', '--seed', '3', '--json']
    const { code, out, err } = await runCli(args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const summary = JSON.parse(out) as DemoSummary
    expect(summary).toMatchObject({ seed: 3, speed: 43_200, sites: 5, pages: 150 })
    const { visits, steady, freshness, estimates } = summary
    expect(visits.firstAfterRealSeconds).toBeLessThan(10)
    expect(visits.total).toBeGreaterThan(50)
    const counted = Object.values(visits.byOutcome).reduce((sum, each) => sum + each, 0)
    expect(counted).toBe(visits.total)
    // Every visit but those that robots.txt forbade is a request, and robots.txt itself is one.
    expect(summary.requests).toBeGreaterThan(visits.total - visits.byOutcome.refused)
    for (const share of Object.values(freshness)) {
      expect(share).toBeGreaterThan(0)
      expect(share).toBeLessThanOrEqual(1)
    }
    const due = estimates.filter((each) => each.counts)
    const within = due.filter((each) => {
      const ratio = (each.estimatedPeriod ?? 0) / each.truePeriod
      return ratio >= 0.5 && ratio <= 2
    })
    expect(steady).toMatchObject({ due: due.length, within: within.length })
    expect(new Set(due.map((each) => each.law))).toEqual(new Set(['steady']))
    const closed = estimates.filter((each) => each.access === 'disallowed')
    for (const each of closed) expect(each.changesSeen).toBe(0)
  })

  it('spends one budget in four ways on the same web, side by side', async () => {
    const args = ['demo', '--compare', '--for', '1d', '--json']
    const { code, out } = await runCli(args)
    expect(code).toBe(0)
    const rows = JSON.parse(out) as CompareRow[]
    expect(rows.map((row) => row.way.split(/[ ,']/)[0])).toEqual([
      'fixed',
      'Nutch',
      'Malcolm',
      'auto',
    ])
    for (const { visits, requests, freshness } of rows) {
      expect(visits).toBeGreaterThan(20)
      expect(requests).toBeGreaterThan(20)
      expect(freshness).toBeGreaterThan(0)
      expect(freshness).toBeLessThan(1)
    }
    expect(rows.slice(0, 3).map((row) => row.predicted)).toEqual([null, null, null])
  }, 90_000)

  it('ends with its summary when asked to, and goes on from a folder it keeps', async () => {
    const kept = join(folder, 'kept')
    const args = ['demo', '--folder', kept, '--port', port, '--speed', '20000']
    const first = await interrupted(args, join(kept, 'revisit.db-wal'))
    expect(first.code).toBe(0)
    expect(first.out).toMatch(/150 pages on 5 sites, .* of demo time/)
    expect(readdirSync(kept)).toEqual(['revisit.db'])
    const again = await runCli([...args, '--for', '1s', '--json'])
    expect(again.code).toBe(0)
    const { visits, demoSeconds, realSeconds } = JSON.parse(again.out) as DemoSummary
    expect(demoSeconds).toBeGreaterThan(realSeconds * 20_000)
    expect(visits.byOutcome.first).toBeLessThan(150)
    const other = await runCli([...args, '--seed', '2'])
    expect(other.code).toBe(2)
    expect(other.err).toContain(`holds a demo with --seed 1 --port ${port}; start it with those`)
  })

  it('refuses options that mean nothing', async () => {
    for (const [option, value, message] of [
      ['--speed', 'fast', /--speed takes a number/],
      ['--speed', '0', /speed is 0/],
      ['--seed', '1.5', /seed is 1\.5/],
      ['--port', '70000', /port is 70000/],
      ['--for', 'ever', /--for takes a duration/],
    ] as const) {
      const { code, err } = await runHere(['demo', option, value])
      expect({ option, code }).toEqual({ option, code: 2 })
      expect(err).toMatch(message)
    }
    const help = await runHere(['demo', '--help'])
    expect(help.out).toMatch(/ends by\s+itself\s+after\s+two\s+minutes/)
  })
})

/** Interrupts a command as Ctrl-C does, a second after its store is there. */
async function interrupted(
  args: readonly string[],
  sign: string,
): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, ['dist/cli/main.js', ...args])
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  while (!existsSync(sign) && child.exitCode === null) await wait(20)
  await wait(1000)
  child.kill('SIGINT')
  return { code: await closed, out }
}
