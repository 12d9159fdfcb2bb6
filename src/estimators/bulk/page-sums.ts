import { clockSlack, type Outcome } from '../../model/history.js'
import type { Dialect, Sql } from './dialect.js'

/**
 * Outcomes as numbers. Of visits at one time the first in this order is kept:
 * which came first cannot be known, and a change that was seen was seen.
 */
export const outcomeCodes = {
  changed: 0,
  unchanged: 1,
  first: 2,
  /** Changed if the digest differs from that of the successful visit before. */
  'by-digest': 3,
  failed: 4,
  gone: 4,
  refused: 4,
} as const satisfies Record<Outcome | 'by-digest', number>

const { changed, unchanged, first, 'by-digest': byDigest, failed } = outcomeCodes

/** Which columns the table of visits has beside url, at and outcome. */
export interface VisitExtras {
  readonly digest: boolean
  readonly lastModified: boolean
  readonly unchangedFor: boolean
}

/** A step of a statement: a name for what a SELECT gives. */
export type Step = readonly [name: string, select: Sql]

/**
 * From `visits` (url, visited_at in Unix seconds, outcome as above; digest,
 * last_modified and unchanged_for where there are such) to `page_sums`, a row a
 * page: all that an estimate needs of it. Each page's visits are gathered in a
 * list and sorted there, which costs a third of a window by page.
 *
 * As history.ts makes observations of visits: failed ones make none, a later
 * first starts a gap without closing one, an unchanged visit without a digest
 * keeps the digest to compare with, a gap with an unchanged beginning is two.
 */
export function pageSums(dialect: Dialect, extras: VisitExtras): Step[] {
  const d = dialect
  const kept = extras.digest ? 'compared' : 'seen'
  return [
    [
      'visits_by_page',
      `SELECT url, count(*) AS tried, ${d.sorted(d.collect(d.struct(visitFields(extras)), `outcome < ${failed}`, 'VISIT'))} AS found FROM visits GROUP BY url`,
    ],
    [
      'seen',
      `SELECT url, tried, ${d.size('found')} AS found, ${d.filterPairs('found', (each, before) => `${before}.visited_at IS NULL OR ${before}.visited_at <> ${each}.visited_at`)} AS seen FROM visits_by_page`,
    ],
    ...(extras.digest ? comparedByDigest(d, extras) : []),
    [
      'gaps',
      `SELECT ${[
        'url',
        'tried',
        `found - ${d.size('seen')} AS repeated`,
        ...ends(d, extras),
        `${contentAges(d, extras)} AS content_ages`,
        `${observationGaps(d, extras)} AS observed`,
        `${listedGaps(d, extras)} AS listed`,
      ].join(', ')} FROM ${kept}`,
    ],
    [
      'signed_gaps',
      `SELECT url, tried, repeated, ${endNames.join(', ')}, content_ages, ${d.size('observed')} AS observations, ${extras.unchangedFor ? d.concat('observed', 'listed') : 'observed'} AS parts FROM gaps`,
    ],
    [
      'parted_gaps',
      `SELECT url, tried, repeated, ${endNames.join(', ')}, content_ages, observations, ${d.size('parts')} AS parts, ${d.filter('parts', (each) => `${each} > 0e0`)} AS gaps, ${d.map(
        d.filter('parts', (each) => `${each} < 0e0`),
        (each) => `-${each}`,
      )} AS unchanged_gaps FROM signed_gaps`,
    ],
    [
      'page_sums',
      `SELECT url, tried, repeated, ${endNames.join(', ')}, content_ages, observations, parts, ${d.size('gaps')} AS changes, ${d.sum('gaps')} AS changed_time, ${d.sum('unchanged_gaps')} AS unchanged_time, ${least(d)} AS shortest, ${greatest(d)} AS longest, gaps FROM parted_gaps`,
    ],
  ]
}

