import type { Dialect, Sql } from './dialect.js'
import { asBins, gapsOfBins, gatheredBins } from './gap-bins.js'
import { countedGaps, seenVisits } from './page-sums.js'
import {
  allExtras,
  type GivenVisits,
  outcomeCodes,
  type Step,
  type VisitExtras,
} from './visit-outcomes.js'

/**
 * Sums that add up: what the visits of a page in a period come to, so that
 * periods are put together without their visits. Beside the sums a row keeps its
 * `ends`: the visits whose meaning hangs on what came before (the first, and the
 * first that is compared by its digest), the one before the latter, and the
 * last, at which the next period's gap begins. All others are counted.
 */
const columns = [
  'url',
  'tried',
  'repeated',
  'observations',
  'parts',
  'content_ages',
  'changes',
  'changed_time',
  'unchanged_time',
  'shortest',
  'longest',
  'gaps',
  'bins',
  'ends',
] as const

/** Counts of what the visits tell, which two periods add as they do times. */
const observed = ['observations', 'parts', 'content_ages', 'changes']
const added = [...observed, 'changed_time', 'unchanged_time']
/** Columns that engines count in types of their own. */
const counts = ['tried', 'repeated', ...observed]

const { unchanged, 'by-digest': byDigest, counted } = outcomeCodes

/** From visits to `period_sums`, with changed gaps as they are or in bins. */
export function sumsOfVisits(
  d: Dialect,
  { bins, ...given }: GivenVisits & { readonly bins: boolean },
): Step[] {
  const { extras } = given
  const more = [{ name: 'ends', sql: endsOf(d, extras) }]
  return [
    ...seenVisits(d, given),
    ...countedGaps(d, { extras, along: [], more, first: false }),
    ['page_periods', `SELECT *, ${d.emptyList('BIN')} AS bins FROM page_sums`],
    ...kept(d, bins),
  ]
}

/** From `periods`, rows of `period_sums` of one period after the other, to those of all of them. */
export function mergedSums(d: Dialect, { bins }: { readonly bins: boolean }): Step[] {
  const more = [{ name: 'ends', sql: endsOf(d, allExtras) }]
  return [
    ...joined(d, { first: false, more }),
    [
      'page_periods',
      `SELECT url, tried, repeated, ends, ${together}, ${d.concat('sums.gaps', 'gaps')} AS gaps, sums.bins AS bins FROM page_joints`,
    ],
    ...kept(d, bins),
  ]
}

/** From `periods` to the `page_sums` of an estimate: nothing came before the first period. */
export function joinedSums(d: Dialect): Step[] {
  const gaps = d.concat(d.concat('sums.gaps', gapsOfBins(d, 'sums.bins')), 'gaps')
  return [
    ...joined(d, { first: true, more: [] }),
    [
      'page_sums',
      `SELECT url, tried, repeated, first_at, ${together}, ${gaps} AS gaps FROM page_joints`,
    ],
  ]
}

/** Sums of a page's periods, and of the gaps between them, which the ends tell. */
const together = [
  ...added.map((name) => `${name} + sums.${name} AS ${name}`),
  'least(shortest, sums.shortest) AS shortest',
  'greatest(longest, sums.longest) AS longest',
].join(', ')

/** From `periods` to `page_joints`: what the ends of a page's periods tell, beside the `sums` of all. */
function joined(
  d: Dialect,
  { first, more }: Pick<Parameters<typeof countedGaps>[1], 'first' | 'more'>,
): Step[] {
  const count = (name: string) => `CAST(sum(${name}) AS BIGINT) AS ${name}`
  const lists = ['gaps', 'bins', 'ends'].map((name) => `${d.collect(name, 'true')} AS ${name}`)
  const sums = d.struct({
    ...Object.fromEntries([...added, 'shortest', 'longest'].map((name) => [name, name])),
    gaps: d.flatten('gaps'),
    bins: d.flatten('bins'),
  })
  return [
    [
      'periods_by_page',
      `SELECT url, ${counts.map(count).join(', ')}, sum(changed_time) AS changed_time, sum(unchanged_time) AS unchanged_time, min(shortest) AS shortest, max(longest) AS longest, ${lists.join(', ')} FROM periods GROUP BY url`,
    ],
    [
      'seen',
      `SELECT url, tried, repeated, ${sums} AS sums, ${d.sorted(d.flatten('ends'))} AS seen FROM periods_by_page`,
    ],
    ...countedGaps(d, { extras: allExtras, along: ['sums'], more, first, to: 'page_joints' }),
  ]
}

