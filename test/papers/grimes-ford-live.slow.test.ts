import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collection } from '../../src/lab/demo/demo-store.js'
import { HOUR } from '../../src/model/units.js'
import { reckonedByGrimesFord } from '../fixtures/followed-by-grimes-ford.js'
import { runCli } from '../fixtures/run-cli.js'
import { tempFolder } from '../fixtures/temp-folder.js'

describe('grimes-ford, live over HTTP on the demo web for two minutes', () => {
  it('plans every page by the two pseudo-gaps and all its gaps, and visits it then', async () => {
    const folder = tempFolder()
    const prior = 'pseudo:69h/13h'
    const { code } = await runCli([
      ...[
        'demo',
        '--policy',
        `grimes-ford:prior=${prior}`,
        '--no-hints',
        '--once-summary',
        '--port',
        '0',
      ],
      ...['--folder', folder, '--for', '2min'],
    ])
    expect(code).toBe(0)
    const pages = await reckonedByGrimesFord(join(folder, 'revisit.db'), { prior, collection })
    expect(pages.length).toBeGreaterThan(50)
    for (const { url, planned, ruled } of pages)
      expect(Math.abs(planned / ruled - 1), url).toBeLessThan(0.01)
    // One changed gap c and one unchanged u: the first gap is c / ln(1 + c / u).
    for (const [first] of pages.map(({ gaps }) => gaps))
      if (first !== undefined)
        expect(first.ruled / ((69 * HOUR) / Math.log1p(69 / 13))).toBeCloseTo(1, 9)
    const gaps = pages.flatMap((page) => page.gaps)
    expect(gaps.length).toBeGreaterThan(100)
    for (const { actual, ruled } of gaps) expect(actual / ruled).toBeGreaterThan(0.99)
  }, 200_000)
})
