import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/model/units.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { policyKinds, policyOf } from '../../src/planner/registry.js'
import { barrelPolicy } from '../../src/policies/barrels.js'
import { nutch, stormCrawler } from '../../src/policies/crawlers.js'
import { fixed, randomGaps, typicalCrawler } from '../../src/policies/fixed-and-random.js'
import { grimesFord } from '../../src/policies/grimes-ford.js'
import {
  malcolmArmitage,
  malcolmArmitage1,
  malcolmArmitage2,
} from '../../src/policies/malcolm-armitage.js'
import { singh } from '../../src/policies/singh.js'
import { aView, describePolicy, firstView } from '../contracts/policy.js'

/** Every policy, as its own function makes it by default. */
const policies = [
  autoPolicy(),
  fixed(),
  typicalCrawler,
  malcolmArmitage1(),
  malcolmArmitage2(),
  malcolmArmitage(),
  grimesFord(),
  singh(),
  barrelPolicy(),
  barrelPolicy({ exact: true }),
  nutch,
  stormCrawler,
  randomGaps(),
  randomGaps({ law: 'uniform' }),
]

describe('policies by name', () => {
  it('are all there, under their own names', () => {
    expect(policyKinds.map((each) => each.name)).toEqual(policies.map((each) => each.name))
    for (const { name } of policyKinds) expect(policyOf(name).name).toBe(name)
  })

  // The defaults written in the registry are those of the policies themselves.
  it.each(policies.map((policy) => [policy.name, policy] as const))(
    '%s has the defaults it says',
    (name, policy) => {
      for (const changePeriod of [MINUTE / 2, HOUR, 5 * DAY, 500 * DAY]) {
        const view = () => aView({ changePeriod })
        expect(policyOf(name).nextGap(view())).toBe(policy.nextGap(view()))
      }
      expect(policyOf(name).nextGap(firstView())).toBe(policy.nextGap(firstView()))
      const full = aView({ changes: 100, visits: 200 })
      expect(policyOf(name).nextGap(full)).toBe(policy.nextGap({ ...full, random: aView().random }))
    },
  )

  it('take parameters as text', () => {
    expect(policyOf('fixed:gap=36h').nextGap(aView())).toBe(36 * HOUR)
    expect(policyOf('grimes-ford: factor=0.8').nextGap(aView({ changePeriod: 10 * DAY }))).toBe(
      8 * DAY,
    )
    const endless = policyOf('malcolm-armitage-2:changes=none,min=1h')
    expect(endless.nextGap(aView({ changes: 100, visits: 200, changePeriod: 1 }))).toBe(HOUR)
  })

  it.each([
    ['tarot', /no policy "tarot"; there are: auto, fixed, typical-crawler/],
    ['fixed:gap=0d', /gap must be a positive duration/],
    ['fixed:gap=-1d', /gap must be a positive duration/],
    ['fixed:gap=soon', /fixed: gap: "soon" is not a duration/],
    ['fixed:pause=1d', /fixed has no parameter "pause"; it has: gap/],
    ['nutch:gap=1d', /nutch has no parameter "gap"; it has: none/],
    ['grimes-ford:factor=none', /factor: "none" is not a number/],
    ['malcolm-armitage-1:changes=0', /maxChanges must be a positive number, or none/],
    ['singh:min=1d,min=2d', /min is given twice/],
  ])('refuses %s', (spec, message) => expect(() => policyOf(spec)).toThrow(message))
})

for (const spec of ['fixed:gap=1min', 'grimes-ford:factor=0.8,min=1h', 'singh:max=2d'])
  describePolicy(policyOf(spec))
