import { OptionError } from '../../model/errors.js'
import { chiSquareQuantile } from '../../numeric/special-functions.js'
import { evenness } from '../rate/bias-reduced.js'
import type { PseudoGaps } from '../rate/irregular-mle.js'
import { checkLevel } from '../rate/likelihood.js'
import type { Dialect, Sql } from './dialect.js'
import { likelyRates } from './likely-rates.js'
import { pageSumColumns, pageSums } from './page-sums.js'
import { joinedSums, mergedSums, sumsOfVisits } from './period-sums.js'
import type { GivenVisits, Step } from './visit-outcomes.js'

/** Methods whose estimates an engine can compute by itself. */
export const bulkMethods = ['irregular-mle', 'bias-reduced', 'intuitive'] as const
export type BulkMethod = (typeof bulkMethods)[number]

/** The method, where an engine can compute it; refused with those that it can. */
export function bulkMethod(name: string): BulkMethod {
  const found = bulkMethods.find((each) => each === name)
  if (found !== undefined) return found
  throw new OptionError(
    'not-in-sql',
    `${name} cannot be computed by SQL in an engine; leave out --engine, or take --method ${bulkMethods.join(', ')}`,
  )
}

/** Sums of the visits of periods, each page's in any number of rows. */
export interface GivenSums {
  /** A SELECT of rows that `sumsSteps` or `mergeSteps` gave: see period-sums.ts. */
  readonly sums: Sql
}

export type BulkEstimate = (GivenVisits | GivenSums) & {
  readonly dialect: Dialect
  readonly method: BulkMethod
  readonly level?: number | undefined
  /** A prior, for irregular-mle. */
  readonly pseudoGaps?: PseudoGaps | undefined
}

/**
 * One statement that gives a row a page: url, method, change_rate,
 * change_period, low, high, level, visits, observations, changes,
 * sampling_period, unchanged_time, content_ages, verdict, tried (visits, failed
 * ones among them) and repeated (visits at the time of another). Null where
 * `revisit estimate` shows no number.
 */
export function estimateStatement(asked: BulkEstimate): Sql {
  return oneStatement(asked.dialect, estimateSteps(asked))
}

export function estimateSteps(asked: BulkEstimate): Step[] {
  const { dialect } = asked
  const sums: Step[] =
    'sums' in asked ? [['periods', asked.sums], ...joinedSums(dialect)] : pageSums(dialect, asked)
  return [...sums, ...estimatesOfSums(asked)]
}

/** Sums of the visits of one period, a row a page, that add up with those of others. */
export function sumsSteps(
  asked: GivenVisits & { readonly dialect: Dialect; readonly bins: boolean },
): Step[] {
  return sumsOfVisits(asked.dialect, asked)
}

/** Sums of several periods as those of one. */
export function mergeSteps(
  asked: GivenSums & { readonly dialect: Dialect; readonly bins: boolean },
): Step[] {
  return [['periods', asked.sums], ...mergedSums(asked.dialect, asked)]
}

/**
 * Steps as statements for an engine that keeps the result of each under its
 * name, `-- name` before it and `;` after it: Spark takes minutes to resolve
 * the whole at once.
 */
export function script(steps: readonly Step[]): Sql {
  return steps.map(([name, select]) => `-- ${name}\n${select};\n`).join('')
}

/** Steps as one statement, which gives what the last one gives. */
export function oneStatement(dialect: Dialect, steps: readonly Step[]): Sql {
  const all = steps.map(([name, select]) => dialect.step(name, select))
  return `WITH ${all.join(',\n')}\nSELECT * FROM ${steps.at(-1)![0]}`
}

/** From `page_sums` to `estimates`. */
function estimatesOfSums({ dialect, method, level: asked, pseudoGaps }: BulkEstimate): Step[] {
  if (pseudoGaps !== undefined && method !== 'irregular-mle')
    throw new OptionError('no-prior', `${method} takes no prior; use irregular-mle`)
  const level = checkLevel(asked)
  const cut = chiSquareQuantile(level, { freedom: 1 }) / 2
  const likely =
    method === 'intuitive' ? asIfAllSeen(dialect, cut) : likelyRates(dialect, { cut, pseudoGaps })
  const name = pseudoGaps === undefined ? method : `${method}-with-prior`
  return [
    ...likely,
    [
      'rated',
      `SELECT *, ${verdict(method, pseudoGaps)} AS verdict, ${ratedBy[method]} AS estimated FROM likely`,
    ],
    ['bounded', bounded(method)],
    ['estimates', shown(dialect, { name, level })],
  ]
}

