import { closeSync, openSync, writeSync } from 'node:fs'
import type { Estimate, Estimator } from '../../../src/model/estimate.js'
import { shownEstimate } from '../../../src/model/estimate.js'
import { historyOf, type Outcome, type Visit } from '../../../src/model/history.js'
import { DAY, YEAR } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'

export interface LoggedVisit extends Visit {
  readonly digest?: string
}

export interface RandomPage {
  readonly url: string
  readonly visits: readonly LoggedVisit[]
}

/** What the log of the pages has beside url, at and changed. */
export interface PageKind {
  readonly digest?: boolean
  readonly lastModified?: boolean
  readonly unchangedFor?: boolean
}

const start = 1_600_000_000

/**
 * Pages of all kinds: seen once or never, never or always changed, visited at
 * gaps from a second to a year or at equal ones, with failed visits and first
 * ones between. Seeded.
 */
export function* randomPages(
  count: number,
  { seed, ...kind }: PageKind & { readonly seed: number },
): Generator<RandomPage> {
  const random = new Random(seed)
  for (let page = 0; page < count; page++) {
    const host = random.below(50)
    yield {
      url: `https://host${host}.example.org/page/${page}`,
      visits: pageVisits(random, kind),
    }
  }
}

function pageVisits(random: Random, kind: PageKind): LoggedVisit[] {
  const length = random.below(12) === 0 ? random.below(2) : 1 + random.below(40)
  const share = [0, 1, random.uniform(), random.uniform() ** 4][random.below(4)]!
  const failing = random.below(4) === 0 ? 0.3 : 0
  const even = random.below(4) === 0
  const [least, most] = [random.uniform() * 8, random.uniform() * 8].map((x) => 10 ** x)
  const gap = () => (even ? DAY : Math.min(YEAR, least! * (most! / least!) ** random.uniform()) + 1)
  const visits: LoggedVisit[] = []
  let at = start
  let content = 0
  for (let i = 0; i <= length; i++) {
    const before = at
    at += Math.round(gap() * (random.below(3) === 0 ? 1000 : 1)) / 1
    const changed = random.uniform() < share
    if (changed) content++
    const failed = length < 2 ? random.below(2) === 0 : random.uniform() < failing
    const first = i === 0 || random.below(60) === 0
    const outcome: Outcome = failed ? 'failed' : first ? 'first' : changed ? 'changed' : 'unchanged'
    const byDigest = kind.digest && outcome !== 'failed' && random.below(6) > 0
    visits.push({
      at,
      outcome,
      ...(byDigest ? { digest: `sha1-${content}` } : {}),
      ...(kind.lastModified && random.below(3) > 0
        ? { lastModified: at - Math.round(random.uniform() * 3 * (at - before)) }
        : {}),
      ...(kind.unchangedFor && random.below(3) > 0
        ? { unchangedFor: Math.round(random.uniform() * 1.2 * (at - before)) }
        : {}),
    })
  }
  return visits
}

/** A CSV of the pages' visits, a page after the other. */
export function writeVisits(file: string, pages: Iterable<RandomPage>): void {
  const to = openSync(file, 'w')
  let lines = ['url,at,changed,digest,last_modified,unchanged_for']
  const drain = () => {
    writeSync(to, `${lines.join('\n')}\n`)
    lines = []
  }
  for (const page of pages) {
    lines.push(...page.visits.map((visit) => lineOf(page.url, visit)))
    if (lines.length > 100_000) drain()
  }
  drain()
  closeSync(to)
}

function lineOf(
  url: string,
  { at, outcome, digest, lastModified, unchangedFor }: LoggedVisit,
): string {
  return [
    url,
    at,
    digest === undefined ? outcome : '',
    digest ?? '',
    lastModified ?? '',
    unchangedFor ?? '',
  ].join(',')
}

/** The page's visits with outcomes that digests tell: a new digest is a change. */
function withOutcomes(visits: readonly LoggedVisit[]): Visit[] {
  let known: string | undefined
  return visits.map(({ digest, ...visit }) => {
    if (digest === undefined) {
      if (visit.outcome === 'changed' || visit.outcome === 'first') known = undefined
      return visit
    }
    const outcome = known === undefined ? 'first' : digest === known ? 'unchanged' : 'changed'
    known = digest
    return { ...visit, outcome }
  })
}

/** What `revisit estimate` shows of the page; null where no visit saw it. */
export function expectedEstimate(
  { visits }: RandomPage,
  { estimator, level }: { readonly estimator: Estimator; readonly level: number },
): Estimate | null {
  const history = historyOf(withOutcomes(visits))
  return history === null ? null : shownEstimate(estimator.estimate(history, { level }))
}
