import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Claim, WeighedHint } from '../../src/model/hint.js'
import type { PageView } from '../../src/model/policy.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import {
  freshAfterSignal,
  freshByForecast,
  freshGivenHints,
} from '../../src/planner/evidence/hint-forecast.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import { keptPosterior } from '../../src/planner/posterior/posterior.js'
import { aView } from '../contracts/policy.js'

const at = 1.7e9
const tally = { predicted: 20, right: 19, changed: 9, lead: 4 }
const hint = (claim: Claim, more: Partial<WeighedHint> = {}): WeighedHint => ({
  kind: 'sitemap',
  claim,
  reportedAt: at,
  polledAt: at,
  reliability: 0.98,
  trusted: true,
  tally,
  ...more,
})
const changedAt = (when: number): Claim => ({ says: 'changed-at', at: when })
const freshFor = (duration: number): Claim => ({ says: 'fresh-for', duration })

const learner = autoLearner()
/** A page that changed at every fourth of 40 daily visits. */
function viewWith(reported: readonly WeighedHint[], more: Partial<PageView> = {}): PageView {
  const memory = new Float64Array(learner.size)
  learner.start(memory, Number.NaN)
  for (let visit = 0; visit < 40; visit++)
    learner.learn(memory, { gap: DAY, changed: visit % 4 === 0, contentAge: Number.NaN })
  const posterior = keptPosterior(learner.posterior(memory))
  const hints = { reported, allowance: 1 }
  return { ...aView({ at, visits: 41, changes: 10 }), posterior, hints, adjusted: null, ...more }
}
const policy = autoPolicy({ followsHints: true, stagger: 0 })
const gapOf = (view: PageView) => policy.nextGap(view)
const movedBy = (reported: readonly WeighedHint[]) => {
  const view = viewWith(reported)
  return (policy.moved!(view, gapOf(view))?.gap ?? gapOf(view)) / gapOf(view)
}

describe('a list that would tell', () => {
  it('is waited for, the longer the more it is trusted', () => {
    const silent = (reliability: number) => movedBy([hint(changedAt(at - DAY), { reliability })])
    expect(silent(0.95)).toBeGreaterThan(1.2)
    expect(silent(0.99)).toBeGreaterThan(silent(0.95))
  })

  it.each([
    ['it is not trusted', { trusted: false }],
    ['it proved right too seldom', { reliability: 0.8 }],
    ['nobody looks at it any more', { polledAt: at - 30 * DAY }],
  ])('is not where %s', (_, more) => {
    expect(movedBy([hint(changedAt(at - DAY), more)])).toBe(1)
  })

  it('is not where it is not followed, nor where Last-Modified is the teller', () => {
    const { polledAt: _, ...unlooked } = hint(changedAt(at - DAY))
    expect(movedBy([unlooked])).toBe(1)
    expect(movedBy([hint(changedAt(at - DAY), { kind: 'last-modified' })])).toBe(1)
  })

  it('says in the reason that it moved the visit', () => {
    const view = viewWith([hint(changedAt(at - DAY))])
    expect(policy.moved!(view, gapOf(view))!.why).toMatch(
      /^[\d.]+ \w+ instead of [\d.]+ \w+, later, since its sitemap says when it changes \(right 19 of 20 times\)$/,
    )
  })
})

describe("a cache's lifetime", () => {
  it('puts a visit off by about itself', () => {
    const view = viewWith([])
    const gap = gapOf(view)
    const reported = hint(freshFor(5 * DAY), { kind: 'cache', reliability: 0.99 })
    const moved = movedBy([reported]) * gap
    expect(moved).toBeGreaterThan(gap + 3 * DAY)
    expect(moved).toBeLessThan(gap + 6 * DAY)
  })
})

