import { Scores } from 'revisit/lab'
import { DAY, type Seconds, WEEK } from 'revisit/model'
import { Random } from 'revisit/numeric'
import { type Crawler, crawl, crawlers, policyOf, type TaggedSite } from './crawlers.js'
import { changeTimes, experiment, leadIn, type Site } from './sites.js'
import { tagOfWeek, weeklyCounts } from './tags.js'

/** What a crawler achieved on a site: scores added over all draws of chance. */
export interface SiteOutcome {
  readonly site: Site
  readonly scores: Readonly<Record<Crawler, Scores>>
  /** Share of the weeks in which the tag is nonuniform. */
  readonly nonuniform: number
}

export interface Experiment {
  readonly sites: readonly SiteOutcome[]
  /** How often the ten sites were drawn. */
  readonly draws: number
}

const names = Object.keys(crawlers) as Crawler[]

/**
 * Ten sites for six months, crawled by each crawler; drawn anew `draws` times.
 * The first crawl falls at any hour of a site's first day.
 */
export function runExperiment(
  sites: readonly Site[],
  options: { draws: number; seed: number; progress: (share: number) => void },
): Experiment {
  const { draws, seed, progress } = options
  const random = new Random(seed)
  const outcomes = sites.map((site) => ({
    site,
    nonuniform: 0,
    scores: Object.fromEntries(names.map((name) => [name, new Scores()])) as Record<
      Crawler,
      Scores
    >,
  }))
  for (let draw = 0; draw < draws; draw++) {
    runDraw(outcomes, { random, weight: 1 / draws })
    progress((draw + 1) / draws)
  }
  return { sites: outcomes, draws }
}

interface Outcome {
  readonly site: Site
  nonuniform: number
  readonly scores: Record<Crawler, Scores>
}

function runDraw(outcomes: Outcome[], { random, weight }: { random: Random; weight: number }) {
  const sampled = outcomes.map((outcome) => ({ outcome, ...drawSite(outcome.site, random) }))
  const run = (crawler: Crawler, evenGap: Seconds) =>
    sampled.reduce((visits, { outcome, site, from }) => {
      const until = from + experiment - 1
      const changes = site.changes.filter((at) => at <= until)
      const scores = crawl(policyOf(crawler, { site, evenGap }), { changes, from, until, random })
      outcome.scores[crawler].add(scores)
      return visits + scores.visits
    }, 0)
  const evenGap = (experiment * sampled.length) / run('days', WEEK)
  for (const name of names) if (name !== 'days') run(name, evenGap)
  for (const { outcome, site } of sampled) outcome.nonuniform += weight * nonuniformShare(site)
}

function drawSite(site: Site, random: Random): { site: TaggedSite; from: number } {
  const from = leadIn + DAY * random.uniform()
  const until = leadIn + experiment + DAY
  const changes = changeTimes(site, { until, random: random.fork() })
  const weeks = Math.ceil(until / WEEK)
  return { from, site: { changes, weeklyCounts: weeklyCounts(changes, { weeks }) } }
}

function nonuniformShare({ weeklyCounts }: TaggedSite): number {
  const first = leadIn / WEEK
  const tags = weeklyCounts.slice(first).map((_, i) => tagOfWeek(weeklyCounts, first + i))
  return tags.filter(({ kind }) => kind === 'nonuniform').length / tags.length
}

/** Scores of a crawler over all sites. */
export function overall({ sites }: Experiment, crawler: Crawler): Scores {
  const total = new Scores()
  for (const { scores } of sites) total.add(scores[crawler])
  return total
}

/** The paper's freshness, averaged over the sites: crawls / changes. */
export function printedFreshness({ sites }: Experiment, crawler: Crawler): number {
  const each = sites.map(({ scores }) => scores[crawler].visits / scores[crawler].changes)
  return each.reduce((sum, value) => sum + value, 0) / each.length
}
