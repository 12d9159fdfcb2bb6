import {
  compareEstimators,
  consistentWindows,
  duaneTrend,
  intuitiveTrend,
  paperThreshold,
  type TrendEstimator,
  type WindowOptions,
  weibullTrend,
} from 'revisit/estimators'
import { contenders } from './contenders.js'
import type { PageSet } from './page-set.js'
import { fewestPoints } from './study.js'

/** How often each estimator is best under one reading of what the paper leaves open. */
export interface ReadingResult {
  readonly name: string
  readonly windows: number
  /** The paper's estimators: only the cut into windows is read otherwise. */
  readonly asPrinted: boolean
  /** Duane with the change rate at the moment in place of the mean one. */
  readonly duaneAtMoment: boolean
  /** Mean points in a window. */
  readonly size: number
  /** In the order of the contenders. */
  readonly ahead: readonly number[]
  readonly literal: readonly number[]
}

interface Reading {
  readonly name: string
  readonly windows: WindowOptions
  readonly estimators?: readonly TrendEstimator[]
  readonly duaneAtMoment?: boolean
}

const days = { threshold: paperThreshold } as const
const withWeibull = (form: 'printed-check' | 'unbiased') => [
  intuitiveTrend,
  weibullTrend({ form }),
  duaneTrend({ rateOver: 'since-origin' }),
]

/** The paper's threshold of 3 in each unit and sum it may mean; the forms of the estimators. */
const readings: readonly Reading[] = [
  { name: '3 days a point (used here)', windows: days },
  { name: '3 days summed over the window', windows: { ...days, discrepancy: 'summed' } },
  {
    name: '3 days, against the mean of the window',
    windows: { ...days, comparedWith: 'window-mean' },
  },
  { name: '3 days, windows grown backward', windows: { ...days, direction: 'backward' } },
  { name: '1 mean gap a point', windows: { threshold: { meanGaps: 1 } } },
  { name: '3 mean gaps a point', windows: { threshold: { meanGaps: 3 } } },
  {
    name: '3 days a point, Weibull as printed (section 3.2)',
    windows: days,
    estimators: withWeibull('printed-check'),
  },
  {
    name: '3 days a point, Weibull unbiased',
    windows: days,
    estimators: withWeibull('unbiased'),
  },
  {
    name: "3 days a point, Duane's rate at the moment",
    windows: days,
    estimators: [intuitiveTrend, weibullTrend(), duaneTrend()],
    duaneAtMoment: true,
  },
]

export function readingsOf(set: PageSet, progress: (share: number) => void): ReadingResult[] {
  return readings.map((reading, i) => {
    progress(i / readings.length)
    return resultOf(set, reading)
  })
}

function resultOf(set: PageSet, reading: Reading): ReadingResult {
  const { estimators = contenders } = reading
  const name = `${set.name}: ${reading.name}`
  const windows = [...set.series()]
    .flatMap((series) => consistentWindows(series, reading.windows))
    .filter(({ points }) => points.length >= fewestPoints)
  const shares = (measure: 'one-step-ahead' | 'literal') =>
    compareEstimators(windows, { estimators, measure }).scores.map(({ bestShare }) => bestShare)
  const points = windows.reduce((total, window) => total + window.points.length, 0)
  return {
    name,
    asPrinted: reading.estimators === undefined,
    duaneAtMoment: reading.duaneAtMoment === true,
    windows: windows.length,
    size: points / Math.max(1, windows.length),
    ahead: shares('one-step-ahead'),
    literal: shares('literal'),
  }
}
