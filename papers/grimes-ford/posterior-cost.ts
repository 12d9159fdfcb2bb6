import {
  gridPrior,
  hourlyGrid,
  irregularMle,
  irregularMleWith,
  posteriorWith,
} from 'revisit/estimators'
import { DAY, type Estimator, type History, HOUR } from 'revisit/model'
import { Random } from 'revisit/numeric'
import type { Finding } from 'revisit/report'
import { graded } from '../words.js'
import { longestPlotted } from './new-pages.js'

/** Visits of the pages that are timed. */
const visits = 10
const pages = 60
/** The least of so many rounds counts: a busy machine only adds to a time. */
const rounds = 7
/** So that a run on another machine says the same: a ratio is given as the largest of these that it exceeds. */
const steps = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500]

/**
 * Section 4.3: what a posterior costs at each estimation, as ratios of times on
 * the same histories in one run.
 */
export function posteriorCost({ seed }: { readonly seed: number }): Finding {
  const histories = Array.from({ length: pages }, (_, page) => historyOf(new Random(seed + page)))
  const grid = hourlyGrid({ longest: longestPlotted })
  const prior = gridPrior(
    grid,
    grid.map((period) => 1 / period),
  )
  const pseudoGaps = { changed: 69 * HOUR, unchanged: 13 * HOUR }
  const plain = secondsOf(irregularMle, histories)
  const times = (estimator: Estimator) => secondsOf(estimator, histories) / plain
  const posterior = times(posteriorWith({ prior }))
  const pseudo = times(irregularMleWith({ pseudoGaps }))
  return {
    claim: 'posterior-costlier',
    ours: `the posterior on an hourly grid of ${grid.length} periods takes over ${exceeded(posterior)} times as long as eq. 2, and keeps ${grid.length} numbers a page; eq. 2 with two pseudo-gaps ${pseudo < 2 ? 'about as long as without' : `over ${exceeded(pseudo)} times as long`}`,
    verdict: graded({ holds: posterior > 2 && pseudo < posterior / 2, inPart: posterior > 2 }),
    why: `Times of one estimate with bounds of ${pages} pages after ${visits} visits at uneven gaps, the least of ${rounds} rounds in one run. A coarser grid costs less: the cost grows with its periods times the changed gaps.`,
  }
}

function exceeded(ratio: number): number {
  return steps.findLast((step) => ratio > step) ?? 0
}

/** A page of ten days, visited at gaps of half a day to two weeks. */
function historyOf(random: Random): History {
  let at = 0
  const observations = Array.from({ length: visits }, () => {
    const gap = DAY * (0.5 + 13.5 * random.uniform())
    at += gap
    return { at, gap, changed: random.uniform() < -Math.expm1(-gap / (10 * DAY)) }
  })
  return { start: { at: 0 }, observations }
}

function secondsOf(estimator: Estimator, histories: readonly History[]): number {
  let least = Infinity
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    for (const history of histories) estimator.estimate(history)
    least = Math.min(least, performance.now() - began)
  }
  return least
}