function verdict(method: BulkMethod, pseudoGaps: PseudoGaps | undefined): Sql {
  const none = "WHEN observations = 0 THEN 'no-observation'"
  if (pseudoGaps !== undefined) return "CASE WHEN observations = 0 THEN 'prior-only' ELSE 'ok' END"
  const even = `longest <= ${evenness.toExponential()} * shortest`
  const ok = method === 'bias-reduced' ? `WHEN ${even} THEN 'ok' ELSE 'unequal-gaps'` : "ELSE 'ok'"
  return `CASE ${none} WHEN changes = 0 THEN 'no-change-seen' WHEN changes = parts THEN 'always-changed' ${ok} END`
}

const sampled = '(changed_time + unchanged_time)'

/** The rate by each method, as its estimator in ../rate/ has it. */
const ratedBy: Record<BulkMethod, Sql> = {
  'irregular-mle': `CASE WHEN many = 0 AND parts > 0 THEN 1e0 / ${sampled} ELSE rate END`,
  'bias-reduced': `CASE WHEN parts > 0 THEN CASE WHEN changes = 0 THEN 0e0 ELSE -ln((parts - changes + 5e-1) / (parts + 5e-1)) * parts / ${sampled} END END`,
  intuitive: `CASE WHEN parts > 0 THEN changes / ${sampled} END`,
}

/** The bounds of the likelihood; wider where they would not hold a rate that is not the likelihood's own. */
function bounded(method: BulkMethod): Sql {
  const none = "verdict IN ('no-observation', 'prior-only')"
  const low = method === 'bias-reduced' ? 'least(low, estimated)' : 'low'
  const high =
    method === 'bias-reduced'
      ? 'CASE WHEN high IS NOT NULL THEN greatest(high, estimated) END'
      : 'high'
  return `SELECT url, tried, repeated, first_at, content_ages, observations, changes, changed_time, unchanged_time, verdict, estimated, CASE WHEN NOT ${none} THEN ${low} END AS low, CASE WHEN NOT ${none} THEN ${high} END AS high FROM rated`
}

/** As shownEstimate of model/estimate.ts: no number that its own bounds contradict. */
function shown(d: Dialect, { name, level }: { name: string; level: number }): Sql {
  const rounding = 1e-9
  const within = `estimated >= low * ${d.number(1 - rounding)} AND (high IS NULL OR estimated <= high * ${d.number(1 + rounding)})`
  const has = `verdict NOT IN ('always-changed', 'prior-only') AND ${within}`
  return `SELECT url, '${name}' AS method, CASE WHEN ${has} THEN estimated END AS change_rate, CASE WHEN ${has} AND estimated > 0e0 THEN 1e0 / estimated END AS change_period, low, high, CASE WHEN low IS NOT NULL THEN ${d.number(level)} END AS level, CASE WHEN first_at IS NULL THEN 0 ELSE observations + 1 END AS visits, observations, changes, ${sampled} AS sampling_period, unchanged_time, content_ages, verdict, tried, repeated FROM bounded`
}

/** Rounds to each bound where every change counts as seen. */
const seenRounds = 9

/**
 * `likely` for the intuitive reading: changes ln(rate) - rate time. With
 * u = ln(rate / best), a bound solves changes (u - e^u + 1) = -cut, by Newton's
 * steps from outside.
 */
function asIfAllSeen(d: Dialect, cut: number): Step[] {
  const half = d.number(cut)
  const carried = pageSumColumns.join(', ')
  const steps: Step[] = [
    [
      'side_0',
      `SELECT *, CASE WHEN changes > 0 THEN -1e0 - ${half} / changes END AS below, CASE WHEN changes > 0 THEN sqrt(2e0 * ${half} / changes) END AS above FROM (SELECT ${carried} FROM page_sums) sums`,
    ],
  ]
  const stepped = (side: Sql) =>
    `${side} - (${side} - exp(${side}) + 1e0 + ${half} / changes) / (1e0 - exp(${side}))`
  const guarded = (side: Sql) => `CASE WHEN changes > 0 THEN ${stepped(side)} END AS ${side}`
  for (let round = 1; round <= seenRounds; round++)
    steps.push([
      `side_${round}`,
      `SELECT ${carried}, ${guarded('below')}, ${guarded('above')} FROM side_${round - 1}`,
    ])
  const unseen = 'changes = 0'
  return [
    ...steps,
    [
      'likely',
      `SELECT ${carried}, changes AS many, CASE WHEN parts > 0 THEN CASE WHEN ${unseen} THEN 0e0 ELSE changes / ${sampled} * exp(below) END END AS low, CASE WHEN parts > 0 THEN CASE WHEN ${unseen} THEN ${half} / ${sampled} ELSE changes / ${sampled} * exp(above) END END AS high FROM side_${seenRounds}`,
    ],
  ]
}
