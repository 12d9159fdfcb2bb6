import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { flatClock } from '../../src/numeric/week-clock.js'
import { type AutoPolicyOptions, autoPolicy } from '../../src/planner/policy.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import { defaultChangeLaw } from '../../src/planner/prior/default-prior.js'
import { firstStep, type Planner, type Step, step } from '../../src/planner/step.js'
import type { Objective } from '../../src/planner/value/objective.js'
import { aView } from '../contracts/policy.js'

const number = /value ([\d.]+)x the price of a request/
const limit = /no sooner is allowed|none waits longer|too fast to follow/
const early =
  /^new(, and changed at each visit so far)?; visited again after .*, to learn how often it changes$/

/** What is said of a page after each of thirty visits, each at the time the policy asked for. */
function reasons(options: AutoPolicyOptions, { seed }: { seed: number }): string[] {
  const random = new Random(seed)
  const law = { ...defaultChangeLaw, clock: options.clock ?? defaultChangeLaw.clock }
  const planner: Planner = { policy: autoPolicy(options), learner: autoLearner({ law }) }
  const period = 600 * 10 ** (4.3 * random.uniform())
  let now: Step = firstStep(planner, { at: 1.7e9 }, random)
  const printed = [now.due.reason]
  for (let visit = 0; visit < 30; visit++) {
    const at = now.due.at as number
    const gap = at - now.state.at
    const changed = random.uniform() > Math.exp(-gap / period)
    now = step(planner, now.state, { at, gap, changed })
    printed.push(now.due.reason)
  }
  return printed
}

const prices: readonly [Objective, readonly number[]][] = [
  ['freshness', [600, HOUR, 6 * HOUR, 2 * DAY]],
  ['delay', [600, HOUR, 6 * HOUR, 20 * DAY]],
  ['changes-caught', [0.05, 0.2, 0.6]],
]

describe('the reason of the default', () => {
  it.each(prices.flatMap(([objective, some]) => some.map((price) => ({ objective, price }))))(
    'is never a visit below its price without another reason: $objective at $price',
    (problem) => {
      let limits = 0
      for (let seed = 0; seed < 12; seed++)
        for (const clock of [flatClock, defaultChangeLaw.clock])
          for (const [visit, printed] of reasons({ ...problem, clock }, { seed }).entries()) {
            if (visit <= 2 && early.test(printed)) continue
            const value = number.exec(printed)?.[1]
            const bound = limit.test(printed)
            if (bound) limits++
            else expect(Number(value), printed).toBeGreaterThanOrEqual(0.9)
          }
      expect(limits).toBeLessThan(12 * 2 * 31)
    },
  )

  it('names the limit where a limit sets the time, with the chance by that time', () => {
    const fast = reasons({ price: 1, minGap: 5 * DAY, clock: flatClock }, { seed: 3 })
    expect(fast.every((printed) => printed.endsWith(', but no sooner is allowed'))).toBe(true)
    const slow = reasons({ price: 400 * DAY, maxGap: DAY, clock: flatClock }, { seed: 3 })
    expect(slow.every((printed) => printed.endsWith('; none waits longer'))).toBe(true)
  })

  // By hand: a Poisson page whose period is P, visited every g, is fresh for F(g) = P (1 - exp(-g / P))
  // of each gap; a visit left out loses 2 F(g) - F(2 g) = P (1 - exp(-g / P))^2.
  it('tells what would be lost if the visit were left out', () => {
    const policy = autoPolicy({ price: 6 * HOUR, stagger: 0 })
    const view = { ...blank, changePeriod: 10 * DAY }
    const gap = policy.nextGap(view)
    // The nearest of the family's rates is not quite ten days.
    const lost = (10 * DAY * (1 - Math.exp(-gap / (10 * DAY))) ** 2) / (6 * HOUR)
    const reported = Number(number.exec(policy.reason(view, gap))![1])
    expect(Math.abs(reported / lost - 1)).toBeLessThan(0.15)
  })
})

const blank = aView({ changePeriod: 0 })
