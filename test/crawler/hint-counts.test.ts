import { describe, expect, it } from 'vitest'
import { judged } from '../../src/hints/reliability.js'
import type { HintTally } from '../../src/model/hint.js'
import { noTally } from '../../src/model/hint.js'
import { hostHintsFrom, hostHintsJson, noHostHints } from '../../src/model/stored-hints.js'
import type { Json } from '../../src/model/units.js'

function tallyAfter(outcomes: ReadonlyArray<[number, boolean]>): HintTally {
  return outcomes.reduce((tally, [reported, changed]) => judged(tally, reported, changed), noTally)
}

describe('the counts of a hint', () => {
  // After 64 visits what guessing goes by was halved, and so was what people were told.
  it('counts every visit for people, however long the past that guessing goes by', () => {
    const visits = Array.from({ length: 1000 }, (_, i): [number, boolean] => [
      i % 10 === 9 ? 0.97 : 0.03,
      i % 4 === 3,
    ])
    const tally = tallyAfter(visits)
    const right = visits.filter(([chance, changed]) => chance >= 0.5 === changed).length
    expect(tally).toMatchObject({ predicted: 1000, right, changed: 250 })
    expect(tally.recent!.predicted).toBeLessThanOrEqual(65)
    expect(tally.recent!.changed / tally.recent!.predicted).toBeCloseTo(0.25, 1)
    expect(tallyAfter(visits.slice(0, 64))).not.toHaveProperty('recent')
  })
})

describe('the tallies of rows', () => {
  const through = (tally: Json) => hostHintsFrom({ tallies: { feed: tally } } as Json).tallies.feed!

  it('keep both the counts and what guessing goes by', () => {
    const visits = Array.from({ length: 200 }, (_, i): [number, boolean] => [0.03, i % 3 === 0])
    const tally = tallyAfter(visits)
    const row = hostHintsJson({ ...noHostHints, tallies: { feed: tally } })
    const back = hostHintsFrom(row).tallies.feed!
    expect(back).toEqual({ ...tally, lead: expect.closeTo(tally.lead, 4) })
  })

  it('are read as they were before visits were counted in full, and counted on', () => {
    expect(through([20, 18, 9, 3])).toEqual({ predicted: 20, right: 18, changed: 9, lead: 3 })
    const halved = through([33, 31.5, 1.5, 3])
    expect(halved).toEqual({
      predicted: 33,
      right: 32,
      changed: 2,
      lead: 3,
      recent: { predicted: 33, changed: 1.5 },
    })
    expect(judged(halved, 0.97, true)).toMatchObject({
      predicted: 34,
      right: 33,
      changed: 3,
      recent: { predicted: 34, changed: 2.5 },
    })
  })
})
