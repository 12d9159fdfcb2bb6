import { clockSlack } from '../../model/history.js'
import type { Dialect, Sql } from './dialect.js'
import { outcomeCodes, type VisitExtras } from './visit-outcomes.js'

const { changed, unchanged } = outcomeCodes

/**
 * What a page's visits in order of time, the column `seen`, tell: as history.ts
 * makes observations of visits. Failed visits are not among them, a later first
 * starts a gap without closing one, a gap with an unchanged beginning is two.
 */

/** The gaps that visits closed: above 0 where a change was seen, without the part that a list says was without; below 0 where none was. */
export function observationGaps(d: Dialect, extras: VisitExtras): Sql {
  const gaps = d.mapPairs('seen', (each, before) => {
    const gap = `(${each}.visited_at - ${before}.visited_at)`
    const rest = extras.unchangedFor
      ? `(${gap} - coalesce(${unchangedFor(extras, each, before)}, 0e0))`
      : gap
    return `CASE ${each}.outcome WHEN ${changed} THEN ${rest} WHEN ${unchanged} THEN -${gap} END`
  })
  return d.filter(gaps, (each) => `${each} IS NOT NULL`)
}

/** The unchanged beginnings of gaps, by lists; below 0. */
export function listedGaps(d: Dialect, extras: VisitExtras): Sql {
  if (!extras.unchangedFor) return d.emptyList('DOUBLE')
  const parts = d.mapPairs('seen', (each, before) => `-${unchangedFor(extras, each, before)}`)
  return d.filter(parts, (each) => `${each} IS NOT NULL`)
}

/** How many visits brought a believable content age; the first visit counts where nothing can have come before it. */
export function contentAges(
  d: Dialect,
  { extras, first }: { readonly extras: VisitExtras; readonly first: boolean },
): Sql {
  if (!extras.lastModified) return 'CAST(0 AS BIGINT)'
  const believed = d.mapPairs('seen', (each, before) => {
    const believable = believableAge(each, before)
    return first ? believable : `CASE WHEN ${before}.visited_at IS NOT NULL THEN ${believable} END`
  })
  return d.size(d.filter(believed, (each) => `${each} IS NOT NULL`))
}

/** As withUnchangedFor and hasUnchangedFor of history.ts; null where it cannot be. */
function unchangedFor(extras: VisitExtras, each: Sql, before: Sql): Sql {
  const gap = `(${each}.visited_at - ${before}.visited_at)`
  const rest = `(${gap} - ${each}.unchanged_for)`
  const until = `(${each}.visited_at - ${rest})`
  const conditions = [
    `${each}.outcome = ${changed}`,
    `${each}.unchanged_for > 0e0`,
    `${each}.unchanged_for < ${gap}`,
    `${until} > ${each}.visited_at - ${gap}`,
    `${until} < ${each}.visited_at`,
  ]
  const given = `CASE WHEN ${conditions.join(' AND ')} THEN ${each}.unchanged_for END`
  if (!extras.lastModified) return given
  const contentAge = believableAge(each, before)
  return `CASE WHEN coalesce(${contentAge}, 0e0) <= ${rest} + ${clockSlack} THEN ${given} END`
}

/** As believableAge of history.ts; null where it is not. */
function believableAge(each: Sql, before: Sql): Sql {
  const contentAge = `(${each}.visited_at - ${each}.last_modified)`
  const gap = `(${each}.visited_at - ${before}.visited_at)`
  const believed = [
    `${contentAge} >= -${clockSlack}`,
    `(${before}.visited_at IS NULL OR (${each}.outcome = ${changed} AND ${contentAge} <= ${gap} + ${clockSlack}) OR (${each}.outcome = ${unchanged} AND ${contentAge} >= ${gap} - ${clockSlack}))`,
  ]
  return `CASE WHEN ${believed.join(' AND ')} THEN greatest(0e0, ${contentAge}) END`
}
