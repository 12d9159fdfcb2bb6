import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { periodWords } from '../../../src/cli/text/estimate.js'
import { parseLevel, parseRelativeError } from '../../../src/cli/text/numbers.js'
import { AlignedTable, shortened } from '../../../src/cli/text/table.js'
import { parseNow, parseZone, positiveDuration } from '../../../src/cli/text/time.js'
import { shown } from '../../../src/formats/printable-text.js'
import { OptionError } from '../../../src/model/errors.js'
import { DAY, HOUR, MINUTE, WEEK } from '../../../src/model/units.js'

describe('periodWords', () => {
  const level = 0.95
  it.each([
    [{ low: 1 / (5.5 * DAY), high: 1 / (2.1 * DAY), level }, '2.1 to 5.5 days'],
    [{ low: 1 / (5 * DAY), high: 1 / (3 * HOUR), level }, '3 hours to 5 days'],
    [{ low: 1 / 60, high: 1, level }, '1 to 60 seconds'],
    [{ low: 0, high: 1 / (12 * DAY), level }, 'at least 12 days'],
    [{ low: 1 / (3 * HOUR), high: null, level }, 'at most 3 hours'],
    [{ low: 0, high: null, level }, 'unknown'],
    [null, '-'],
  ])('says %j as %s', (bounds, text) => expect(periodWords(bounds)).toBe(text))
})

describe('shortened', () => {
  it('keeps both ends of a text', () => {
    expect(shortened('https://example.org/a/b/c', 11)).toBe('https…a/b/c')
    expect(shortened('short', 5)).toBe('short')
    expect(shortened('😀😀😀😀', 3)).toBe('😀…😀')
  })

  it('never exceeds the width', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 30 }),
        (text, width) => {
          expect([...shortened(text, width)].length).toBeLessThanOrEqual(width)
        },
      ),
      { seed: 31 },
    )
  })
})

describe('shown', () => {
  it('escapes what a terminal would obey', () => {
    expect(shown('a\u001b[31m\u202eb\u0000\u009b\u2066é日')).toBe(
      'a\\u001b[31m\\u202eb\\u0000\\u009b\\u2066é日',
    )
    expect(shown('\ud800x')).toBe('\\ud800x')
  })
})

describe('AlignedTable', () => {
  const write = (rows: string[][], room?: number) => {
    let text = ''
    const table = new AlignedTable(
      [
        { title: 'page', align: 'left' },
        { title: 'two-\nlines', align: 'right' },
      ],
      {
        write(part) {
          text += part
        },
        columns: room,
      },
    )
    for (const row of rows) table.row(row)
    table.end()
    return text
  }

  it('lines up columns and titles of several lines', () => {
    expect(
      write([
        ['a', '1'],
        ['long', '1234567'],
      ]),
    ).toBe('         two-\npage    lines\na           1\nlong  1234567\n')
  })

  it('shortens the first column to the terminal, and only there', () => {
    const long = 'https://example.org/a/very/long/path/to/a/page'
    expect(write([[long, '1']])).toContain(long)
    for (const line of write([[long, '1']], 30)
      .trimEnd()
      .split('\n'))
      expect(line.length).toBeLessThanOrEqual(30)
  })

  it('writes as it goes once the widths are known', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => [`page ${i}`, String(i)])
    expect(write(rows).trimEnd().split('\n')).toHaveLength(1002)
  })
})

describe('durations, shares and times that people write', () => {
  it.each([
    ['10d', 10 * DAY],
    ['36h', 36 * HOUR],
    ['2w', 2 * WEEK],
    ['5min', 5 * MINUTE],
    ['5 m', 5 * MINUTE],
    ['1.5 days', 1.5 * DAY],
    ['90s', 90],
    ['200ms', 0.2],
    ['3 milliseconds', 0.003],
    ['.5hr', 0.5 * HOUR],
    ['1mo', 2_629_746],
    ['1y', 31_556_952],
  ])('reads %s', (text, seconds) => expect(positiveDuration(text, '--period')).toBe(seconds))

  it.each(['', '10', 'd', '0d', '-1d', '1e999d', '5 parsecs', '0ms', `${'9'.repeat(400)}d`])(
    'refuses %j as a duration',
    (text) => expect(() => positiveDuration(text, '--period')).toThrow(OptionError),
  )

  it('reads shares', () => {
    expect(parseLevel('0.9', '--level')).toBe(0.9)
    expect(parseLevel('90%', '--level')).toBe(0.9)
    expect(parseRelativeError('20%', '--error')).toBe(0.2)
    for (const bad of ['0', '1', '100%', '2', '-1', 'x', '']) {
      expect(() => parseLevel(bad, '--level')).toThrow(/above 0 and below 1/)
    }
    for (const bad of ['0', '-20%', 'x']) {
      expect(() => parseRelativeError(bad, '--error')).toThrow(/--error takes/)
    }
  })

  it('reads zones and the present', () => {
    expect(parseZone('utc')).toBe(0)
    expect(parseZone('+02:00')).toBe(7200)
    expect(parseZone('-0330')).toBe(-12600)
    for (const bad of ['CET', '+25:00', '2']) expect(() => parseZone(bad)).toThrow(/--zone takes/)
    expect(parseNow('1714521600')).toBe(1714521600)
    expect(parseNow('2024-05-01T00:00:00Z')).toBe(1714521600)
    for (const bad of ['now', '2024-05-01', '2024-05-01T00:00:00'])
      expect(() => parseNow(bad)).toThrow(/--now takes/)
  })
})