function least(d: Dialect): Sql {
  return `least(${d.least('gaps')}, ${d.least('unchanged_gaps')})`
}

function greatest(d: Dialect): Sql {
  return `greatest(${d.greatest('gaps')}, ${d.greatest('unchanged_gaps')})`
}

function visitFields(extras: VisitExtras): Record<string, Sql> {
  return {
    visited_at: 'visited_at',
    outcome: 'outcome',
    ...(extras.digest ? { digest: 'digest' } : {}),
    ...agesAndLists('', extras),
  }
}

function agesAndLists(of: string, extras: VisitExtras): Record<string, Sql> {
  return {
    ...(extras.lastModified ? { last_modified: `${of}last_modified` } : {}),
    ...(extras.unchangedFor ? { unchanged_for: `${of}unchanged_for` } : {}),
  }
}

/** Where a page's visits of a log begin and end: what joins them to those of other logs. */
const endNames = ['first_at', 'first_outcome', 'first_digest', 'last_at', 'last_digest'] as const

function ends(d: Dialect, extras: VisitExtras): Sql[] {
  return [
    `${d.first('seen')}.visited_at AS first_at`,
    extras.digest ? 'first_outcome' : `${d.first('seen')}.outcome AS first_outcome`,
    extras.digest ? 'first_digest' : 'CAST(NULL AS STRING) AS first_digest',
    `${d.last('seen')}.visited_at AS last_at`,
    extras.digest ? 'last_digest' : 'CAST(NULL AS STRING) AS last_digest',
  ]
}

/** Outcomes from digests: a new one is a change; with nothing to compare with the visit is a first. */
function comparedByDigest(d: Dialect, extras: VisitExtras): Step[] {
  const resolved = (each: Sql, outcome: Sql) =>
    d.struct({ visited_at: `${each}.visited_at`, outcome, ...agesAndLists(`${each}.`, extras) })
  return [
    [
      'with_digests',
      `SELECT url, tried, found, ${d.first('seen')}.outcome AS first_outcome, ${d.first('seen')}.digest AS first_digest, ${d.filter('seen', (each) => `${each}.outcome = ${unchanged}`)} AS without, ${d.filter('seen', (each) => `${each}.outcome <> ${unchanged}`)} AS with_content FROM seen`,
    ],
    [
      'compared',
      `SELECT url, tried, found, first_outcome, first_digest, CASE WHEN ${d.last('with_content')}.outcome = ${byDigest} THEN ${d.last('with_content')}.digest WHEN ${d.size('with_content')} > 0 THEN '' END AS last_digest, ${d.sorted(
        d.concat(
          d.map('without', (each) => resolved(each, `${each}.outcome`)),
          d.mapPairs('with_content', (each, before) =>
            resolved(
              each,
              `CASE WHEN ${each}.outcome <> ${byDigest} THEN ${each}.outcome WHEN ${before}.outcome IS NULL OR ${before}.outcome <> ${byDigest} THEN ${first} WHEN ${before}.digest = ${each}.digest THEN ${unchanged} ELSE ${changed} END`,
            ),
          ),
        ),
      )} AS seen FROM with_digests`,
    ],
  ]
}

/** The gaps that visits closed: above 0 where a change was seen, without the part that a list says was without; below 0 where none was. */
function observationGaps(d: Dialect, extras: VisitExtras): Sql {
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
function listedGaps(d: Dialect, extras: VisitExtras): Sql {
  if (!extras.unchangedFor) return d.emptyList('DOUBLE')
  const parts = d.mapPairs('seen', (each, before) => `-${unchangedFor(extras, each, before)}`)
  return d.filter(parts, (each) => `${each} IS NOT NULL`)
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

function contentAges(d: Dialect, extras: VisitExtras): Sql {
  if (!extras.lastModified) return '0'
  const believed = d.mapPairs('seen', (each, before) => believableAge(each, before))
  return d.size(d.filter(believed, (each) => `${each} IS NOT NULL`))
}
