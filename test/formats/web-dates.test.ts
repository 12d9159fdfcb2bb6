import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { looseDate, parsedHttpDate } from '../../src/formats/time/web-dates.js'
import { absent, sharedPath } from '../fixtures/shared-folder.js'

interface DateCase {
  readonly id: string
  readonly group: string
  readonly input: string
  readonly unix: number | null
  readonly strictness?: string
  readonly now?: string
  readonly frac_ms?: number
}

/** The present where a case names none. */
const now = Date.UTC(2026, 0, 1) / 1000

/** Feeds and sitemaps are read loosely, headers by the grammar. */
function read(each: DateCase): number {
  const present = { now: each.now === undefined ? now : Date.parse(each.now) / 1000 }
  const loose = /feed|sitemap|RSS/.test(each.group)
  return loose ? looseDate(each.input, present) : parsedHttpDate(each.input, present)
}

function agrees(each: DateCase): boolean {
  const got = read(each)
  if (each.unix === null) return Number.isNaN(got)
  if (each.frac_ms === undefined) return Math.floor(got) === each.unix
  return Math.abs(got - each.unix - each.frac_ms / 1000) < 1e-6
}

describe('dates of the web', () => {
  const path = sharedPath('suites/http_dates.json')
  it.skipIf(path === undefined)(`agree with other projects on 95% (${absent})`, () => {
    const cases = JSON.parse(readFileSync(path!, 'utf8')) as DateCase[]
    const wrong = cases.filter((each) => !agrees(each)).map((each) => `${each.id} ${each.input}`)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(0.05 * cases.length)
  })

  // By hand: two digits are read against the present, RFC 9110, 5.6.7.
  it('places a year of two digits within 50 years of the present', () => {
    const text = 'Sunday, 06-Nov-94 08:49:37 GMT'
    expect(parsedHttpDate(text, { now })).toBe(784111777)
    expect(parsedHttpDate(text, { now: Date.UTC(2090, 0, 1) / 1000 })).toBe(
      Date.UTC(2094, 10, 6, 8, 49, 37) / 1000,
    )
  })

  it.each(['0', '-1', '', 'never', 'now', `${'9'.repeat(5000)}`, 'Mon, 99 Foo 99999 99:99:99 ZZZ'])(
    'is no date: %s',
    (text) => {
      expect(parsedHttpDate(text, { now })).toBeNaN()
      expect(looseDate(text, { now })).toBeNaN()
    },
  )
})
