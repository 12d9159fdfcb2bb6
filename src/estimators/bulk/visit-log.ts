import { outcomes } from '../../model/history.js'
import type { Dialect, Sql } from './dialect.js'
import { outcomeCodes } from './visit-outcomes.js'

const words = [
  ["'true', '1', 'yes'", outcomeCodes.changed],
  ["'false', '0', 'no'", outcomeCodes.unchanged],
  ...outcomes.map((outcome) => [`'${outcome}'`, outcomeCodes[outcome]] as const),
] as const

/**
 * The visits of a table or view with url, at (a timestamp, or Unix seconds as a
 * number) and changed (true or false, or an outcome by name), for
 * `estimateStatement` in an engine that this project does not run itself. Rows
 * that tell of no visit are left out.
 */
export function visitLogSelect(dialect: Dialect, table: string): Sql {
  const said = 'lower(trim(CAST(changed AS STRING)))'
  const cases = words.map(([given, code]) => `WHEN ${said} IN (${given}) THEN ${code}`)
  return `SELECT url, visited_at, outcome FROM (SELECT url, CAST(${dialect.quoted('at')} AS DOUBLE) AS visited_at, CASE ${cases.join(' ')} END AS outcome FROM ${table}) log WHERE url <> '' AND visited_at IS NOT NULL AND outcome IS NOT NULL`
}
