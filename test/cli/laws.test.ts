import { describe, expect, it } from 'vitest'
import { runCli } from '../fixtures/run-cli.js'
import { absent, sharedPath } from '../fixtures/shared-folder.js'
import { runHere } from '../fixtures/small-environment.js'

const histories = sharedPath('traces/updates.csv.gz')
const objects = sharedPath('traces/objects.csv')
const there = histories !== undefined && objects !== undefined

describe('revisit laws', () => {
  it('tells regular pages from bursty ones, source by source', async () => {
    const regular = Array.from({ length: 40 }, (_, i) => `clock,${(i + 1) * 100 + (i % 3)}`)
    const bursty = Array.from(
      { length: 40 },
      (_, i) => `burst,${Math.floor(i / 8) * 10_000 + (i % 8) * 3 + 1}`,
    )
    const files = {
      't.csv': ['object_id,unix_seconds', ...regular, ...bursty, 'few,5'].join('\n'),
      'o.csv':
        'object_id,source,first,observed_until\nclock,a,1,5000\nburst,b,0,50000\nfew,b,1,9\n',
    }
    const { code, out } = await runHere(
      ['laws', '--histories', 't.csv', '--objects', 'o.csv', '--json'],
      { files },
    )
    expect(code).toBe(0)
    const [all, a, b] = JSON.parse(out)
    expect(all).toMatchObject({
      source: 'all',
      pages: 2,
      unfitted: 1,
      NWU: 0.5,
      NBU: 0.5,
      memoryless: 0,
    })
    expect(a).toMatchObject({ source: 'a', NBU: 1 })
    expect(b).toMatchObject({ source: 'b', NWU: 1, unfitted: 1 })
  })

  it('asks for the histories', async () => {
    const { code, err } = await runHere(['laws'])
    expect(code).toBe(2)
    expect(err).toContain('--histories')
  })

  // The traces' README: 63 / 13 / 23% over all sources.
  it.skipIf(!there)(`gives the shares told of the real histories (${absent})`, async () => {
    const { out } = await runCli([
      'laws',
      '--histories',
      histories!,
      '--objects',
      objects!,
      '--json',
    ])
    const [all] = JSON.parse(out)
    expect(Math.abs(all.NWU - 0.63)).toBeLessThan(0.03)
    expect(Math.abs(all.NBU - 0.13)).toBeLessThan(0.03)
    expect(Math.abs(all.memoryless - 0.23)).toBeLessThan(0.03)
  })
})
