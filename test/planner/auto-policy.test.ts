import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import { firstStep, step } from '../../src/planner/step.js'
import { aView } from '../contracts/policy.js'

const planner = (options = {}) => ({ policy: autoPolicy(options), learner: autoLearner() })
const begun = (options = {}) => firstStep(planner(options), { at: 1e9 }, new Random(1))

describe('autoPolicy', () => {
  it('waits longer after each visit without a change, and less after one', () => {
    const own = planner({ stagger: 0 })
    let now = begun({ stagger: 0 })
    const gaps: number[] = []
    for (const changed of [false, false, false, true]) {
      const gap = (now.due.at as number) - now.state.at
      gaps.push(gap)
      now = step(own, now.state, { at: now.state.at + gap, gap, changed })
    }
    gaps.push((now.due.at as number) - now.state.at)
    expect(gaps[3]).toBeGreaterThan(gaps[0]!)
    expect(gaps[4]).toBeLessThan(gaps[3]!)
  })

  it('tells why in one sentence', () => {
    let now = begun()
    for (let visit = 0; visit < 6; visit++)
      now = step(planner(), now.state, { at: now.state.at + DAY, gap: DAY, changed: false })
    expect(now.due.reason).toMatch(
      /^unchanged 6 times; .*likely to have changed in [\d.]+ \w+; value [\d.]+x the price of a request$/,
    )
    expect(begun().due.reason).toMatch(/^new; /)
  })

  it('keeps its limits exactly, and lets no page starve', () => {
    const often = autoPolicy({ price: 1, minGap: 3 * HOUR })
    expect(often.nextGap(aView({ changePeriod: HOUR }))).toBe(3 * HOUR)
    const never = autoPolicy({ price: 100 * DAY, maxGap: 20 * DAY })
    const view = aView({ changePeriod: HOUR })
    expect(never.nextGap(view)).toBe(20 * DAY)
    expect(never.reason(view, 20 * DAY)).toMatch(/none waits longer/)
  })

  it('visits what matters more more often', () => {
    const gap = (importance: number) =>
      autoPolicy({ importance, stagger: 0 }).nextGap(aView({ changePeriod: 10 * DAY }))
    expect(gap(5)).toBeLessThan(gap(1))
    expect(gap(1)).toBeLessThan(gap(0.2))
  })

  it('names the objective it is visited for, where that is not freshness', () => {
    const view = aView({ changePeriod: 10 * DAY })
    for (const [objective, aim] of [
      ['freshness', ''],
      ['delay', ' (objective: delay)'],
      ['changes-caught', ' (objective: changes-caught)'],
    ] as const) {
      const policy = autoPolicy({ objective, stagger: 0 })
      const printed = policy.reason(view, policy.nextGap(view))
      expect(printed.endsWith(`x the price of a request${aim}`), printed).toBe(true)
    }
  })

  it('follows a price that moves', () => {
    let price = HOUR
    const policy = autoPolicy({ price: () => price, stagger: 0 })
    const view = aView({ changePeriod: 10 * DAY })
    const before = policy.nextGap(view)
    price = 12 * HOUR
    expect(policy.nextGap(view)).toBeGreaterThan(before)
  })

  it('does not bring pages of a site in lockstep', () => {
    const policy = autoPolicy()
    const gaps = [1, 2, 3, 4].map((seed) => policy.nextGap(aView({ random: new Random(seed) })))
    expect(new Set(gaps).size).toBe(4)
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1.5 * HOUR)
  })
})
