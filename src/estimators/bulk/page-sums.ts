import type { Dialect, Sql } from './dialect.js'
import { contentAges, listedGaps, observationGaps } from './observation-gaps.js'
import {
  comparedByDigest,
  type GivenVisits,
  keptVisit,
  outcomeCodes,
  type Step,
  type VisitExtras,
} from './visit-outcomes.js'

/** What `page_sums` has of each page, beside the list of its changed `gaps`. */
export const pageSumColumns = [
  'url',
  'tried',
  'repeated',
  'first_at',
  'content_ages',
  'observations',
  'parts',
  'changes',
  'changed_time',
  'unchanged_time',
  'shortest',
  'longest',
]

/**
 * From visits (url, visited_at in Unix seconds, outcome as in
 * visit-outcomes.ts; digest, last_modified and unchanged_for where there are
 * such) to `page_sums`, a row a page: all that an estimate needs of it.
 */
export function pageSums(d: Dialect, given: GivenVisits): Step[] {
  const { extras } = given
  return [...seenVisits(d, given), ...countedGaps(d, { extras, along: [], more: [], first: true })]
}

/**
 * From visits to `seen`: each page's successful visits, gathered in a list and
 * sorted there, which costs a third of a window by page; one of each time.
 */
export function seenVisits(d: Dialect, given: GivenVisits): Step[] {
  const { kept, read } = keptVisit(d, given)
  const sorted = d.sorted(d.collect(kept, `outcome < ${outcomeCodes.failed}`))
  return [
    ['visits', given.visits],
    ['visits_by_page', `SELECT url, count(*) AS tried, ${sorted} AS kept FROM visits GROUP BY url`],
    [
      'visits_in_order',
      `SELECT url, tried, ${read === undefined ? 'kept' : d.map('kept', read)} AS found FROM visits_by_page`,
    ],
    [
      'visits_once',
      `SELECT url, tried, ${d.size('found')} AS found, ${d.filterPairs('found', (each, before) => `${before}.visited_at IS NULL OR ${before}.visited_at <> ${each}.visited_at`)} AS seen FROM visits_in_order`,
    ],
    ['seen', `SELECT url, tried, found - ${d.size('seen')} AS repeated, seen FROM visits_once`],
  ]
}

/**
 * From `seen` to `page_sums`: what the gaps between the visits of each page come
 * to. `along` are columns of `seen` that go on as they are, `more` is made of
 * the visits; `first` tells whether nothing came before the first of them.
 */
export function countedGaps(
  d: Dialect,
  about: {
    readonly extras: VisitExtras
    readonly along: readonly Sql[]
    readonly more: ReadonlyArray<{ readonly name: string; readonly sql: Sql }>
    readonly first: boolean
    /** The name of what comes of it. */
    readonly to?: string
  },
): Step[] {
  const { extras, first, to = 'page_sums' } = about
  const before = ['url', 'tried', 'repeated', ...about.along]
  const more = about.more.map(({ name, sql }) => `${sql} AS ${name}`)
  const all = [...before, ...about.more.map(({ name }) => name), 'first_at']
  const along = all.join(', ')
  return [
    ...(extras.digest ? comparedByDigest(d, { extras, along: before, more }) : []),
    [
      'gaps',
      `SELECT ${[
        ...before,
        ...(extras.digest ? about.more.map(({ name }) => name) : more),
        `${d.first('seen')}.visited_at AS first_at`,
        `${contentAges(d, { extras, first })} AS content_ages`,
        `${observationGaps(d, extras)} AS observed`,
        `${listedGaps(d, extras)} AS listed`,
      ].join(', ')} FROM ${extras.digest ? 'compared' : 'seen'}`,
    ],
    [
      'signed_gaps',
      `SELECT ${along}, content_ages, ${d.size('observed')} AS observations, ${extras.unchangedFor ? d.concat('observed', 'listed') : 'observed'} AS parts FROM gaps`,
    ],
    [
      'parted_gaps',
      `SELECT ${along}, content_ages, observations, ${d.size('parts')} AS parts, ${d.filter('parts', (each) => `${each} > 0e0`)} AS gaps, ${d.map(
        d.filter('parts', (each) => `${each} < 0e0`),
        (each) => `-${each}`,
      )} AS unchanged_gaps FROM signed_gaps`,
    ],
    [
      to,
      `SELECT ${along}, content_ages, observations, parts, ${d.size('gaps')} AS changes, ${d.sum('gaps')} AS changed_time, ${d.sum('unchanged_gaps')} AS unchanged_time, least(${d.least('gaps')}, ${d.least('unchanged_gaps')}) AS shortest, greatest(${d.greatest('gaps')}, ${d.greatest('unchanged_gaps')}) AS longest, gaps FROM parted_gaps`,
    ],
  ]
}
