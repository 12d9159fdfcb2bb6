import type { ShownEstimate, Verdict } from '../../model/estimate.js'

/** A row of `estimates` (see estimators/bulk/statement.ts) as the estimate of a page. */
export function rowEstimate(row: Readonly<Record<string, unknown>>): {
  readonly url: string
  readonly estimate: ShownEstimate
} {
  const number = (name: string) => (row[name] === null ? null : Number(row[name]))
  const low = number('low')
  return {
    url: String(row.url),
    estimate: {
      method: String(row.method),
      changeRate: number('change_rate'),
      changePeriod: number('change_period'),
      bounds: low === null ? null : { low, high: number('high'), level: Number(row.level) },
      evidence: {
        visits: Number(row.visits),
        observations: Number(row.observations),
        changes: Number(row.changes),
        samplingPeriod: Number(row.sampling_period),
        unchangedTime: Number(row.unchanged_time),
        contentAges: Number(row.content_ages),
      },
      verdict: row.verdict as Verdict,
    },
  }
}

/** The columns of a result's file, in their order. */
export const resultColumns = [
  'url',
  'method',
  'change_rate',
  'change_period',
  'low',
  'high',
  'level',
  'visits',
  'observations',
  'changes',
  'sampling_period',
  'unchanged_time',
  'content_ages',
  'verdict',
].join(', ')

/** The same rows as the records of `revisit estimate --json`, for DuckDB to write one a line. */
export const resultRecords = `url, method, change_rate AS "changeRate", change_period AS "changePeriod", CASE WHEN low IS NOT NULL THEN {low: low, high: high, level: level} END AS bounds, {visits: visits, observations: observations, changes: changes, "samplingPeriod": sampling_period, "unchangedTime": unchanged_time, "contentAges": content_ages} AS evidence, verdict`
