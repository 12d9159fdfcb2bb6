import { describe, expect, it } from 'vitest'
import type { HintsView, WeighedHint } from '../../src/model/hint.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { dueBySignal } from '../../src/planner/evidence/due-by-signal.js'
import { withHints } from '../../src/planner/evidence/with-hints.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { limited } from '../../src/policies/limits.js'

const seen = 1_700_000_000
const hint: WeighedHint = {
  kind: 'sitemap',
  claim: { says: 'changed-at', at: seen + HOUR },
  trusted: true,
  reliability: 0.95,
  tally: { right: 19, predicted: 20, lies: 0, score: 9, changed: 10, guess: 0.5 },
  reportedAt: seen + HOUR,
} as unknown as WeighedHint
const hints: HintsView = { reported: [hint], allowance: 0.9 }

describe('change signals of a list', () => {
  // A day was planned; the list reports a change nine hours after the visit.
  const now = seen + 9 * HOUR
  const waiting = { lastSeen: seen, plannedGap: DAY, now }
  const due = { at: seen + DAY, reason: 'as planned' }
  const dueWith = (minGap: number) => {
    const policy = limited(withHints(fixed({ gap: DAY })), { minGap })
    return dueBySignal({ policy, learner: null }, null, { hints, waiting, due })?.at
  }

  it('make no visit sooner than the shortest gap', () => {
    expect(dueWith(HOUR)).toBe(now)
    expect(dueWith(12 * HOUR)).toBe(seen + 12 * HOUR)
  })

  it('change nothing where the page is due by then anyway', () => {
    expect(dueWith(DAY)).toBeUndefined()
  })
})
