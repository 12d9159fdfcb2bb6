import type { Finding, PaperTable } from 'revisit/report'
import { type SecondLaw, underBothLaws } from '../both-laws.js'
import { verdictOf } from '../verdict-of.js'
import { holdsIf, percent } from '../words.js'
import { type HttpExperiment, type HttpTotals, httpTotals } from './http-experiment.js'

/**
 * Claims of the experiment, against ten small sites crawled over real HTTP; those
 * on which the law of the front pages bears, under a second law too.
 */
export function findingsHttp(
  experiment: HttpExperiment,
  { second, ...law }: SecondLaw & { readonly second: HttpExperiment },
): Finding[] {
  return [
    underBothLaws(caught(experiment), { ...law, second: caught(second) }),
    underBothLaws(cost(experiment), { ...law, second: cost(second) }),
    slowPages(experiment),
    nextChange(experiment),
  ]
}

function both(experiment: HttpExperiment, path?: string): Record<'typical' | 'tags', HttpTotals> {
  const of = (crawler: 'typical' | 'tags') =>
    httpTotals(experiment, { crawler, ...(path === undefined ? {} : { path }) })
  return { typical: of('typical'), tags: of('tags') }
}

function caught(experiment: HttpExperiment): Finding {
  const { typical, tags } = both(experiment)
  const share = ({ caught, changes }: HttpTotals) => percent(caught / changes)
  return {
    claim: 'http-caught',
    ours: `${tags.caught} of ${tags.changes} changes caught by tags (${share(tags)}), ${typical.caught} by weekly visits (${share(typical)}); missed ${tags.changes - tags.caught} and ${typical.changes - typical.caught}`,
    verdict: holdsIf(tags.caught > 1.5 * typical.caught),
    why: `Forty pages of ten sites on loopback, ${experiment.days} days in accelerated time, both crawlers with the real engine, politeness and conditional requests. No tag asks for more than a visit a day, and the fastest sites change three times a day.`,
  }
}

function cost(experiment: HttpExperiment): Finding {
  const { typical, tags } = both(experiment)
  const { crawls } = experiment
  const times = (of: (totals: HttpTotals) => number) => (of(tags) / of(typical)).toFixed(1)
  const requests = (crawler: 'typical' | 'tags') =>
    both(experiment)[crawler].visits + crawls[crawler].robotsRequests
  return {
    claim: 'http-cost',
    ours: `${times(({ visits }) => visits)} times the visits (${tags.visits} against ${typical.visits}), ${times(({ bytes }) => bytes)} times the bytes; with robots.txt ${requests('tags')} requests against ${requests('typical')}`,
    verdict: holdsIf(tags.visits > 1.5 * typical.visits && tags.bytes > 1.5 * typical.bytes),
    why: 'The front pages change nearly every day and are fetched nearly every day. A tag that is renewed each week is itself a new page: its new ETag costs a transfer in which no reader sees a change.',
  }
}

function slowPages(experiment: HttpExperiment): Finding {
  const { typical, tags } = both(experiment, '/imprint')
  return {
    claim: 'http-slow-pages',
    ours: `${tags.visits} visits of ten pages that never change, against ${typical.visits} weekly ones`,
    verdict: holdsIf(tags.visits < typical.visits / 3),
    why: 'STATIC sends the crawler every 90 days. A weekly visit of such a page is a 304 without a body, so that requests are saved and hardly any bytes.',
  }
}

function nextChange(experiment: HttpExperiment): Finding {
  const periodic = both(experiment, '/archive')
  const nonuniform = both(experiment, '/notices')
  const better = ({ typical, tags }: typeof periodic) => tags.freshness > typical.freshness + 0.05
  return {
    claim: 'http-next-change',
    ours: `pages that change every Wednesday are fresh ${percent(periodic.tags.freshness)} of the time by PERIODIC=7, ${percent(nonuniform.tags.freshness)} by nonuniform with the days to the next change (${nonuniform.tags.visits} visits, ${periodic.tags.visits} by PERIODIC), ${percent(periodic.typical.freshness)} by weekly visits`,
    verdict: verdictOf(better(periodic), better(nonuniform)),
    why: 'PERIODIC tells how often a page changes, not when: both crawlers come on Mondays and find what changed on Wednesday. The nonuniform form of Example 1, which an application writes at each request, does tell when: the crawler comes the day after, at the cost of weekly visits. It must know the next change, which the counting rule of section 4 does not.',
  }
}

export function httpTable(experiment: HttpExperiment): PaperTable {
  const kinds = {
    'front pages': '/',
    archives: '/archive',
    notices: '/notices',
    imprints: '/imprint',
    'all pages': undefined,
  }
  const crawlers = { typical: 'every week', tags: 'by tags' } as const
  return {
    title: 'Over real HTTP: ten small sites, both crawlers side by side',
    caption: `${experiment.days} days in accelerated time. Bytes are those of bodies; missed are changes that no visit noticed, several between two visits counting once as caught.`,
    columns: [
      'pages',
      'crawler',
      'visits',
      '304',
      'bytes',
      'changes',
      'caught',
      'missed',
      'needless',
      'fresh by time',
    ],
    rows: Object.entries(kinds).flatMap(([kind, path]) =>
      (['typical', 'tags'] as const).map((crawler) => {
        const found = both(experiment, path)[crawler]
        return [
          kind,
          crawlers[crawler],
          found.visits,
          found.notModified,
          found.bytes,
          found.changes,
          found.caught,
          found.changes - found.caught,
          found.needless,
          percent(found.freshness),
        ]
      }),
    ),
  }
}