/** From `page_periods` to `period_sums`. */
function kept(d: Dialect, bins: boolean): Step[] {
  const selected = columns.map((name) =>
    counts.includes(name) ? `CAST(${name} AS BIGINT) AS ${name}` : name,
  )
  if (!bins) return [['period_sums', `SELECT ${selected.join(', ')} FROM page_periods`]]
  const others = columns.filter((name) => name !== 'gaps' && name !== 'bins').join(', ')
  return [
    [
      'loose_bins',
      `SELECT ${others}, ${d.concat('bins', asBins(d, 'gaps'))} AS bins FROM page_periods`,
    ],
    ...gatheredBins(d, { from: 'loose_bins', to: 'page_bins', along: others }),
    [
      'period_sums',
      `SELECT ${selected.map((each) => (each === 'gaps' ? `${d.emptyList('DOUBLE')} AS gaps` : each)).join(', ')} FROM page_bins`,
    ],
  ]
}

/** The ends of a page's visits, in order of time; where digests are compared, of `with_digests`. */
function endsOf(d: Dialect, extras: VisitExtras): Sql {
  const [first, last] = [`${d.first('seen')}.visited_at`, `${d.last('seen')}.visited_at`]
  const content = extras.digest
    ? 'with_content'
    : d.filter('seen', (each) => `${each}.outcome <> ${unchanged}`)
  const none = 'CAST(NULL AS STRING)'
  const later = `CASE WHEN ${d.size(content)} > 0 THEN '' END`
  if (!extras.digest)
    return there(d, [
      asItWas(d.first('seen'), { at: first, extras }),
      countedAt(`CASE WHEN ${last} > ${first} THEN ${last} END`, later),
    ])
  const compared = d.first(content)
  const isOpen = `coalesce(${compared}.outcome = ${byDigest} AND ${compared}.visited_at > ${first}, false)`
  const before = d.greatest(
    d.map(
      d.filter('seen', (each) => `${each}.visited_at < ${compared}.visited_at`),
      (each) => `${each}.visited_at`,
    ),
  )
  const known = d.last(content)
  const digest = `CASE WHEN ${known}.outcome IN (${byDigest}, ${counted}) THEN ${known}.digest ELSE ${later} END`
  return there(d, [
    asItWas(d.first('seen'), { at: first, extras }),
    countedAt(`CASE WHEN ${isOpen} AND ${before} > ${first} THEN ${before} END`, none),
    asItWas(compared, { at: `CASE WHEN ${isOpen} THEN ${compared}.visited_at END`, extras }),
    countedAt(
      `CASE WHEN ${last} > ${first} AND (NOT ${isOpen} OR ${last} > ${compared}.visited_at) THEN ${last} END`,
      digest,
    ),
  ])
}

/** Those of some visits that are there. */
function there(d: Dialect, visits: ReadonlyArray<Record<string, Sql>>): Sql {
  const list = d.listOf(...visits.map((visit) => d.struct(visit)))
  return d.filter(list, (each) => `${each}.visited_at IS NOT NULL`)
}

function asItWas(
  visit: Sql,
  { at, extras }: { readonly at: Sql; readonly extras: VisitExtras },
): Record<string, Sql> {
  const number = (has: boolean, name: string) =>
    `CAST(${has ? `${visit}.${name}` : 'NULL'} AS DOUBLE)`
  return {
    visited_at: at,
    outcome: `CAST(${visit}.outcome AS INT)`,
    digest: `CAST(${extras.digest ? `${visit}.digest` : 'NULL'} AS STRING)`,
    last_modified: number(extras.lastModified, 'last_modified'),
    unchanged_for: number(extras.unchangedFor, 'unchanged_for'),
  }
}

/** A visit whose gap is counted; its digest is what later ones are compared with, '' where nothing is. */
function countedAt(at: Sql, digest: Sql): Record<string, Sql> {
  const number = 'CAST(NULL AS DOUBLE)'
  return {
    visited_at: at,
    outcome: `CAST(${counted} AS INT)`,
    digest,
    last_modified: number,
    unchanged_for: number,
  }
}
