import { describe, expect, it } from 'vitest'
import { adjustedObservation } from '../../src/hints/hints-after-visit.js'
import { taken } from '../../src/hints/list-signals.js'
import type { PageHints } from '../../src/model/hint.js'
import { noHints } from '../../src/model/stored-hints.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'

const now = 1.7e9 + 1
const reported = (reliability = 0.97): PageHints => {
  const claim = (at: number) => [
    { kind: 'sitemap' as const, claim: { says: 'changed-at' as const, at } },
  ]
  const first = taken(noHints, { hints: claim(now - 20 * DAY), source: '1', now: now - 10 * DAY })
  const poll = { source: '1', now: now - HOUR, before: now - DAY }
  const page = taken(first, { ...poll, hints: claim(now - 2 * HOUR) })
  const rating = { reliability, trusted: true }
  return { ...page, kinds: { sitemap: { ...page.kinds.sitemap!, rating } } }
}
const changed = { at: now, gap: 5 * DAY, changed: true }

describe('adjustedObservation', () => {
  it('tells until when the list was silent, and when the change came', () => {
    expect(adjustedObservation(changed, reported())).toEqual({
      ...changed,
      unchangedFor: 4 * DAY,
      contentAge: 2 * HOUR,
    })
  })

  it('takes Last-Modified over the list, and no word of a list that is not sure', () => {
    const exact = { ...changed, contentAge: 7 }
    expect(adjustedObservation(exact, reported()).contentAge).toBe(7)
    expect(adjustedObservation(changed, reported(0.8))).toBe(changed)
    expect(adjustedObservation(changed, noHints)).toBe(changed)
    const unchanged = { ...changed, changed: false }
    expect(adjustedObservation(unchanged, reported())).toBe(unchanged)
  })

  it('keeps a page that is visited at each change from looking ever faster', () => {
    // Changes every ten days at random; polled twice a day; visited when the list reports one.
    const learner = autoLearner()
    const random = new Random(1)
    const plain = new Float64Array(learner.size)
    const hintState = new Float64Array(learner.size)
    for (const memory of [plain, hintState]) learner.start(memory, Number.NaN)
    for (let visit = 0; visit < 30; visit++) {
      const wait = 10 * DAY * random.exponential()
      const gap = (DAY / 2) * Math.ceil(wait / (DAY / 2))
      const seen = { gap, changed: true, contentAge: Number.NaN }
      learner.learn(plain, seen)
      learner.learn(hintState, { ...seen, contentAge: gap - wait, unchangedFor: gap - DAY / 2 })
    }
    expect(learner.changePeriod(plain)).toBeLessThan(2.5 * DAY)
    expect(learner.changePeriod(hintState)).toBeGreaterThan(6 * DAY)
    expect(learner.changePeriod(hintState)).toBeLessThan(16 * DAY)
  })
})