describe('signals of a change', () => {
  const called = (reported: readonly WeighedHint[], elapsed = 6 * HOUR, more = {}) => {
    const view = viewWith(reported, more)
    return policy.called!(view, { elapsed, gap: gapOf(view) })
  }

  it('make a page due at once where that is worth a request', () => {
    const call = called([hint(changedAt(at + HOUR))])!
    expect(call.gap).toBe(6 * HOUR)
    expect(call.why).toBe('its sitemap says that it changed (right 19 of 20 times here)')
  })

  it.each([
    ['they are not to be trusted', hint(changedAt(at + HOUR), { reliability: 0.7 })],
    ['the change was seen', hint(changedAt(at - HOUR))],
    ['they are ahead of the clock', hint(changedAt(at + DAY))],
    ['Last-Modified tells them', hint(changedAt(at + HOUR), { kind: 'last-modified' })],
  ])('do not where %s', (_, reported) => {
    expect(called([reported])).toBeNull()
  })

  it('do not where too many early visits found nothing', () => {
    const hints = { reported: [hint(changedAt(at + HOUR))], allowance: 0.1 }
    expect(called([], 6 * HOUR, { hints, plannedGap: 2 * DAY })).toBeNull()
  })

  it('do not make a visit of a page that changes too fast to keep', () => {
    const memory = new Float64Array(learner.size)
    learner.start(memory, Number.NaN)
    for (let visit = 0; visit < 60; visit++)
      learner.learn(memory, { gap: HOUR, changed: true, contentAge: Number.NaN })
    const posterior = keptPosterior(learner.posterior(memory))
    const view = viewWith([hint(changedAt(at + HOUR))], { posterior })
    const dear = autoPolicy({ followsHints: true, stagger: 0, price: 3 * DAY })
    expect(
      dear.called!(view, { elapsed: 2 * HOUR, gap: 90 * DAY })?.gap ?? Infinity,
    ).toBeGreaterThan(DAY)
  })
})

describe('the chance that a copy is still fresh', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const ordered = fc.tuple(share, share).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

  // By hand: a list of weight 0.9 silent where a change was as likely as not: 0.5 / (0.45 + 0.1).
  it('follows Bayes', () => {
    const silent = { listed: 0.9, cached: 0, cachedFor: 0 }
    expect(freshByForecast(silent, { plain: 0.5, later: 1 })).toBeCloseTo(0.5 / 0.55, 12)
    expect(freshAfterSignal(0.9, 0.8)).toBeCloseTo(0.9 * 0.03 + 0.1 * 0.8, 12)
  })

  it('stays a chance, grows with a silent list and falls with change signals, as they weigh', () => {
    fc.assert(
      fc.property(ordered, ordered, ([less, more], [plain, later]) => {
        const reported = (listed: number, cached: number) =>
          freshByForecast({ listed, cached, cachedFor: 1 }, { plain, later })
        for (const value of [
          reported(less, more),
          reported(more, less),
          freshAfterSignal(more, plain),
        ]) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(1)
        }
        expect(reported(0, 0)).toBe(plain)
        expect(reported(more, 0)).toBeGreaterThanOrEqual(reported(less, 0) - 1e-12)
        expect(reported(0, more)).toBeGreaterThanOrEqual(reported(0, less) - 1e-12)
        expect(freshAfterSignal(more, plain)).toBeLessThanOrEqual(
          freshAfterSignal(less, plain) + 1e-12,
        )
      }),
      { seed: 3, numRuns: 500 },
    )
  })

  it('is given by all hints together', () => {
    const silent = { hints: { reported: [hint(changedAt(at - DAY))], allowance: 1 }, at }
    const changeSignal = { hints: { reported: [hint(changedAt(at + HOUR))], allowance: 1 }, at }
    const when = { elapsed: DAY, plain: 0.6, gap: 2 * DAY }
    expect(freshGivenHints({ at }, when)).toBe(0.6)
    expect(freshGivenHints(silent, when)).toBeGreaterThan(0.9)
    expect(freshGivenHints(changeSignal, when)).toBeLessThan(0.1)
  })
})

describe('any hint', () => {
  it('gives a gap within the limits', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    const claim: fc.Arbitrary<Claim> = fc.oneof(
      number.map(changedAt),
      number.map((each) => freshFor(Math.abs(each))),
    )
    const kind = fc.constantFrom('sitemap' as const, 'feed' as const, 'cache' as const)
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(claim, kind, share, number, (printed, of, reliability, polledAt) => {
        const view = viewWith([
          hint(printed, { kind: of, reliability, polledAt, reportedAt: polledAt }),
        ])
        const gap = gapOf(view)
        const gaps = [
          policy.moved!(view, gap)?.gap,
          policy.called!(view, { elapsed: Math.abs(polledAt) % (40 * DAY), gap })?.gap,
        ]
        for (const each of gaps) {
          if (each === undefined) continue
          expect(each).toBeGreaterThanOrEqual(600)
          expect(each).toBeLessThanOrEqual(90 * DAY)
        }
      }),
      { seed: 4, numRuns: 150 },
    )
  })

  it('draws nothing from chance where nobody tells', () => {
    const silent = { ...viewWith([]), random: new Random(1) }
    expect(policy.moved!(silent, DAY)).toBeNull()
    expect(silent.random.uniform()).toBe(new Random(1).uniform())
  })
})
