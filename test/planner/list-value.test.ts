import { describe, expect, it } from 'vitest'
import { taken } from '../../src/hints/list-signals.js'
import type { PageHints } from '../../src/model/hint.js'
import { noHints } from '../../src/model/stored-hints.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { AutoPlanners } from '../../src/planner/collection/planners.js'
import {
  ListValues,
  listPolicy,
  pollGap,
  signalValue,
} from '../../src/planner/evidence/list-value.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import { keptPosterior } from '../../src/planner/posterior/posterior.js'
import { aView } from '../contracts/policy.js'

const now = 1.7e9
const learner = autoLearner()
/** The posterior after sixty gaps, every so manieth with a change. */
function posteriorAfter({ gap, every }: { gap: number; every: number }) {
  const memory = new Float64Array(learner.size)
  learner.start(memory, Number.NaN)
  for (let visit = 0; visit < 60; visit++)
    learner.learn(memory, { gap, changed: visit % every === 0, contentAge: Number.NaN })
  return keptPosterior(learner.posterior(memory))
}
const posterior = posteriorAfter({ gap: 2 * DAY, every: 5 })
const price = 6 * HOUR

function reported(more: { reliability: number; predicted: number }): PageHints {
  const hints = [{ kind: 'sitemap' as const, claim: { says: 'changed-at' as const, at: now } }]
  const page = taken(noHints, { hints, source: '7', now })
  const { reliability, predicted } = more
  const tally = { predicted, right: predicted, changed: 1, lead: 0 }
  const rating = { reliability, trusted: true, polledAt: now }
  return { ...page, kinds: { sitemap: { ...page.kinds.sitemap!, tally, rating } } }
}
const copyValue = (hints: PageHints) => {
  const values = new ListValues()
  values.add(hints, { posterior, price, importance: 1 })
  return values.of('7')
}

describe('the value of a list', () => {
  it('is the changes it reports, as far as it is trusted', () => {
    const all = signalValue({ posterior, price, importance: 1 })
    expect(all).toBeGreaterThan(0)
    expect(copyValue(reported({ reliability: 0.95, predicted: 20 }))).toBeCloseTo(0.9 * all, 12)
    expect(copyValue(reported({ reliability: 0.5, predicted: 20 }))).toBe(0)
    expect(copyValue(noHints)).toBe(0)
  })

  it('is something before it was put to the test, but not on a host whose lists lie', () => {
    expect(copyValue(reported({ reliability: 0.5, predicted: 0 }))).toBeGreaterThan(0)
    expect(copyValue(reported({ reliability: 0.1, predicted: 0 }))).toBe(0)
  })

  it('counts no page that changes too fast to keep', () => {
    const fast = posteriorAfter({ gap: HOUR, every: 1 })
    const dear = { price: 5 * DAY, importance: 1 }
    expect(signalValue({ posterior: fast, ...dear })).toBeLessThan(
      0.05 * signalValue({ posterior, ...dear }),
    )
  })

  it('comes back from the store, and nothing else does', () => {
    const values = new ListValues()
    values.add(reported({ reliability: 0.9, predicted: 9 }), { posterior, price, importance: 2 })
    expect(ListValues.from(values.json).of('7')).toBe(values.of('7'))
    for (const junk of [undefined, null, 3, 'x', [1], { 7: 'x' }, { 7: -1 }])
      expect(ListValues.from(junk as never).of('7')).toBe(0)
  })
})

describe('listPolicy', () => {
  const options = { price: () => price, minGap: 600, maxGap: 90 * DAY }
  const at = (value: number, changePeriod = HOUR) =>
    listPolicy(autoPolicy(), { ...options, value: () => value }).nextGap(aView({ changePeriod }))

  // By hand: one change told in 8 hours: sqrt(2 x 21,600 x 28,800) = 35,273 s.
  it('looks where the request costs as much as waiting loses', () => {
    expect(pollGap({ price, value: 1 / 28_800 })).toBeCloseTo(35_272.7, 0)
    expect(at(1 / 28_800)).toBeGreaterThan(0.97 * 35_273)
    expect(at(1 / 28_800)).toBeLessThan(1.03 * 35_273)
    expect(pollGap({ price, value: 0 })).toBe(Infinity)
  })

  it('keeps its limits, and waits for a list that does not change', () => {
    expect(at(1e9, 60)).toBe(600)
    expect(at(1e-12)).toBeGreaterThan(88 * DAY)
    expect(at(1e-12)).toBeLessThanOrEqual(90 * DAY)
    expect(at(1 / 28_800, 100 * DAY)).toBeGreaterThan(19 * DAY)
  })

  it('does as with any other page where the list tells of nothing', () => {
    const view = aView({ changePeriod: 3 * DAY })
    const plain = autoPolicy({ stagger: 0 })
    const list = listPolicy(plain, { ...options, value: () => 0 })
    expect(list.nextGap(view)).toBe(plain.nextGap(view))
    expect(list.reason(view, DAY)).toBe(plain.reason(view, DAY))
    expect(at(Number.NaN)).toBeGreaterThan(0)
  })
})

describe('AutoPlanners', () => {
  it('follows no hints by default', () => {
    const page = { hints: null, group: 'g', host: 'h', importance: 1, settings: {} } as never
    expect(new AutoPlanners().plannerFor(page).policy.moved).toBeUndefined()
    expect(
      new AutoPlanners({ followsHints: () => true }).plannerFor(page).policy.moved,
    ).toBeDefined()
  })
})
