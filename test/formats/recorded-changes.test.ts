import { describe, expect, it } from 'vitest'
import { readRecordedChanges } from '../../src/formats/change-times/recorded-changes.js'
import { csvRows } from '../../src/formats/csv-table.js'

const times = 'object_id,unix_seconds\na,10\na,20\na,35\nb,12\n'

describe('readRecordedChanges', () => {
  it('takes the first time of a bare object as its start', () => {
    expect(readRecordedChanges({ times })).toEqual([
      { id: 'a', source: 'all', from: 10, until: 35, cadence: 0, changes: Float64Array.of(20, 35) },
      { id: 'b', source: 'all', from: 12, until: 12, cadence: 0, changes: Float64Array.of() },
    ])
  })

  it('takes start, end, source and cadence from a file of objects', () => {
    const objects =
      'object_id,source,path,first,observed_until,cadence_s\na,x,"p, q",10,30,60\nc,,r,5,9,\n'
    expect(readRecordedChanges({ times, objects })).toEqual([
      { id: 'a', source: 'x', from: 10, until: 30, cadence: 60, changes: Float64Array.of(20) },
      { id: 'c', source: 'all', from: 5, until: 9, cadence: 0, changes: Float64Array.of() },
    ])
  })

  it.each([
    [
      'unsorted times',
      { times: 'object_id,unix_seconds\na,10\nb,1\na,9\n' },
      /^line 4: a has a time before/,
    ],
    [
      'doubled times',
      { times: 'object_id,unix_seconds\na,10\na,10\n' },
      /^line 3: a has the same time twice/,
    ],
    ['no number', { times: 'object_id,unix_seconds\na,soon\n' }, /^line 2: unix_seconds is "soon"/],
    ['an empty time', { times: 'object_id,unix_seconds\na,\n' }, /^line 2/],
    [
      'a missing column',
      { times: 'id,t\na,1\n' },
      /^line 1: the header lacks object_id and unix_seconds/,
    ],
    [
      'an end before the start',
      { times, objects: 'object_id,first,observed_until\na,9,3\n' },
      /^line 2: a ends/,
    ],
    ['an open quote', { times: 'object_id,unix_seconds\n"a,1\n' }, /^line 2: a quote/],
  ])('refuses %s by line', (_, files, message) =>
    expect(() => readRecordedChanges(files)).toThrow(message),
  )
})

describe('csvRows', () => {
  it('reads quotes, line ends of both kinds, line ends in quotes and a byte-order mark', () => {
    expect([...csvRows('\ufeffa,"b ""x"""\r\n\n"c\nd",e\nf,g')]).toEqual([
      { line: 1, fields: ['a', 'b "x"'] },
      { line: 3, fields: ['c\nd', 'e'] },
      { line: 5, fields: ['f', 'g'] },
    ])
  })
})
