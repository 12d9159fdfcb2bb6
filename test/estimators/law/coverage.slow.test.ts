import { describe, expect, it } from 'vitest'
import { coverageOf, tenLaws, threeGaps, unseenLaws } from './ten-laws.js'

const pages = 60
/** 90% less two standard errors of a share of 60 pages: chance alone must not fail one of 450 counts. */
const least = 0.9 - 2 * Math.sqrt((0.9 * 0.1) / pages)

const cells = threeGaps.flatMap(([way, gap]) =>
  [...tenLaws, ...unseenLaws].flatMap((law, i) =>
    [false, true].map((dated) => ({
      title: `${law.name}, ${way} gaps${dated ? ', dated' : ''}`,
      law,
      gap,
      dated,
      seed: 1000 + i,
    })),
  ),
)

/** Dates that nearly keep step with visits: see docs/notes/update-gap-bounds.md. Fails here once it is mended. */
const missed = 'nearly every two days, equal gaps, dated'

describe('95% bounds of a page seen 300 times', () => {
  const atLeast90 = ({ law, gap, dated, seed }: (typeof cells)[number]) => {
    const found = coverageOf(law, { gap, pages, visits: 300, copies: 60, seed, dated })
    for (const what of [
      'contentAges',
      'updateGaps',
      'changePeriod',
      'stale',
      'updatesBehind',
    ] as const) {
      const { held, of } = found[what]
      expect(held / of, what).toBeGreaterThanOrEqual(least)
    }
    // Comparisons at equal or jittered gaps bound E[U] from one side only.
    if (!dated && gap !== threeGaps[2]![1]) expect(found.bounded).toBe(0)
  }
  const [known, others] = [true, false].map((is) =>
    cells.filter(({ title }) => (title === missed) === is),
  )
  it.each(others!)('hold at least 90%: $title', atLeast90)
  it.fails.each(known!)('do not hold 90% of E[U]: $title', atLeast90)

  it('bound E[U] from both sides where visits are many and some near to each other', () => {
    const found = coverageOf(tenLaws[0]!, {
      gap: threeGaps[2]![1],
      pages: 6,
      visits: 20_000,
      copies: 30,
      seed: 7,
    })
    expect(found.bounded).toBeGreaterThan(3)
    expect(found.changePeriod.held).toBeGreaterThanOrEqual(5)
  })
})
