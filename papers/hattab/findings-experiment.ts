import type { Finding } from 'revisit/report'
import { allUnderBothLaws, type SecondLaw } from '../both-laws.js'
import { graded, holdsIf, percent } from '../words.js'
import { type Experiment, overall, printedFreshness, type SiteOutcome } from './experiment.js'
import { meanOf, printed, totalOf } from './printed.js'

/** Claims of the experiment, against ten simulated sites, by our laws and by a second one. */
export function findingsExperiment(
  chosen: Experiment,
  { second, ...law }: SecondLaw & { readonly second: Experiment },
): Finding[] {
  return allUnderBothLaws(findingsOf(chosen), { ...law, second: findingsOf(second) })
}

function findingsOf(experiment: Experiment): Finding[] {
  return [
    table3(experiment),
    table4(experiment),
    ruleCrawls(experiment),
    literalCount(experiment),
    gain(experiment),
    moreCrawls(experiment),
    tagsNotCrawls(experiment),
    needlessTypical(experiment),
    needlessTags(experiment),
    indexGrowth(experiment),
  ]
}

/** Whether printed freshness is crawls / changes at every site, to its three digits. */
function isCrawlsPerChange(crawler: 'typical' | 'tags'): boolean {
  return printed.sites.every(({ changes, typical, tags }) => {
    const crawls = crawler === 'typical' ? printed.typicalCrawls : tags.crawls
    const shown = crawler === 'typical' ? typical.freshness : tags.freshness
    return Math.abs(crawls / changes - shown) < 0.0011
  })
}

/** Whether the printed freshness is, at every site, the share of time that we find. */
function isTimeFresh({ sites }: Experiment, crawler: 'typical' | 'tags'): boolean {
  return sites.every(({ scores }, i) => {
    const found = crawler === 'typical' ? scores.typical : scores.days
    return Math.abs(found.freshness - printed.sites[i]![crawler].freshness) < 0.05
  })
}

function range(sites: readonly SiteOutcome[], of: (site: SiteOutcome) => number): string {
  const values = sites.map(of)
  return `${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)}`
}

function table3(experiment: Experiment): Finding {
  const byFormula = printedFreshness(experiment, 'typical')
  const byTime = overall(experiment, 'typical').freshness
  return {
    claim: 'table-3-freshness',
    ours: `crawls / changes: ${range(experiment.sites, ({ scores: { typical } }) => typical.visits / typical.changes)}, mean ${byFormula.toFixed(3)}; by time: ${range(experiment.sites, ({ scores: { typical } }) => typical.freshness)}, mean ${byTime.toFixed(3)}`,
    verdict: graded({
      holds: isTimeFresh(experiment, 'typical'),
      inPart: isCrawlsPerChange('typical'),
    }),
    why: 'The printed column is 24 / changes: what is called freshness is crawls per change and says nothing of how long a copy was fresh. By time it happens to be of the same size for weekly crawls of fast sites.',
  }
}

function table4(experiment: Experiment): Finding {
  const byFormula = printedFreshness(experiment, 'days')
  const byTime = overall(experiment, 'days').freshness
  return {
    claim: 'table-4-freshness',
    ours: `crawls / changes: ${range(experiment.sites, ({ scores: { days } }) => days.visits / days.changes)}, mean ${byFormula.toFixed(3)}; by time: ${range(experiment.sites, ({ scores: { days } }) => days.freshness)}, mean ${byTime.toFixed(3)}`,
    verdict: graded({ holds: isTimeFresh(experiment, 'tags'), inPart: isCrawlsPerChange('tags') }),
    why: 'Crawls / changes again: the 1.000 of www.harvard.edu means 90 crawls for 90 changes, one of them needless by the same row. A copy crawled once for each change is fresh for about half of the time.',
  }
}

function ruleCrawls(experiment: Experiment): Finding {
  const { draws, sites } = experiment
  const crawls = sites.map(({ scores }) => scores.days.visits / draws)
  const near = crawls.filter((made, i) => Math.abs(made / printed.sites[i]!.tags.crawls - 1) < 0.15)
  const total = crawls.reduce((sum, each) => sum + each, 0)
  const off = Math.abs(total / totalOf(({ tags }) => tags.crawls) - 1)
  return {
    claim: 'rule-crawls',
    ours: `${total.toFixed(0)} crawls in all; within 15% at ${near.length} of 10 sites`,
    verdict: graded({ holds: near.length === 10, inPart: off < 0.1 && near.length >= 5 }),
    why: 'With the tag read as days, max(1, round(7 / weekly count)), the rule makes the printed totals. But the weekly counts of a page almost always vary, so its tag is nonuniform and changes from week to week, where the paper has one pace for each site.',
  }
}

