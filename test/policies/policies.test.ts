import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, WEEK } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { mean } from '../../src/numeric/summary.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { policyKinds, policyOf } from '../../src/planner/registry.js'
import { objectives } from '../../src/planner/value/objective.js'
import { barrelOf, barrelPolicy } from '../../src/policies/barrels.js'
import { nutch, stormCrawler } from '../../src/policies/crawlers.js'
import { fixed, randomGaps } from '../../src/policies/fixed-and-random.js'
import { grimesFord } from '../../src/policies/grimes-ford.js'
import { malcolmArmitage1, malcolmArmitage2 } from '../../src/policies/malcolm-armitage.js'
import { aView, describePolicy, firstView } from '../contracts/policy.js'

for (const { name } of policyKinds) describePolicy(policyOf(name))
for (const objective of objectives)
  describePolicy({ ...autoPolicy({ objective }), name: `auto-${objective}` })

describe('policyOf', () => {
  it('lists what exists for an unknown name', () => {
    expect(policyOf('nutch')).toBe(nutch)
    expect(() => policyOf('tarot')).toThrow(/no policy "tarot".*nutch.*storm-crawler/)
  })
})

// Malcolm & Armitage, Listing 1 with Table 3.
describe('Listing 1', () => {
  const { nextGap, reason } = malcolmArmitage1()
  it.each([
    [0, DAY],
    [5 * DAY, DAY],
    [20 * DAY, 4 * DAY],
  ])('a change period of %s gives a gap of %s', (changePeriod, gap) => {
    expect(nextGap(aView({ changePeriod }))).toBe(gap)
  })
  it('stops after 100 changes, by default', () => {
    const view = aView({ changes: 100, visits: 300 })
    expect(nextGap(view)).toBe(Infinity)
    expect(reason(view, Infinity)).toContain('100 changes')
    expect(malcolmArmitage1({ maxChanges: Infinity }).nextGap(view)).toBeLessThan(Infinity)
  })
})

// Malcolm & Armitage, Listing 2 with Table 4, line by line.
describe('Listing 2', () => {
  const { nextGap } = malcolmArmitage2()
  it.each([
    ['unknown', 0, 10 * MINUTE],
    ['faster than the shortest gap', 5 * MINUTE, 10 * MINUTE],
    ['in between', DAY, DAY],
    ['above the soft maximum', 5 * DAY, 2 * DAY],
    ['slow', 30 * DAY, 10 * DAY],
  ])('%s', (_, changePeriod, gap) => expect(nextGap(aView({ changePeriod }))).toBe(gap))
  it('stops after 100 changes', () =>
    expect(nextGap(aView({ changes: 100, visits: 200 }))).toBe(Infinity))
})

describe('Grimes & Ford', () => {
  it('waits the estimated change period times the factor, and the prior gap at first', () => {
    expect(grimesFord().nextGap(aView({ changePeriod: 4 * DAY }))).toBe(4 * DAY)
    expect(grimesFord({ factor: 0.8 }).nextGap(aView({ changePeriod: 10 * DAY }))).toBe(8 * DAY)
    expect(grimesFord().nextGap(firstView())).toBe(11 * DAY)
  })
})

describe("today's rules", () => {
  it('Nutch: first 30 days, x 0.8 and x 1.4, a minute to a year', () => {
    expect(nutch.nextGap(firstView())).toBe(30 * DAY)
    expect(nutch.nextGap(aView({ plannedGap: 10 * DAY, changed: true }))).toBe(8 * DAY)
    expect(nutch.nextGap(aView({ plannedGap: 10 * DAY }))).toBe(14 * DAY)
    expect(nutch.nextGap(aView({ plannedGap: 300 * DAY }))).toBe(365 * DAY)
    expect(nutch.nextGap(aView({ plannedGap: MINUTE, changed: true }))).toBe(MINUTE)
  })
  it('StormCrawler: first a day, halfway to an hour, x 1.5 up to 14 days', () => {
    expect(stormCrawler.nextGap(firstView())).toBe(DAY)
    expect(stormCrawler.nextGap(aView({ plannedGap: DAY, changed: true }))).toBe(12.5 * HOUR)
    expect(stormCrawler.nextGap(aView({ plannedGap: DAY }))).toBe(1.5 * DAY)
    expect(stormCrawler.nextGap(aView({ plannedGap: 13 * DAY }))).toBe(14 * DAY)
  })
})

describe('barrels', () => {
  it.each([
    [null, 'weekly'],
    [{ kind: 'static' }, 'static'],
    [{ kind: 'periodic', period: DAY }, 'daily'],
    [{ kind: 'periodic', period: WEEK }, 'weekly'],
    [{ kind: 'periodic', period: 20 * DAY }, 'weekly'],
    [{ kind: 'periodic', period: 45 * DAY }, 'monthly'],
    [{ kind: 'periodic', period: 900 * DAY }, 'static'],
    [{ kind: 'nonuniform', period: null }, 'daily'],
    [{ kind: 'nonuniform', period: 8 * DAY }, 'weekly'],
  ] as const)('%j goes to %s', (declared, barrel) => expect(barrelOf(declared)).toBe(barrel))

  it('exact visits at the declared period itself', () => {
    const declared = { kind: 'periodic', period: 3 * DAY } as const
    expect(barrelPolicy({ exact: true }).nextGap(aView({ declared }))).toBe(3 * DAY)
    expect(barrelPolicy().nextGap(aView({ declared }))).toBe(DAY)
  })
})

describe('random gaps', () => {
  it.each(['exponential', 'uniform'] as const)('%s gaps have the mean asked for', (law) => {
    const view = aView({ random: new Random(3) })
    const policy = randomGaps({ law, meanGap: 5 })
    const gaps = Array.from({ length: 20_000 }, () => policy.nextGap(view))
    expect(Math.abs(mean(gaps) - 5)).toBeLessThan(0.15)
    if (law === 'uniform') expect(Math.max(...gaps)).toBeLessThanOrEqual(10)
  })
})

describe('impossible settings', () => {
  it.each([
    () => fixed({ gap: 0 }),
    () => fixed({ gap: Number.NaN }),
    () => malcolmArmitage1({ maxRatio: -1 }),
    () => malcolmArmitage2({ minGap: Infinity }),
    () => grimesFord({ factor: 0 }),
    () => malcolmArmitage2({ maxChanges: 0 }),
    () => malcolmArmitage1({ maxChanges: Number.NaN }),
  ])('are refused by name (%#)', (make) => expect(make).toThrow(/must be a positive/))
})
