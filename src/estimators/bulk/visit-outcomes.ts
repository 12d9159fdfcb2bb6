import type { Outcome } from '../../model/history.js'
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
  /** In sums: its gap is counted already; its digest, where it has one, is what the next is compared with. */
  counted: 5,
} as const satisfies Record<Outcome | 'by-digest' | 'counted', number>

const { changed, unchanged, first, 'by-digest': byDigest, counted } = outcomeCodes

/** Which columns the table of visits has beside url, at and outcome. */
export interface VisitExtras {
  readonly digest: boolean
  readonly lastModified: boolean
  readonly unchangedFor: boolean
}

/** Visits of pages, in any order. */
export interface GivenVisits {
  /** A SELECT of url, visited_at, outcome and what `extras` names: see page-sums.ts. */
  readonly visits: Sql
  readonly extras: VisitExtras
  /** Whether all times are whole microseconds, within 10^12 seconds: a visit without extras is then one number. */
  readonly whole?: boolean | undefined
}

export const allExtras: VisitExtras = { digest: true, lastModified: true, unchangedFor: true }

/** A step of a statement: a name for what a SELECT gives. */
export type Step = readonly [name: string, select: Sql]

function visitFields(extras: VisitExtras): Record<string, Sql> {
  return {
    visited_at: 'visited_at',
    outcome: 'outcome',
    ...(extras.digest ? { digest: 'digest' } : {}),
    ...agesAndLists('', extras),
  }
}

/**
 * A visit as its page's list keeps it, and how it is read again. One number, the
 * microseconds four times over with the outcome's code on top, takes 33 bytes
 * and three quarters of the processor time of a struct's 57. Nothing is lost:
 * the microseconds are a double's own value, so that four times as many are too.
 */
export function keptVisit(
  d: Dialect,
  { extras, whole }: Omit<GivenVisits, 'visits'>,
): { readonly kept: Sql; readonly read?: (each: Sql) => Sql } {
  if (whole !== true || extras.digest || extras.lastModified || extras.unchangedFor)
    return { kept: d.struct(visitFields(extras)) }
  return {
    kept: 'CAST(round(visited_at * 1e6) AS BIGINT) * 4 + outcome',
    read: (each) =>
      d.struct({ visited_at: `(${each} - (${each} & 3)) / 4e6`, outcome: `${each} & 3` }),
  }
}

function agesAndLists(of: string, extras: VisitExtras): Record<string, Sql> {
  return {
    ...(extras.lastModified ? { last_modified: `${of}last_modified` } : {}),
    ...(extras.unchangedFor ? { unchanged_for: `${of}unchanged_for` } : {}),
  }
}

/** Whether a visit tells what later digests are compared with. */
function hasContent(each: Sql): Sql {
  return `(${each}.outcome <> ${unchanged} AND NOT (${each}.outcome = ${counted} AND ${each}.digest IS NULL))`
}

/**
 * From `seen` to `compared`: outcomes from digests. A new one is a change; with
 * nothing to compare with the visit is a first. `along` are columns that go on
 * as they are; `more` is made of what only this step knows.
 */
export function comparedByDigest(
  d: Dialect,
  about: { readonly extras: VisitExtras; readonly along: readonly Sql[]; readonly more: Sql[] },
): Step[] {
  const { extras, along, more } = about
  const resolved = (each: Sql, outcome: Sql) =>
    d.struct({ visited_at: `${each}.visited_at`, outcome, ...agesAndLists(`${each}.`, extras) })
  const nothingBefore = (before: Sql) =>
    `${before}.outcome IS NULL OR ${before}.outcome NOT IN (${byDigest}, ${counted}) OR ${before}.digest = ''`
  return [
    [
      'with_digests',
      `SELECT ${[...along, 'seen'].join(', ')}, ${d.filter('seen', (each) => `NOT ${hasContent(each)}`)} AS without, ${d.filter('seen', hasContent)} AS with_content FROM seen`,
    ],
    [
      'compared',
      `SELECT ${[...along, ...more].join(', ')}, ${d.sorted(
        d.concat(
          d.map('without', (each) => resolved(each, `${each}.outcome`)),
          d.mapPairs('with_content', (each, before) =>
            resolved(
              each,
              `CASE WHEN ${each}.outcome <> ${byDigest} THEN ${each}.outcome WHEN ${nothingBefore(before)} THEN ${first} WHEN ${before}.digest = ${each}.digest THEN ${unchanged} ELSE ${changed} END`,
            ),
          ),
        ),
      )} AS seen FROM with_digests`,
    ],
  ]
}
