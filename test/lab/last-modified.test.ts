import { describe, expect, it } from 'vitest'
import { poisson } from '../../src/lab/process/poisson.js'
import {
  type LastModifiedKind,
  lastModifiedKinds,
  lastModifiedOf,
} from '../../src/lab/study/last-modified.js'
import { believableAge } from '../../src/model/history.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'

/** A page with changes every day on average, visited every 12 hours: what each visit made of Last-Modified. */
function visits(kind: LastModifiedKind) {
  const random = new Random(91)
  const timeline = poisson({ period: DAY }).timeline({ from: 0, random })
  const teller = lastModifiedOf({ kind, random: new Random(92) })
  const gap = DAY / 2
  const first = teller(timeline, 0)
  const firstChange = timeline.lastChange
  const later = Array.from({ length: 500 }, (_, i) => {
    const at = (i + 1) * gap
    const changed = timeline.advance(at)
    const truth = at - timeline.lastChange
    return { at, gap, changed, truth, reported: teller(timeline, at) }
  })
  return { first, firstChange, later }
}

describe('lastModifiedOf', () => {
  it('honest: is the content age, which a crawler believes', () => {
    const { first, firstChange, later } = visits('honest')
    expect(first).toBe(-firstChange)
    for (const { reported, truth, at, gap, changed } of later) {
      expect(reported).toBe(truth)
      expect(
        believableAge({ at, outcome: 'changed', lastModified: at - reported }, { gap, changed }),
      ).toBe(reported)
    }
  })

  it('missing: is never told', () => {
    const { first, later } = visits('missing')
    expect([first, ...later.map((each) => each.reported)].every(Number.isNaN)).toBe(true)
  })

  it('stuck: never moves, and is not trusted on content that changed', () => {
    const { first, firstChange, later } = visits('stuck')
    expect(first).toBe(-firstChange)
    expect(later.some((each) => each.changed)).toBe(true)
    for (const { reported, at, changed, gap } of later) {
      if (!changed) expect(reported).toBe(at - firstChange)
      else if (at - firstChange > gap + 2) expect(reported).toBeNaN()
    }
  })

  it('now: is 0 on content that changed, and not trusted on content that did not', () => {
    const { first, later } = visits('now')
    expect(first).toBe(0)
    for (const { reported, changed } of later)
      changed ? expect(reported).toBe(0) : expect(reported).toBeNaN()
  })

  it('random: is believed by chance, and then never against what was seen', () => {
    const { later } = visits('random')
    const trusted = later.filter((each) => !Number.isNaN(each.reported))
    expect(trusted.length).toBeGreaterThan(50)
    expect(trusted.length).toBeLessThan(450)
    for (const { reported, changed, gap } of trusted)
      if (changed) expect(reported).toBeLessThanOrEqual(gap + 2)
      else expect(reported).toBeGreaterThanOrEqual(gap - 2)
    expect(new Set(trusted.map((each) => each.reported)).size).toBe(trusted.length)
  })

  it('lists the kinds for an unknown one, and refuses a spread of 0', () => {
    const random = new Random(1)
    for (const kind of ['late', 'constructor'])
      expect(() => lastModifiedOf({ kind: kind as LastModifiedKind, random })).toThrow(
        new RegExp(`"${kind}".*${Object.keys(lastModifiedKinds).join(', ')}`),
      )
    expect(() => lastModifiedOf({ kind: 'random', random, spread: 0 })).toThrow(/spread is 0/)
  })
})
