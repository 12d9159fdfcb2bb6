import { cdfAt, type DistributionCurve, type DistributionMethod } from 'revisit/estimators'
import type { LinePoint } from 'revisit/report'
import type { Watching } from './closed-forms.js'
import { logGrid } from './grid.js'
import type { PartRun } from './part.js'
import { type Averaged, overPaths, worstDeviation } from './paths.js'
import { watch } from './watch.js'

/** Where tails are drawn, and the points among them that are judged: beyond 10 too few updates fall. */
export const places = logGrid({ low: 0.05, high: 50, count: 25 })
const judged = places.filter((x) => x <= 10)

/** A method's tail at each place: the mean over paths. */
export function simulatedTail(
  { sizes, random }: Pick<PartRun, 'sizes' | 'random'>,
  {
    method,
    until = sizes.curve.until,
    at = places,
    ...watching
  }: Watching & { method: DistributionMethod; until?: number; at?: readonly number[] },
): Averaged {
  const { paths } = sizes.curve
  return overPaths({ paths, random }, (chance) => {
    const estimate = method.estimate(watch({ ...watching, until, random: chance }))
    return estimate.kind === 'none' ? null : tailsOf(estimate.curve, at)
  })
}

function tailsOf(curve: DistributionCurve, at: readonly number[]): number[] {
  return at.map((x) => 1 - cdfAt(curve, x))
}

/** The worst of the judged places, in standard errors. */
export function deviationAt(
  found: Averaged,
  { truth, until }: { truth: (x: number) => number; until: number },
): number {
  return worstDeviation(found, { truth: judged.map(truth), until })
}

/** The largest distance of the simulated means from a tail, at the judged places. */
export function apart(found: Averaged, truth: (x: number) => number): number {
  return Math.max(...judged.map((x, i) => Math.abs(found.mean[i]! - truth(x))))
}

/** The largest distance between two tails, from 0 on. */
export function largestApart(a: (x: number) => number, b: (x: number) => number): number {
  const grid = logGrid({ low: 1e-3, high: 1e3, count: 400 })
  return Math.max(...grid.map((x) => Math.abs(a(x) - b(x))))
}

export function curvePoints(tail: (x: number) => number, at = dense): LinePoint[] {
  return at.map((x) => ({ x, y: tail(x) }))
}

/** Simulated means, with two standard errors either side. */
export function foundPoints({ mean, error }: Averaged, at = places): LinePoint[] {
  return at.map((x, i) => ({
    x,
    y: mean[i]!,
    low: mean[i]! - 2 * error[i]!,
    high: mean[i]! + 2 * error[i]!,
  }))
}

const dense = logGrid({ low: 0.05, high: 50, count: 120 })
