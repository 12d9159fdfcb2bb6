import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demoCommand } from '../../../src/cli/commands/demo/command.js'
import { demoDay, freshWords } from '../../../src/cli/commands/demo/view.js'
import { TerminalScreen } from '../../../src/cli/node/terminal.js'
import { humanBytes } from '../../../src/cli/text/numbers.js'
import { steadyShare } from '../../../src/lab/demo/demo-watch.js'
import { demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import { DAY, HOUR } from '../../../src/model/units.js'

describe('the live view', () => {
  it('shows the loop, the pages and the truth, and is gone at the end', async () => {
    const frames: string[][] = []
    let cleared = false
    let out = ''
    const screen = {
      columns: 120,
      rows: 40,
      draw: (lines: readonly string[]) => frames.push([...lines]),
      clear: () => {
        cleared = true
      },
    }
    const folder = mkdtempSync(join(tmpdir(), 'revisit-view-'))
    const output = (write: (text: string) => void) => ({
      write,
      drained: async () => {},
      columns: 120,
    })
    const environment = {
      version: '0',
      screen,
      out: output((text) => {
        out += text
      }),
      err: output(() => {}),
    }
    const flags = {
      for: 3,
      speed: 40_000,
      folder,
      port: 10_000 + (process.pid % 4000) * 5,
    }
    const given = { environment: environment as never, words: [], flags, commands: [] }
    expect(await demoCommand.run(given)).toBe(0)
    const last = frames.at(-1)!.join('\n')
    expect(frames.length).toBeGreaterThan(1)
    expect(last).toMatch(/^Revisit demo: day \d+, \d\d:\d\d, 40000 times as fast as life/)
    expect(last).toMatch(
      /[1-9]\d* visits, \d+ changes found, \d+% not modified \(304\), \d+ visits\/s/,
    )
    expect(last).toMatch(/\d in flight, \d+ due/)
    expect(last).toMatch(
      /Fresh \d+% of the time( \(still learning\))?; a fixed schedule with as many requests: \d+%/,
    )
    for (const law of ['steady', 'bursty', 'daily', 'working-hours', 'trending', 'rarely'])
      expect(last.match(new RegExp(` ${law} +every `, 'g'))?.length).toBe(2)
    expect(cleared).toBe(true)
    expect(out).toMatch(/Change period within a factor of 2 of the truth: /)
    expect(readdirSync(folder)).toEqual(['revisit.db'])
    rmSync(folder, { recursive: true })
  })

  it('draws over what it drew, cut to the terminal', () => {
    let written = ''
    const write = (text: string) => {
      written += text
      return true
    }
    const screen = new TerminalScreen({ write, columns: 5, rows: 3 } as never)
    screen.draw(['abcdefgh', 'b', 'c', 'd'])
    expect(written).toBe('abcd\u001b[K\nb\u001b[K\n\u001b[J')
    written = ''
    screen.draw(['x'])
    expect(written).toBe('\u001b[2A\rx\u001b[K\n\u001b[J')
    written = ''
    screen.clear()
    screen.clear()
    expect(written).toBe('\u001b[1A\r\u001b[J')
  })

  it('counts the steady pages that can be seen and were due to change five times', () => {
    const finding = (
      law: string,
      access: string,
      dueChanges: number,
      estimated: number | null,
    ) => ({
      truth: { law, access, changePeriod: 10 },
      estimate: { changePeriod: estimated },
      dueChanges,
    })
    const findings = [
      finding('steady', 'plain', 5, 20),
      finding('steady', 'slow', 9, 5),
      finding('steady', 'failing', 9, 4.9),
      finding('steady', 'plain', 9, null),
      finding('steady', 'plain', 4.9, 10),
      finding('steady', 'forbidden', 9, 10),
      finding('daily', 'plain', 9, 10),
    ]
    expect(steadyShare(findings as never)).toEqual({ due: 4, within: 2, share: 0.5 })
    expect(steadyShare([])).toEqual({ due: 0, within: 0, share: null })
  })

  it('says times and sizes as a person does', () => {
    // The demo begins at 6:00 UTC.
    expect(demoDay(demoOrigin, { origin: demoOrigin })).toBe('day 1, 06:00')
    expect(demoDay(demoOrigin + 2 * DAY + 1.5 * HOUR, { origin: demoOrigin })).toBe('day 3, 07:30')
    expect([1, 999, 1500, 2.5e6, 3e9, 12e9].map(humanBytes)).toEqual([
      '1 byte',
      '999 bytes',
      '1.5 kB',
      '2.5 MB',
      '3.0 GB',
      '12 GB',
    ])
  })
})

describe('how fresh it is, in words', () => {
  it('says that it learns unless it is ahead', () => {
    expect(freshWords({ revisit: 0.82, fixedSchedule: 0.79 })).toBe(
      'Fresh 82% of the time; a fixed schedule with as many requests: 79%',
    )
    for (const revisit of [0.63, 0.67])
      expect(freshWords({ revisit, fixedSchedule: 0.67 })).toContain('(still learning)')
  })
})
