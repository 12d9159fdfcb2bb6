import type { ErrorMeasure } from 'revisit/estimators'
import type { PaperTable } from 'revisit/report'
import { percent } from '../words.js'
import type { Bias } from './constants.js'
import { type ContenderName, contenderNames, contenders } from './contenders.js'
import { type PrintedSet, printed } from './printed.js'
import type { ReadingResult } from './readings.js'
import type { Study } from './study.js'
import { squareDays } from './words.js'

/** A study, and which of the paper's sets it stands for. */
export interface ShownStudy {
  readonly study: Study
  readonly like: PrintedSet
  /** Shown beside another that stands for the same set: its printed rows are there already. */
  readonly beside?: boolean
}

const measures: readonly [ErrorMeasure, string][] = [
  ['one-step-ahead', 'one step ahead'],
  ['literal', 'literal'],
]

type Row = ReadonlyArray<string | number>

/** The printed rows of each set, then ours. */
function rowsOf(
  shown: readonly ShownStudy[],
  { reported, found }: { reported: (like: PrintedSet) => Row[]; found: (study: Study) => Row[] },
): Row[] {
  return shown.flatMap(({ study, like, beside }) => [
    ...(beside ? [] : reported(like)).map((row) => [`the paper's ${like} set`, ...row]),
    ...found(study).map((row) => [study.set.name, ...row]),
  ])
}

export function table1(shown: readonly ShownStudy[]): PaperTable {
  const rows = rowsOf(shown, {
    reported: (like) =>
      contenderNames.map((name) => [name, 'published', ...printed.table1[like][name]]),
    found: ({ compared }) =>
      contenderNames.flatMap((name, i) =>
        measures.map(([measure, says]) => {
          const { mse, mseByState } = compared[measure].scores[i]!
          const { constant, increasing, decreasing } = mseByState
          return [name, says, ...[mse, constant, increasing, decreasing].map(squareDays)]
        }),
      ),
  })
  return {
    title: 'Table 1: mean squared error by kind of window',
    caption:
      'Mean over windows, in square days; threshold 3 days. One step ahead holds the update foreseen from the one before it against the update; literal is section 3.5 as printed.',
    columns: ['set', 'estimator', 'error', 'total', 'constant', 'increasing', 'decreasing'],
    rows,
  }
}

export function table2(shown: readonly ShownStudy[]): PaperTable {
  const rows = rowsOf(shown, {
    reported: (like) =>
      contenderNames.map((name) => {
        const row = printed.table2[like][name]
        const against = contenderNames.map((other) => orNothing(row[other]))
        return [name, 'published', percent(row.best), ...against]
      }),
    found: ({ compared }) =>
      contenderNames.flatMap((name, i) =>
        measures.map(([measure, says]) => {
          const { bestShare, beats } = compared[measure].scores[i]!
          const against = contenders.map((other) => orNothing(beats[other.name]))
          return [name, says, percent(bestShare), ...against]
        }),
      ),
  })
  return {
    title: 'Table 2: share of windows in which an estimator is best, and beats each other one',
    caption: "Threshold 3 days. A tie is nobody's win.",
    columns: [
      'set',
      'estimator',
      'error',
      'best of all',
      ...contenderNames.map((name) => `beats ${name}`),
    ],
    rows,
  }
}

export function table3(shown: readonly ShownStudy[]): PaperTable {
  const rows = rowsOf(shown, {
    reported: (like) => contenderNames.map((name) => printedReplay(like, name)),
    found: ({ replays }) =>
      replays.map((replay) => [
        replay.visitor.name,
        percent(replay.observedShare),
        percent(1 - replay.observedShare),
        replay.premature.toLocaleString('en'),
        replay.prematurePerUpdate.toFixed(3),
        percent(replay.prematureShare),
      ]),
  })
  return {
    title: 'Table 3: visits at the foreseen updates',
    caption:
      'The last two columns are computed from the printed ones. "Next day": after a premature visit one looks again on the next day, instead of when the curve says so then. "Bare intercept" is section 3.4 read literally: the intercept of the line through logarithms is taken as alpha itself.',
    columns: [
      'set',
      'estimator',
      'observed',
      'unobserved',
      'premature visits',
      'premature per update',
      'premature of all visits',
    ],
    rows,
  }
}

function printedReplay(like: PrintedSet, name: ContenderName): string[] {
  const { updates, [name]: row } = printed.table3[like]
  const visits = row.observed * updates + row.premature
  return [
    `${name}, published`,
    percent(row.observed),
    percent(row.unobserved),
    row.premature.toLocaleString('en'),
    (row.premature / updates).toFixed(3),
    percent(row.premature / visits),
  ]
}

export function readingsTable(readings: readonly ReadingResult[]): PaperTable {
  return {
    title: 'What the paper leaves open: share of windows in which each estimator is best',
    caption: 'Synthetic set. In each cell: intuitive, Weibull, Duane.',
    columns: ['reading', 'windows', 'mean points', 'one step ahead', 'literal'],
    rows: readings.map(({ name, windows, size, ahead, literal }) => [
      name,
      windows,
      size.toFixed(1),
      ahead.map((share) => percent(share)).join(', '),
      literal.map((share) => percent(share)).join(', '),
    ]),
  }
}

export function constantsTable(biases: readonly Bias[]): PaperTable {
  return {
    title:
      'The constants of section 3.2: mean of estimate over truth at the last update of a window',
    caption:
      'Simulated Weibull processes. The paper claims 1 for both printed forms, and (n-2)/(n-3) for the corrected shape: 1.500, 1.143 and 1.059 at 5, 10 and 20 points.',
    columns: ['points', 'form', 'shape', 'exact', 'change rate', 'exact'],
    rows: biases.map(({ points, form, shape, exactShape, changeRate, exactChangeRate }) => [
      points,
      form,
      shape.toFixed(3),
      exactShape.toFixed(3),
      changeRate.toFixed(3),
      exactChangeRate.toFixed(3),
    ]),
  }
}

function orNothing(share: number | undefined): string {
  return share === undefined ? '' : percent(share)
}
