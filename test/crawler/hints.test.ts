import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taken } from '../../src/hints/list-signals.js'
import {
  isTrusted,
  judged,
  predicted,
  predictedByLastModified,
  reliabilityOf,
} from '../../src/hints/reliability.js'
import { type HintState, hintsView, updatedHints } from '../../src/hints/weighed-hints.js'
import type { Claim, Hint, HintTally } from '../../src/model/hint.js'
import { noTally } from '../../src/model/hint.js'
import {
  hostHintsFrom,
  hostHintsJson,
  noHints,
  noHostHints,
  pageHintsFrom,
  pageHintsJson,
} from '../../src/model/stored-hints.js'
import { DAY, HOUR, type Json } from '../../src/model/units.js'
import { changeSignalIn } from '../../src/planner/evidence/due-by-signal.js'

const now = 1_700_000_000
const stretch = { seenAt: now, at: now + DAY }
const changedAt = (at: number): Claim => ({ says: 'changed-at', at })

describe('predicted', () => {
  it('takes a date after the last visit for a change, and a later poll without one for none', () => {
    const late = { ...stretch, reportedAt: now + DAY - HOUR }
    expect(predicted(changedAt(now + HOUR), late)).toBe(0.97)
    expect(predicted(changedAt(now - HOUR), late)).toBe(0.03)
    expect(predicted(changedAt(now - HOUR), { ...stretch, reportedAt: now - 1 })).toBeNull()
    expect(predicted(changedAt(now - HOUR), { ...stretch, reportedAt: now + HOUR })).toBeNull()
  })

  it('takes midnight for a whole day, of which it cannot tell the hours', () => {
    const midnight = Math.floor(now / DAY) * DAY
    const late = { ...stretch, reportedAt: now + DAY - HOUR }
    expect(predicted(changedAt(midnight), late)).toBeNull()
    expect(predicted(changedAt(midnight + DAY), late)).toBe(0.97)
    expect(predicted(changedAt(midnight - 2 * DAY), late)).toBe(0.03)
  })

  it('knows a date in the future for a lie', () => {
    expect(predicted(changedAt(now + 9 * DAY + 5), { ...stretch, reportedAt: now })).toBe('lie')
  })

  // By hand: 1 - exp(-1 day / 2 days) = 0.3935.
  it('reads a period as chance, and a cache lifetime as none while it lasts', () => {
    const declared = { kind: 'periodic', period: 2 * DAY } as const
    expect(predicted({ says: 'declared', declared }, { ...stretch, reportedAt: 0 })).toBeCloseTo(
      0.3935,
      4,
    )
    const kept: Claim = { says: 'fresh-for', duration: DAY }
    expect(predicted(kept, { ...stretch, reportedAt: now })).toBe(0.03)
    expect(predicted(kept, { ...stretch, reportedAt: now - 1 })).toBeNull()
    expect(
      predicted(
        { says: 'declared', declared: { kind: 'nonuniform', period: null } },
        { ...stretch, reportedAt: 0 },
      ),
    ).toBeNull()
  })

  it('holds Last-Modified against its own past', () => {
    expect(predictedByLastModified({ now: now + HOUR, before: now - DAY }, stretch)).toBe(0.97)
    expect(predictedByLastModified({ now: now - DAY, before: now - DAY }, stretch)).toBe(0.03)
    expect(predictedByLastModified({ now: now - 2 * DAY, before: now - DAY }, stretch)).toBe('lie')
    expect(predictedByLastModified({ now: now + 2 * DAY, before: null }, stretch)).toBe('lie')
  })
})

function tallyAfter(outcomes: ReadonlyArray<[number | 'lie' | null, boolean]>): HintTally {
  return outcomes.reduce((tally, [reported, changed]) => judged(tally, reported, changed), noTally)
}

describe('the tally of a hint', () => {
  // By hand: a first right word doubles the odds at best: ln(0.97 / 0.5) = 0.6627.
  it('starts at even odds and adds up what the hint predicted beyond guessing', () => {
    expect(reliabilityOf(noTally)).toBe(0.5)
    expect(tallyAfter([[0.97, true]]).lead).toBeCloseTo(0.6627, 4)
    expect(tallyAfter([[null, true]])).toEqual(noTally)
  })

  it('trusts a date that is right both ways, and no longer after two lies in a row', () => {
    const good = tallyAfter(
      Array.from({ length: 20 }, (_, i) => [i % 2 ? 0.97 : 0.03, i % 2 === 1]),
    )
    expect(reliabilityOf(good)).toBeGreaterThan(0.95)
    expect(isTrusted(good)).toBe(true)
    const lied = judged(judged(good, 0.97, false), 0.03, true)
    expect(isTrusted(judged(lied, 'lie', true))).toBe(false)
  })

  it('gives a stuck date no credit for a page that rarely changes', () => {
    const stuck = tallyAfter(Array.from({ length: 20 }, (_, i) => [0.03, i % 5 === 4]))
    expect(stuck.right).toBe(16)
    expect(isTrusted(stuck)).toBe(false)
  })

  it('does not trust what was put to the test one way only', () => {
    const always = tallyAfter(Array.from({ length: 20 }, () => [0.97, true]))
    expect(isTrusted(always)).toBe(false)
    const never = tallyAfter(Array.from({ length: 20 }, () => [0.03, false]))
    expect(isTrusted(never)).toBe(false)
    expect(isTrusted(never, noTally, { oneWay: true })).toBe(true)
  })

  it('lets a page start with part of what is known of its host', () => {
    const good = tallyAfter(
      Array.from({ length: 20 }, (_, i) => [i % 2 ? 0.97 : 0.03, i % 2 === 1]),
    )
    const bad = tallyAfter(Array.from({ length: 20 }, (_, i) => [i % 2 ? 0.03 : 0.97, i % 2 === 1]))
    expect(isTrusted(noTally, good)).toBe(true)
    expect(reliabilityOf(noTally, bad)).toBeLessThan(0.15)
  })

  it('stays finite and bounded, whatever comes', () => {
    const reported = fc.oneof(
      fc.constant('lie' as const),
      fc.constant(null),
      fc.double({ min: 0.03, max: 0.97, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(reported, fc.boolean()), { maxLength: 300 }), (outcomes) => {
        const tally = tallyAfter(outcomes)
        expect(tally.lead).toBeGreaterThanOrEqual(-6)
        expect(tally.lead).toBeLessThanOrEqual(4)
        expect((tally.recent ?? tally).predicted).toBeLessThanOrEqual(65)
        expect(tally.predicted).toBe(outcomes.filter(([each]) => each !== null).length)
        expect(tally.right).toBeLessThanOrEqual(tally.predicted)
        expect(reliabilityOf(tally)).toBeGreaterThan(0)
        expect(reliabilityOf(tally)).toBeLessThan(1)
      }),
      { seed: 11, numRuns: 200 },
    )
  })
})

