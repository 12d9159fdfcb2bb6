import type { PaperTable } from 'revisit/report'
import { percent } from '../words.js'
import { type Crawler, crawlers } from './crawlers.js'
import { type Experiment, overall, printedFreshness } from './experiment.js'
import { type Extract, replayExtract } from './extracts.js'
import { printed } from './printed.js'

export function tables(experiment: Experiment): PaperTable[] {
  return [
    extractTable('Table 1 replayed: weekly crawls of one page', printed.table1),
    extractTable('Table 2 replayed: crawls of the page by its tag', printed.table2),
    siteTable(experiment, {
      title: 'Table 3: weekly crawls, published / ours',
      crawler: 'typical',
    }),
    siteTable(experiment, { title: 'Table 4: crawls by tags, published / ours', crawler: 'days' }),
    crawlerTable(experiment),
  ]
}

function extractTable(title: string, extract: Extract): PaperTable {
  const replayed = replayExtract(extract)
  const weeks = (row: string) => row.split(' ')
  return {
    title,
    caption: `1 for yes, day by day. Fresh by the paper's rules on ${replayed.freshDays} of 21 days; ${replayed.crawls} crawls, ${replayed.needless} needless.`,
    columns: ['', 'week 1', 'week 2', 'week 3'],
    rows: [
      ['the page changed', ...weeks(extract.changed)],
      ['it was crawled', ...weeks(extract.crawled)],
      ['fresh, as printed', ...weeks(extract.fresh)],
      ['fresh, by the rules', ...weeks(replayed.fresh)],
    ],
  }
}

function siteTable(
  { sites, draws }: Experiment,
  { title, crawler }: { title: string; crawler: 'typical' | 'days' },
): PaperTable {
  return {
    title,
    caption: `Ours: mean of ${draws} draws of ten sites that change as often as the printed ones, by a law of our choice.`,
    columns: [
      'site',
      'its changes',
      'changes',
      'crawls',
      'crawls / changes',
      'fresh by time (ours)',
      'needless crawls',
    ],
    rows: sites.map(({ site, scores }, i) => {
      const row = printed.sites[i]!
      const found = scores[crawler]
      const theirs =
        crawler === 'days' ? row.tags : { ...row.typical, crawls: printed.typicalCrawls }
      return [
        site.name,
        site.law,
        pair(row.changes, (found.changes / draws).toFixed(0)),
        pair(theirs.crawls, (found.visits / draws).toFixed(0)),
        pair(theirs.freshness.toFixed(3), (found.visits / found.changes).toFixed(3)),
        found.freshness.toFixed(3),
        pair(theirs.needless, (found.needless / draws).toFixed(1)),
      ]
    }),
  }
}

/** Published / ours, on one line. */
function pair(published: string | number, ours: string): string {
  return `${published}\u00a0/\u00a0${ours}`
}

function crawlerTable(experiment: Experiment): PaperTable {
  const names = Object.keys(crawlers) as Crawler[]
  return {
    title: 'All ten sites: the crawlers side by side',
    caption:
      'Both readings of the tag, the barrels of Figure 4 (daily, weekly, monthly), and a crawler that ignores tags and spreads as many crawls evenly.',
    columns: [
      'crawler',
      'crawls',
      'crawls / changes',
      'fresh by time',
      'needless',
      'changes caught',
    ],
    rows: names.map((name) => {
      const found = overall(experiment, name)
      return [
        crawlers[name],
        (found.visits / experiment.draws).toFixed(0),
        printedFreshness(experiment, name).toFixed(3),
        found.freshness.toFixed(3),
        percent(found.needless / found.visits),
        percent(found.caughtShare),
      ]
    }),
  }
}
