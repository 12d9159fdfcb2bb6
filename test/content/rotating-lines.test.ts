import { describe, expect, it } from 'vitest'
import {
  type RotatingSlot,
  rotationAfter,
  withoutRotating,
} from '../../src/content/noise/rotating-lines.js'
import { tokensOf } from '../../src/content/noise/tokens.js'

const page = (line: string) =>
  tokensOf(`A heading of the page\n${line}\nThe article stays as it is`)

/** Visits of a page whose line is one after another of these; where it stays, nothing is learned. */
function learnedFrom(lines: readonly string[]): { slots: readonly RotatingSlot[]; fresh: number } {
  let slots: readonly RotatingSlot[] = []
  let fresh = 0
  for (const [visits, line] of lines.entries()) {
    const before = lines[visits - 1]
    if (before === undefined || before === line) continue
    const seen = rotationAfter(page(before), page(line), { slots, visits })
    slots = seen.slots
    fresh = seen.fresh.length
  }
  return { slots, fresh }
}

const [a, b, c, d] = [
  'Shoes for every road and weather',
  'Coffee from the hills, freshly roasted',
  'Learn to sail on our lake',
  'A quieter keyboard for your neighbours',
]

describe('lines that take turns from visit to visit', () => {
  it('are known once a third text was there and one came back', () => {
    expect(learnedFrom([a, b, c]).slots).toMatchObject([{ active: false }])
    expect(learnedFrom([a, b, c, a]).slots).toMatchObject([{ active: true, returns: 1 }])
  })

  it('hold nothing seen for the first time', () => {
    const { slots, fresh } = learnedFrom([a, b, c, a, d])
    expect(fresh).toBe(1)
    expect(slots[0]!.texts).toHaveLength(4)
  })

  it.each([
    ['two states', [a, b, a, b, a, b]],
    [
      'numbers',
      [
        'The price is 10 euro now',
        'The price is 12 euro now',
        'The price is 9 euro now',
        'The price is 10 euro now',
      ],
    ],
    ['single words', ['available', 'gone', 'ordered', 'available']],
    [
      'edits of one text',
      [
        'We deliver on Monday in town',
        'We deliver on Tuesday in town',
        'We deliver on Friday in town',
        'We deliver on Monday in town',
      ],
    ],
    // A status that stays for days is news when it comes back.
    ['what changes seldom', [...Array(20).fill(a), ...Array(20).fill(b), ...Array(20).fill(c), a]],
  ])('are not %s', (_, lines) => {
    expect(learnedFrom(lines as string[]).slots.some(({ active }) => active)).toBe(false)
  })

  it('are one sign where they stand, and the rest stays', () => {
    const texts = new Set(learnedFrom([a, b, c, a]).slots[0]!.texts)
    const masked = (line: string) => withoutRotating(page(line), texts).join(' ')
    expect(masked(a)).toBe(masked(b))
    expect(masked(a)).toBe('A heading of the page \n ▒ \n The article stays as it is')
    expect(masked(d)).toContain(d)
  })
})