function literalCount(experiment: Experiment): Finding {
  const days = overall(experiment, 'days')
  const literal = overall(experiment, 'literal')
  const crawls = (site: number) =>
    (experiment.sites[site]!.scores.literal.visits / experiment.draws).toFixed(0)
  return {
    claim: 'literal-count',
    ours: `fresh ${percent(literal.freshness)} of the time (${percent(days.freshness)} if read as days); ${crawls(3)} crawls for the fastest site, ${crawls(4)} for one of the slowest`,
    verdict: holdsIf(literal.freshness >= days.freshness),
    why: 'In Example 1 PERIODIC=7 is a weekly page; by the rule it is one that changes seven times a week. Posted literally, the faster a page the less it is crawled.',
  }
}

function gain(experiment: Experiment): Finding {
  const arithmetic = meanOf(({ tags, typical }) => tags.freshness - typical.freshness)
  const byFormula = printedFreshness(experiment, 'days') - printedFreshness(experiment, 'typical')
  const [days, typical] = [overall(experiment, 'days'), overall(experiment, 'typical')]
  const times = totalOf(({ tags }) => tags.crawls) / (10 * printed.typicalCrawls)
  return {
    claim: 'gain',
    ours: `${(100 * arithmetic).toFixed(1)} points from the printed tables; simulated ${(100 * byFormula).toFixed(1)} points by the paper's formula, ${(100 * (days.freshness - typical.freshness)).toFixed(1)} by time (${percent(typical.freshness)} to ${percent(days.freshness)})`,
    verdict: graded({
      holds: Math.abs(days.freshness / typical.freshness - 1.45) < 0.1,
      inPart: Math.abs(arithmetic - 0.45) < 0.005,
    }),
    why: `45 is a difference in points of crawls / changes, not a gain of 45%, and it costs ${times.toFixed(0)} times the crawls. By time the gain is real but smaller.`,
  }
}

function moreCrawls(experiment: Experiment): Finding {
  const times = overall(experiment, 'days').visits / overall(experiment, 'typical').visits
  const least = Math.min(
    ...experiment.sites.map(({ scores }) => scores.days.visits / scores.typical.visits),
  )
  return {
    claim: 'more-crawls',
    ours: `${times.toFixed(1)} times as many, at least ${least.toFixed(1)} at each site`,
    verdict: holdsIf(least > 2),
    why: 'These sites change nearly every day, so a tag that tells so sends the crawler nearly every day.',
  }
}

function tagsNotCrawls(experiment: Experiment): Finding {
  const [days, even] = [overall(experiment, 'days'), overall(experiment, 'even')]
  return {
    claim: 'tags-not-crawls',
    ours: `fresh ${percent(days.freshness)} of the time by tags, ${percent(even.freshness)} with as many crawls spread evenly`,
    verdict: holdsIf(days.freshness > even.freshness),
    why: 'The paper never compares at equal cost. The gain comes from crawling six times as often; sending more of the crawls to pages that change faster than they can be followed loses freshness (Cho & Garcia-Molina 2000).',
  }
}

function needlessTypical(experiment: Experiment): Finding {
  const { needless, visits } = overall(experiment, 'typical')
  return {
    claim: 'needless-typical',
    ours: `${percent(needless / visits)} of the crawls`,
    verdict: holdsIf(needless / visits > 0.1),
    why: 'Printed: 21%. A site with 540 changes in 24 weeks cannot be unchanged for a week eight times unless they come in a few bursts, even with the bursts of our sites.',
  }
}

function needlessTags(experiment: Experiment): Finding {
  const { needless, visits } = overall(experiment, 'days')
  return {
    claim: 'needless-tags',
    ours: `${percent(needless / visits)} of the crawls`,
    verdict: holdsIf(needless / visits < 0.05),
    why: 'Printed: 1.7%. A page that changes at random about once a day is unchanged on a third of the days; only a site that keeps to a clock can be crawled without needless visits.',
  }
}

/** Crawls that are left over for new pages, as a share of those that a weekly crawler makes. */
function indexGrowth(experiment: Experiment): Finding {
  const typical = 10 * printed.typicalCrawls
  const crawls = totalOf(({ tags }) => tags.crawls)
  const saved =
    totalOf(({ typical: { needless } }) => needless) - totalOf(({ tags: { needless } }) => needless)
  const [weekly, byTags] = [overall(experiment, 'typical'), overall(experiment, 'days')]
  const share = (count: number) => count / weekly.visits
  const spared = share(weekly.needless - byTags.needless)
  const left = 1 - share(byTags.visits)
  return {
    claim: 'index-growth',
    ours: `printed tables: ${saved} of ${typical} crawls fewer are needless (${percent(saved / typical)}), and ${crawls - typical} more are made; simulated: for each 100 weekly crawls, ${(100 * share(weekly.needless)).toFixed(0)} of them needless, ${(100 * share(byTags.visits)).toFixed(0)} by tags, ${(100 * share(byTags.needless)).toFixed(0)} of them needless`,
    verdict: graded({ holds: left > 0.06, inPart: spared > 0.06 }),
    why: 'The printed needless crawls saved come to a share within 6% to 12% of the weekly crawls, but they are paid for with five times as many crawls more: nothing is left over to index new pages with. The range itself is cited from elsewhere.',
  }
}
