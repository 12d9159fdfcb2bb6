import { mean, Random, variance } from 'revisit/numeric'
import type { Finding, PaperFigure, PaperResult } from 'revisit/report'
import { inThousands, lineFigure, windowAxis } from './figure.js'
import { powerOf } from './grid.js'
import { pareto } from './laws.js'
import { type Part, type PartRun, verdictOf } from './part.js'
import { shown, shownAll, windowWords } from './words.js'

interface Point {
  readonly x: number
  /** Mean of |1 - zeta / E[A]|, and its standard error. */
  readonly y: number
  readonly error: number
}

/** E[A] = mu E[U^2] / 2 for the Pareto updates. */
const meanContentAge = 1

/** How the mean content age of M2 errs by window and by visit gap: Figure 9. */
export const meanError: Part = {
  doing: 'the error of the mean content age (Figure 9)',
  cost: 280,
  run(run): PaperResult {
    const byWindow = overWindows(run)
    const bySpacing = overSpacings(run)
    return {
      findings: [decreases(byWindow), stabilises(bySpacing)],
      tables: [table({ byWindow, bySpacing })],
      figures: [figure9a(byWindow), figure9b(bySpacing)],
    }
  },
}

/** Errors of one path at each window it reaches: a longer window goes on where the shorter ended. */
function pathErrors({
  random,
  windows,
  meanGap,
}: {
  random: Random
  windows: readonly number[]
  meanGap: number
}): number[] {
  const page = pareto.process.timeline({ from: 0, random: random.fork() })
  const errors: number[] = []
  let [at, total, visits] = [meanGap * random.exponential(), 0, 0]
  for (const until of windows) {
    for (; at <= until; at += meanGap * random.exponential()) {
      page.advance(at)
      total += at - page.lastChange
      visits++
    }
    errors.push(visits === 0 ? 1 : Math.abs(1 - total / visits / meanContentAge))
  }
  return errors
}

function overWindows({ sizes, random, tell }: PartRun): Point[] {
  const reach = sizes.meanError
  const errors: number[][] = reach.map(() => [])
  const most = Math.max(...reach.map(({ paths }) => paths))
  const work = reach.reduce((sum, { until, paths }) => sum + until * paths, 0)
  let done = 0
  for (let path = 0; path < most; path++) {
    const windows = reach.filter(({ paths }) => path < paths).map(({ until }) => until)
    pathErrors({ random: random.fork(), windows, meanGap: 1 }).forEach((error, i) => {
      errors[i]!.push(error)
      done += windows[i]!
    })
    tell((0.9 * done) / work)
  }
  return reach.map(({ until }, i) => pointOf(until, errors[i]!))
}

/** The same pages under every mean gap, so that what differs is the visiting. */
function overSpacings({ sizes, random, tell }: PartRun): Point[] {
  const { paths, until, meanGaps } = sizes.spacingError
  const errors: number[][] = meanGaps.map(() => [])
  for (let path = 0; path < paths; path++) {
    const seed = random.bits()
    meanGaps.forEach((meanGap, i) => {
      errors[i]!.push(pathErrors({ random: new Random(seed), windows: [until], meanGap })[0]!)
    })
    tell(0.9 + (0.1 * (path + 1)) / paths)
  }
  return meanGaps.map((meanGap, i) => pointOf(meanGap, errors[i]!))
}

function pointOf(x: number, errors: readonly number[]): Point {
  const y = mean(errors)
  return { x, y, error: Math.sqrt(variance(errors) / errors.length) }
}

function decreases(points: readonly Point[]): Finding {
  const { until, value } = { until: points.map(({ x }) => x), value: points.map(({ y }) => y) }
  const drops = points.every((point, i) => {
    const before = points[i - 1]
    return before === undefined || point.y < before.y + 2 * Math.hypot(point.error, before.error)
  })
  const power = powerOf(until.slice(1), value.slice(1))
  return {
    claim: 'error-decreases-with-t',
    ours: `${shownAll(value, { digits: 2 })} at ${windowWords(until)}`,
    verdict: verdictOf(drops && value.at(-1)! < 0.2 * value[0]!),
    why: `Mean relative error over the paths, exponential S, lambda 1. It falls about as T^${shown(power, { digits: 2 })}, slower than 1/sqrt(T): the content age of these updates has no variance.`,
  }
}

function stabilises(points: readonly Point[]): Finding {
  const value = points.map(({ y }) => y)
  const at = (meanGap: number) => points.find(({ x }) => x === meanGap)!.y
  const last = value.at(-1)!
  const drop = at(100) / last
  const late = at(0.3) / last
  return {
    claim: 'error-settles-with-spacing',
    ours: `${shownAll(value, { digits: 2 })} at E[S] = ${shownAll(points.map(({ x }) => x))}`,
    verdict: verdictOf(drop > 1.2 && Math.abs(late - 1) < 0.05),
    why: `T = 10,000, the same pages under every E[S]: from E[S] = 100 to the end the error falls ${shown(drop, { digits: 2 })} times, from .3 to the end by ${shown(100 * (late - 1), { digits: 2 })}%.`,
  }
}

function table({ byWindow, bySpacing }: Record<'byWindow' | 'bySpacing', readonly Point[]>) {
  const row =
    (panel: string) =>
    ({ x, y, error }: Point) => [panel, shown(x), shown(y), shown(error, { digits: 2 })]
  return {
    title: 'Figure 9 in numbers: mean relative error of the mean content age',
    columns: ['panel', 'T or E[S] (time units)', 'error', 'standard error'],
    rows: [...byWindow.map(row('9a: T')), ...bySpacing.map(row('9b: E[S]'))],
  }
}

const banded = (points: readonly Point[]) =>
  points.map(({ x, y, error }) => ({
    x,
    y,
    low: Math.max(y - 2 * error, y / 10),
    high: y + 2 * error,
  }))

function figure9a(points: readonly Point[]): PaperFigure {
  const title =
    'Figure 9a: error of the mean content age by length of watching (M2, Pareto updates, lambda 1)'
  const caption =
    'Mean of |1 - mean content age / truth| over the paths, with two standard errors either side. Beside it lines of the powers T^(-1/3) and T^(-1/2) through the point at T = 1,000.'
  const anchor = points[1]!
  const line = (power: number) =>
    points.map(({ x }) => ({ x, y: anchor.y * (x / anchor.x) ** power }))
  return lineFigure({
    file: 'figure-9a.svg',
    title,
    caption,
    x: windowAxis(points.map(({ x }) => x)),
    y: { title: 'Mean relative error', scale: 'log' },
    series: [
      { name: 'simulated', points: banded(points).map(inThousands) },
      { name: 'T^(-1/3)', points: line(-1 / 3).map(inThousands) },
      { name: 'T^(-1/2)', points: line(-1 / 2).map(inThousands) },
    ],
  })
}

function figure9b(points: readonly Point[]): PaperFigure {
  const title =
    'Figure 9b: error of the mean content age by mean visit gap (M2, Pareto updates, T = 10,000)'
  const caption =
    'The same pages at every gap, with two standard errors either side. Visits more often than about one a time unit (two updates) bring nothing more.'
  return lineFigure({
    file: 'figure-9b.svg',
    title,
    caption,
    x: { title: 'Mean visit gap E[S] (time units)', scale: 'log' },
    y: { title: 'Mean relative error', fromZero: true },
    series: [{ name: 'simulated', points: banded([...points].reverse()) }],
  })
}
