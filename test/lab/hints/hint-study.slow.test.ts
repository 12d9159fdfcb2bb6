import { describe, expect, it } from 'vitest'
import { hintCosts, hintReliabilities } from '../../../src/lab/hints-study/hint-study.js'
import { autoPolicy } from '../../../src/planner/policy.js'
import { nutch } from '../../../src/policies/crawlers.js'
import { fixed } from '../../../src/policies/fixed-and-random.js'
import { grimesFord } from '../../../src/policies/grimes-ford.js'
import { malcolmArmitage } from '../../../src/policies/malcolm-armitage.js'
import { singh } from '../../../src/policies/singh.js'

describe('hints after 20 visits of 24 pages', () => {
  const rows = hintReliabilities({ pages: 24, visits: 20, seed: 1 })
  const of = (publisher: string) => rows.filter((row) => row.publisher === publisher)

  it('are worth more than guessing where they are honest', () => {
    for (const row of of('honest')) expect(row.reliability, row.kind).toBeGreaterThan(0.7)
  })

  it('have lost their say where they lie', () => {
    for (const row of of('lying')) {
      expect(row.reliability, row.kind).toBeLessThan(0.1)
      expect(row.trusted, row.kind).toBe(0)
    }
  })

  it('have lost it on most pages where they are stuck: a stock word may be true by chance', () => {
    for (const row of of('stuck')) {
      expect(row.reliability, row.kind).toBeLessThan(0.4)
      expect(row.trusted, row.kind).toBeLessThan(0.25)
    }
  })

  it('are neither here nor there where they are missing', () => {
    for (const row of of('missing'))
      expect(row).toMatchObject({ reliability: 0.5, predicted: 0, trusted: 0 })
  })
})

describe('policies with hints, for half a year', () => {
  const policies = [
    fixed({ gap: 86_400 }),
    malcolmArmitage(),
    grimesFord(),
    singh(),
    nutch,
    autoPolicy(),
  ]
  const rows = hintCosts({ pages: 24, seed: 2, policies })

  it('make at most 5% more visits than without, when all hints lie or are stuck', () => {
    const bad = rows.filter(({ publisher }) => publisher === 'lying' || publisher === 'stuck')
    for (const { visits, policy, publisher } of bad)
      expect(visits.hinted / visits.bare, `${policy}, ${publisher}`).toBeLessThanOrEqual(1.05)
  })

  it('lose little freshness by it', () => {
    for (const { freshness, policy } of rows.filter((each) => each.publisher !== 'honest'))
      expect(freshness.hinted, policy).toBeGreaterThan(freshness.bare - 0.05)
  })

  it('do exactly as without, when nobody tells anything', () => {
    for (const { visits, freshness } of rows.filter((each) => each.publisher === 'missing')) {
      expect(visits.hinted).toBe(visits.bare)
      expect(freshness.hinted).toBe(freshness.bare)
    }
  })

  it('keep copies fresher when hints are honest', () => {
    for (const { freshness, policy } of rows.filter((each) => each.publisher === 'honest'))
      expect(freshness.hinted, policy).toBeGreaterThan(freshness.bare)
  })
})