const meta: Hint = {
  kind: 'meta',
  claim: { says: 'declared', declared: { kind: 'periodic', period: DAY } },
}
const quiet = { observation: null, whole: true, plannedGap: 0, reported: [] }

describe('updatedHints', () => {
  it('keeps what is reported, drops what a whole answer leaves out, and keeps it over a 304', () => {
    const first = updatedHints({}, { ...quiet, at: now, reported: [meta] })
    expect(first.page.kinds.meta).toMatchObject({ claim: meta.claim, reportedAt: now })
    const same = updatedHints(first, { ...quiet, at: now + 1, whole: false })
    expect(same.page.kinds.meta?.claim).toEqual(meta.claim)
    const gone = updatedHints(first, { ...quiet, at: now + 1 })
    expect(gone.page.kinds.meta?.claim).toBeNull()
  })

  it('counts an early visit that found nothing as waste, by how early it was', () => {
    const page = { ...noHints, early: true }
    const observation = { at: now, gap: HOUR, changed: false }
    const hintState = updatedHints(
      { page },
      { ...quiet, at: now, observation, plannedGap: 4 * HOUR },
    )
    expect(hintState.page).toMatchObject({ wasted: 0.75, early: false })
    expect(hintsView(hintState, { visits: 2 }).allowance).toBe(0.25)
    const changed = { ...observation, changed: true }
    const found = updatedHints(
      { page },
      { ...quiet, at: now, observation: changed, plannedGap: 4 * HOUR },
    )
    expect(found.page.wasted).toBe(0)
  })

  it('survives the way to a row and back, and anything that a row may hold', () => {
    const hintState = updatedHints({}, { ...quiet, at: now, reported: [meta] })
    expect(pageHintsFrom(pageHintsJson(hintState.page))).toEqual(hintState.page)
    const host = { tallies: { meta: tallyAfter([[0.97, true]]) }, polled: { 7: now } }
    const back = hostHintsFrom(hostHintsJson(host))
    expect(back.polled).toEqual(host.polled)
    expect(back.tallies.meta!.lead).toBeCloseTo(0.6627, 3)
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const kinds = {
          meta: a,
          sitemap: { reportedAt: 1, claim: b, tally: a },
          cache: { reportedAt: 1, claim: a, tally: b },
        }
        const page = pageHintsFrom({ kinds, wasted: a, early: b } as Json)
        const view = hintsView(
          { page, host: hostHintsFrom({ tallies: kinds, polled: b } as Json) },
          { visits: 3 },
        )
        expect(Number.isFinite(view.allowance)).toBe(true)
        for (const { reliability } of view.reported) expect(Number.isFinite(reliability)).toBe(true)
      }),
      { seed: 2, numRuns: 300 },
    )
  })
})

describe('changeSignalIn', () => {
  const good = tallyAfter(Array.from({ length: 20 }, (_, i) => [i % 2 ? 0.97 : 0.03, i % 2 === 1]))
  const reported = (at: number) => {
    const page = taken(noHints, {
      hints: [{ kind: 'sitemap', claim: changedAt(at) }],
      source: '1',
      now,
    })
    return { page, host: { ...noHostHints, tallies: { sitemap: good } } }
  }
  const waiting = { lastSeen: now - DAY, plannedGap: 2 * DAY, now }
  const changeSignal = (hintState: HintState, when = waiting) =>
    changeSignalIn(hintsView(hintState, { visits: 30 }), when)

  it('calls for a page whose trusted list reports a change not seen', () => {
    expect(changeSignal(reported(now - HOUR))).toMatchObject({ kind: 'sitemap' })
    expect(changeSignal(reported(now - 2 * DAY))).toBeNull()
    expect(changeSignal(reported(now + DAY))).toBeNull()
    expect(changeSignal({ ...reported(now - HOUR), host: noHostHints })).toBeNull()
  })

  it('does not once a twentieth of the visits was wasted, nor in the first quarter of the gap', () => {
    const { page, host } = reported(now - HOUR)
    expect(changeSignal({ page: { ...page, wasted: 1.4 }, host })).toBeNull()
    expect(changeSignal({ page, host }, { ...waiting, plannedGap: 8 * DAY })).toBeNull()
  })
})
