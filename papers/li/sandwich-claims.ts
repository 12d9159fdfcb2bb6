import type { Finding } from 'revisit/report'
import { logGrid } from './grid.js'
import { pareto, uniform } from './laws.js'
import { verdictOf } from './part.js'
import { mostErrors } from './paths.js'
import type { SeenTail } from './seen-tail.js'
import { foundPoints, largestApart } from './tails.js'
import { deviationWords, shown } from './words.js'

/** Above the lower and below the upper tail at every place, by closed form and by simulation. */
function between(
  { found, model }: SeenTail,
  { lower, upper }: { lower: (x: number) => number; upper: (x: number) => number },
): boolean {
  const closed = logGrid({ low: 1e-3, high: 100, count: 200 })
  const simulated = foundPoints(found).filter(({ x }) => x <= 10)
  return (
    closed.every((x) => lower(x) <= model(x) + 1e-12 && model(x) <= upper(x) + 1e-12) &&
    simulated.every(({ x, y }, i) => {
      const slack = mostErrors * found.error[i]! + 1e-9
      return lower(x) - slack <= y! && y! <= upper(x) + slack
    })
  )
}

export function sandwich(both: readonly SeenTail[]): Finding {
  const { gapTail: lower, contentTail: upper } = pareto
  const holds = both.every((each) => each.deviation < mostErrors && between(each, { lower, upper }))
  return {
    claim: 'sandwich',
    ours: `at x = 1: F ${shown(lower(1))}, M1 ${shown(both[1]!.model(1))} (lambda 10) and ${shown(both[0]!.model(1))} (lambda 1), G ${shown(upper(1))}`,
    verdict: verdictOf(holds),
    why: 'Tails of Pareto U at constant gaps, x from .001 to 100 by eq. 8 and where simulated.',
  }
}

export function closer([slow, fast]: readonly SeenTail[]): Finding {
  const [far, near] = [slow!, fast!].map(({ model }) => largestApart(model, pareto.gapTail))
  return {
    claim: 'faster-is-closer',
    ours: `largest distance from F_U ${shown(far!)} at lambda 1, ${shown(near!)} at lambda 10`,
    verdict: verdictOf(near! < far!),
    why: "Eq. 8 at constant gaps; the panels' visit rates are not in our copy of the text, 1 and 10 are taken.",
  }
}

export function reversal(seen: SeenTail): Finding {
  const { gapTail: upper, contentTail: lower } = uniform
  return {
    claim: 'sandwich-reversed',
    ours: `at x = .5: G ${shown(lower(0.5))}, M1 ${shown(seen.model(0.5))}, F ${shown(upper(0.5))}`,
    verdict: verdictOf(seen.deviation < mostErrors && between(seen, { lower, upper })),
    why: `Uniform U on [0, 1], constant gaps of .3: ${deviationWords(seen.deviation)}.`,
  }
}
