import { describe, expect, it } from 'vitest'
import { readText } from '../fixtures/read-text.js'

const good = { url: 'https://e.org/ä', at: 1714521600, changed: true }
const log = (...objects: unknown[]) =>
  objects.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')

describe('JSON lines', () => {
  it('reads objects with the keys of the CSV', async () => {
    const { visits, report } = await readText(
      log(
        good,
        { url: 'v', at: '1714521601', changed: 'gone', more: [1] },
        '',
        { url: 'w', at: 1714521602.5, digest: 'x', last_modified: 1714521000 },
        { url: 'w', at: 1714521603, digest: null },
      ),
    )
    expect(report.format).toBe('jsonl')
    expect(visits).toMatchObject([
      { line: 1, url: 'https://e.org/ä', at: 1714521600, outcome: 'changed' },
      { line: 2, at: 1714521601, outcome: 'gone' },
      { line: 4, at: 1714521602.5, outcome: 'by-digest', digest: 'x', lastModified: 1714521000 },
      { line: 5, outcome: 'failed' },
    ])
  })

  it.each([
    ['{"url": "u", "at"', 'bad-json'],
    ['[1]', 'bad-json'],
    ['null', 'bad-json'],
    [{ ...good, at: { s: 1 } }, 'bad-json'],
    [{ ...good, url: '' }, 'no-url'],
    [{ ...good, at: undefined }, 'no-time'],
    [{ ...good, changed: undefined }, 'bad-outcome'],
    [{ ...good, at: 1e300 }, 'ambiguous-time'],
  ])('names the line and the reason: %j', async (bad, code) => {
    const { visits, problems } = await readText(log(good, bad, good))
    expect(problems.first).toMatchObject([{ line: 2, code }])
    expect(visits.map((visit) => visit.line)).toEqual([1, 3])
  })

  it('refuses text that is not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"url":"'), Buffer.of(0xff), Buffer.from('"}\n')])
    const { problems } = await readText(bytes)
    expect(problems.first).toMatchObject([{ line: 1, code: 'bad-text' }])
  })
})
