import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, type Json } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import {
  noSiteSignal,
  type SiteSignal,
  scoutingGap,
  signalAfter,
  signalTime,
  signalWeight,
  siteSignalFrom,
  siteSignalJson,
} from '../../src/planner/collection/site-signals.js'
import { provenSignal } from '../fixtures/proven-signal.js'

const at = 1_700_000_000
const known: SiteSignal = { ...provenSignal({ at }), visits: 4, changed: 3, expected: 1 }
const visit = { at: at + 600, lastSeen: at - 9e4, changed: true, chance: 0.25 }

/** A site followed for some change signals: at each, some pages are visited soon after, of which a share has changed. */
function followed(
  changeSignal: number,
  {
    share,
    chance,
    pages = 5,
    seed = 1,
  }: { share: number; chance: number; pages?: number; seed?: number },
  before: SiteSignal = noSiteSignal,
): SiteSignal {
  const random = new Random(seed)
  let site = before
  for (let event = 0; event < changeSignal; event++) {
    const now = at + event * 5 * DAY
    site = signalAfter(site, {
      at: now,
      lastSeen: now - DAY,
      changed: true,
      chance: 0.2,
    }).changeSignal
    for (let page = 0; page < pages; page++) {
      const changed = random.uniform() < share
      site = signalAfter(site, {
        at: now + 60 + page,
        lastSeen: now - DAY,
        changed,
        chance,
      }).changeSignal
    }
  }
  const now = at + changeSignal * 5 * DAY
  return signalAfter(site, { at: now, lastSeen: now - DAY, changed: true, chance: 0.2 })
    .changeSignal
}

describe('signalAfter', () => {
  it('begins a change signal with the first change, and calls for nobody before that is proved', () => {
    expect(signalAfter(noSiteSignal, visit)).toEqual({
      changeSignal: { ...noSiteSignal, at: visit.at },
      calls: 0,
    })
    expect(signalAfter(noSiteSignal, { ...visit, changed: false }).changeSignal).toBe(noSiteSignal)
  })

  it('learns from a visit soon after a change signal, and goes on where it found a change', () => {
    const found = signalAfter(known, visit)
    expect(found.calls).toBe(2)
    expect(found.changeSignal).toEqual({ ...known, visits: 5, changed: 4, expected: 1.25 })
    const silent = signalAfter(known, { ...visit, changed: false })
    expect(silent.calls).toBe(0)
    expect(silent.changeSignal).toEqual({ ...known, visits: 5, changed: 3, expected: 1.25 })
  })

  it.each([
    ['the page was seen since', { lastSeen: at + 1 }],
    ['another policy follows the page', { chance: null }],
    ['the visit was before', { at: at - 5 }],
    ['the change signal is old, and the page had not been seen since', { at: at + signalTime }],
  ])('learns nothing where %s', (_, more) => {
    const { changeSignal, calls } = signalAfter(known, { ...visit, ...more })
    expect(changeSignal).toBe(known)
    expect(calls).toBe(0)
  })

  it('takes a change for a new change signal once the page was seen since the last, and counts the old one once', () => {
    const later = { ...visit, at: at + signalTime, lastSeen: at + 60 }
    const { changeSignal, calls } = signalAfter(known, later)
    expect(calls).toBe(10)
    expect(changeSignal).toMatchObject({ at: later.at, visits: 0, reached: null, last: null })
    // By hand: of four visits three found a change where one was expected, a share of 0.5 beyond.
    expect(changeSignal.record.sum).toBeCloseTo(0.97 * known.record.sum + 0.5, 9)
    expect(changeSignal.record.room).toBeCloseTo(0.97 * known.record.room + 0.75, 9)
  })

  it('is not silenced by a clock that was set back', () => {
    expect(
      signalAfter(known, { ...visit, at: at - 2 * signalTime, lastSeen: at - 1e6 }).calls,
    ).toBe(10)
  })
})

describe('the proof', () => {
  it('comes within some change signals where pages are published together, and weighs what is left beyond chance', () => {
    expect(signalWeight(followed(3, { share: 1, chance: 0.2 }))).toBe(0)
    const proved = followed(25, { share: 0.95, chance: 0.2 })
    expect(proved.record.on).toBe(true)
    expect(signalWeight(proved)).toBeGreaterThan(0.8)
    expect(signalWeight(proved)).toBeLessThan(0.97)
  })

  // Ville's inequality: at most 5% of sites, however long one waits; 1,000 sites, so 50 and some chance.
  it('fools one site in twenty at most where pages change alone', () => {
    const fooled = Array.from({ length: 1000 }, (_, seed) =>
      followed(60, { share: 0.2, chance: 0.2, seed: seed + 1 }),
    ).filter(({ record }) => record.on)
    expect(fooled.length).toBeLessThanOrEqual(65)
  })

  it('counts a push once, however many pages it touched', () => {
    const few = followed(12, { share: 1, chance: 0.2, pages: 2 })
    const many = followed(12, { share: 1, chance: 0.2, pages: 200 })
    expect(many.record.events).toBeCloseTo(few.record.events, 9)
    expect(many.record.sum).toBeCloseTo(few.record.sum, 6)
  })

  it('is lost when it is no longer so', () => {
    const proved = followed(40, { share: 1, chance: 0.2 })
    expect(proved.record.on).toBe(true)
    expect(followed(60, { share: 0, chance: 0.2 }, proved).record.on).toBe(false)
  })
})

describe('scoutingGap', () => {
  const limits = { minGap: 600, maxGap: 90 * DAY }

  it('leaves gaps alone where change signals are not followed', () => {
    expect(scoutingGap(DAY, { weight: 0, limits, random: new Random(1) })).toBe(DAY)
  })

  it('sends some pages early, leaves the others alone, and holds limits', () => {
    const random = new Random(3)
    const gaps = Array.from({ length: 2000 }, () =>
      scoutingGap(DAY, { weight: 0.5, limits, random }),
    )
    const early = gaps.filter((gap) => gap < 0.75 * DAY).length / gaps.length
    expect(early).toBeGreaterThan(0.08)
    expect(early).toBeLessThan(0.14)
    expect(gaps.filter((gap) => gap === DAY).length / gaps.length).toBeCloseTo(0.85, 1)
    expect(Math.max(...gaps)).toBe(DAY)
    const held = { minGap: 0.9 * DAY, maxGap: DAY }
    for (let i = 0; i < 50; i++) {
      const within = scoutingGap(DAY, { weight: 0.5, limits: held, random })
      expect(within).toBeGreaterThanOrEqual(held.minGap)
      expect(within).toBeLessThanOrEqual(held.maxGap)
    }
  })
})

describe('siteSignalFrom', () => {
  it('reads what was written', () => {
    for (const changeSignal of [noSiteSignal, known, followed(25, { share: 0.9, chance: 0.3 })]) {
      const read = siteSignalFrom(JSON.parse(JSON.stringify(siteSignalJson(changeSignal))))
      expect(read.at).toBe(changeSignal.at)
      expect(read.record.on).toBe(changeSignal.record.on)
      expect(signalWeight(read)).toBeCloseTo(signalWeight(changeSignal), 4)
    }
  })

  it('takes anything else for nothing known', () => {
    expect(siteSignalFrom(undefined)).toBe(noSiteSignal)
    expect(siteSignalFrom([1_700_000_000, 40, 30, 8, null, null])).toBe(noSiteSignal)
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(siteSignalFrom(json as Json)).toBe(noSiteSignal)
      }),
      { seed: 8 },
    )
  })
})
