import { describe, expect, it } from 'vitest'
import { lastModifiedOf } from '../../src/formats/time/web-dates.js'

// date -d '2001-09-08T01:46:40Z' +%s
const at = 999_913_600
const now = 1e9
const reported = { 'last-modified': 'Sat, 08 Sep 2001 01:46:40 GMT' }

describe('lastModifiedOf', () => {
  it('tells what the server says', () => {
    expect(lastModifiedOf(reported, { now })).toBe(at)
    expect(lastModifiedOf({}, { now })).toBeNull()
    expect(lastModifiedOf({ 'last-modified': 'yesterday' }, { now })).toBeNull()
  })

  it('takes no date of the answer for one of the content', () => {
    const answered = (date: string) => lastModifiedOf({ ...reported, date }, { now })
    expect(answered('Sat, 08 Sep 2001 01:46:40 GMT')).toBeNull()
    expect(answered('Sat, 08 Sep 2001 01:46:41 GMT')).toBe(at)
    // Later than its own answer: kept as said, for others to disbelieve.
    expect(answered('Sat, 08 Sep 2001 01:46:39 GMT')).toBe(at)
    expect(answered('no date')).toBe(at)
  })
})
