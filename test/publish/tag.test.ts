import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { declaredBy, tagOfWeek } from '../../papers/hattab/tags.js'
import { DAY, WEEK } from '../../src/model/units.js'
import {
  declaredChange,
  isTagContent,
  metaTag,
  tagContent,
  weeklyCounts,
  weekStart,
} from '../../src/publish/tag.js'

/** Monday, 2024-01-01. */
const monday = Date.UTC(2024, 0, 1) / 1000

describe('the rule of section 4', () => {
  // By hand, from the paper's steps 2 to 4, with the number in days.
  it.each([
    [[0, 0, 0, 0], 'STATIC'],
    [[7, 7, 7, 7], 'PERIODIC=1'],
    [[3, 3, 3, 3], 'PERIODIC=2'],
    [[1, 1, 1, 1], 'PERIODIC=7'],
    [[7, 7, 7, 5], 'nonuniform=1'],
    [[5, 0, 2, 2], 'nonuniform=4'],
    [[1, 0, 0, 0], 'nonuniform=7'],
    [[2], 'PERIODIC=4'],
  ])('%j: %s', (counts, content) => {
    expect(tagContent(declaredChange(counts))).toBe(content)
  })

  it('posts the count itself where asked to', () => {
    const literal = (counts: number[]) => tagContent(declaredChange(counts, { reading: 'literal' }))
    expect(literal([7, 7, 7, 7])).toBe('PERIODIC=7')
    expect(literal([7, 7, 7, 5])).toBe('nonuniform=5')
    expect(literal([0, 0])).toBe('STATIC')
  })

  it('is that of the paper run again, for any counts', () => {
    const count = fc.integer({ min: 0, max: 7 })
    const reading = fc.constantFrom('days' as const, 'literal' as const)
    fc.assert(
      fc.property(fc.array(count, { minLength: 4, maxLength: 4 }), reading, (counts, read) => {
        const paper = declaredBy(tagOfWeek(counts, 4), read)
        expect(declaredChange(counts, { reading: read })).toEqual(paper)
      }),
      { seed: 7 },
    )
  })

  it('needs counts', () => {
    for (const counts of [[], [-1], [0.5], [Number.NaN]])
      expect(() => declaredChange(counts)).toThrow(/number of changes/)
  })
})

describe('the content', () => {
  it('is in whole days, one at least', () => {
    expect(tagContent({ kind: 'periodic', period: 60 })).toBe('PERIODIC=1')
    expect(tagContent({ kind: 'nonuniform', period: 2.6 * DAY })).toBe('nonuniform=3')
    expect(tagContent({ kind: 'nonuniform', period: null })).toBe('nonuniform')
    expect(metaTag('STATIC')).toBe('<meta name="Change-Frequency" content="STATIC">')
    expect(metaTag('STATIC', { closed: true })).toMatch(/" \/>$/)
  })

  it('can hold nothing that ends it', () => {
    for (const bad of ['', 'a"b', "a'b", '<', 'a&lt;', '\n', 'é'])
      expect(isTagContent(bad)).toBe(false)
    expect(isTagContent('nonuniform=12')).toBe(true)
  })
})

describe('weekly counts', () => {
  it('begin on Monday', () => {
    expect(weekStart(monday)).toBe(monday)
    expect(weekStart(monday - 1)).toBe(monday - WEEK)
    expect(weekStart(monday + 6.99 * DAY)).toBe(monday)
  })

  it('count days, of whole weeks, the oldest first', () => {
    const changes = [1, 1.2, 3, 7.5, 8, 22, 29].map((day) => monday + day * DAY)
    const record = { since: monday, changes }
    const count = (day: number) => weeklyCounts(record, { now: monday + day * DAY, weeks: 4 })
    expect(count(28)).toEqual([2, 2, 0, 1])
    expect(count(34.9)).toEqual([2, 2, 0, 1])
    expect(count(35)).toEqual([2, 0, 1, 1])
    expect(count(27.9)).toBeNull()
  })
})
