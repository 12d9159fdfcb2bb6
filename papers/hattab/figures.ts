import { DAY, type RecordedChanges, type Seconds } from 'revisit/model'
import { type Bar, barChart, lineChart, type PaperFigure, paperFigure } from 'revisit/report'
import type { Experiment } from './experiment.js'
import { contentAgeShare, lifetimeShare } from './lifetimes.js'
import { printed } from './printed.js'

/** Days on a logarithmic axis, from a tenth to a thousand. */
const axisDays = Array.from({ length: 41 }, (_, i) => 0.1 * 10 ** (i / 10))

export function figures(
  experiment: Experiment,
  histories: readonly RecordedChanges[] | null,
): PaperFigure[] {
  return [
    figure2(),
    figure3(histories),
    figure5(experiment),
    figureByTime(experiment),
    figure6(experiment),
  ]
}

function figure2(): PaperFigure {
  return paperFigure(
    {
      file: 'figure-2.svg',
      caption:
        'From the distribution of Figure 3, each page changing at random. The printed curve is not in our copy of the paper.',
    },
    lineChart,
    {
      title: 'Figure 2. Share of pages by content age',
      subtitle: 'Time since a page last changed, at a random moment',
      description: 'Cumulative distribution of content age',
      x: { title: 'content age', kind: 'duration', scale: 'log' },
      y: { title: 'share of pages at most so old', kind: 'share' },
      series: [
        {
          name: 'Weibull change periods',
          points: axisDays.map((days) => ({ x: days * DAY, y: contentAgeShare(days * DAY) })),
        },
      ],
    },
  )
}

function figure3(histories: readonly RecordedChanges[] | null): PaperFigure {
  const real =
    histories === null
      ? []
      : [
          {
            name: 'real histories (not a sample of the web)',
            points: realShares(histories),
          },
        ]
  return paperFigure(
    {
      file: 'figure-3.svg',
      caption:
        'The Weibull law with shape 1.4 and scale 152.2 days, from which the re-indexing periods follow: 8.6 days for a day of grace, 18.5 for a week (published 8.5 and 18).',
    },
    lineChart,
    {
      title: 'Figure 3. Share of pages by mean change period',
      subtitle: 'Mean time between two changes of a page',
      description: 'Cumulative distribution of mean change periods',
      x: { title: 'mean change period', kind: 'duration', scale: 'log' },
      y: { title: 'share of pages with at most this', kind: 'share' },
      series: [
        {
          name: 'Weibull (shape 1.4, scale 152.2 days)',
          points: axisDays.map((days) => ({ x: days * DAY, y: lifetimeShare(days * DAY) })),
        },
        ...real,
      ],
    },
  )
}

/** Pages without a change in their record count as slower than any. */
function realShares(histories: readonly RecordedChanges[]) {
  const periods = histories
    .map(({ from, until, changes }): Seconds => (until - from) / changes.length)
    .sort((a, b) => a - b)
  return axisDays.map((days) => ({
    x: days * DAY,
    y: periods.filter((period) => period <= days * DAY).length / periods.length,
  }))
}

function figure5(experiment: Experiment): PaperFigure {
  return paperFigure(
    {
      file: 'figure-5.svg',
      caption:
        'What the paper calls freshness: crawls / changes. Ours are ten simulated sites that change as often as the printed ones; the two agree because the measure is a count.',
    },
    barChart,
    {
      title: 'Figure 5. Freshness as the paper counts it',
      subtitle: 'Crawls / changes in six months, by site',
      description: 'Crawls per change of both crawlers at ten sites, published and ours',
      value: { title: 'crawls / changes', kind: 'share' },
      bars: bars(experiment, {
        published: ({ typical, tags }) => [typical.freshness, tags.freshness],
        ours: ({ scores: { typical, days } }) => [
          typical.visits / typical.changes,
          days.visits / days.changes,
        ],
      }),
    },
  )
}

function figureByTime(experiment: Experiment): PaperFigure {
  const groups = { typical: 'every week', days: 'by tags', even: 'as many crawls, evenly' } as const
  return paperFigure(
    {
      file: 'figure-5-by-time.svg',
      caption:
        'The share of the time in which the copy equals the page. At the same cost, tags win at the fastest sites, which are stale most of the time whatever one does, and lose more at the slower ones: over all sites even crawls are fresher.',
    },
    barChart,
    {
      title: 'Freshness by time',
      subtitle: 'Share of six months in which the copy was fresh, simulated',
      description: 'Share of time fresh for three crawlers at ten sites',
      value: { title: 'share of time fresh', kind: 'share' },
      bars: experiment.sites.flatMap(({ site, scores }) =>
        (['typical', 'days', 'even'] as const).map((crawler) => ({
          label: site.name,
          group: groups[crawler],
          value: scores[crawler].freshness,
        })),
      ),
    },
  )
}

function figure6(experiment: Experiment): PaperFigure {
  return paperFigure(
    {
      file: 'figure-6.svg',
      caption:
        'Six times the crawls: sites that change nearly every day are crawled nearly every day.',
    },
    barChart,
    {
      title: 'Figure 6. Crawls in six months',
      subtitle: 'Both crawlers, by site',
      description: 'Crawls of both crawlers at ten sites, published and ours',
      value: { title: 'crawls' },
      bars: bars(experiment, {
        published: ({ tags }) => [printed.typicalCrawls, tags.crawls],
        ours: ({ scores: { typical, days } }) => [
          typical.visits / experiment.draws,
          days.visits / experiment.draws,
        ],
      }),
    },
  )
}

/** Four bars a site: both crawlers, published and ours. */
function bars(
  experiment: Experiment,
  values: {
    published: (site: (typeof printed.sites)[number]) => readonly [number, number]
    ours: (site: Experiment['sites'][number]) => readonly [number, number]
  },
): Bar[] {
  return experiment.sites.flatMap((outcome, i) => {
    const [publishedTypical, publishedTags] = values.published(printed.sites[i]!)
    const [typical, tags] = values.ours(outcome)
    const label = outcome.site.name
    return [
      { label, group: 'every week, published', value: publishedTypical },
      { label, group: 'every week, ours', value: typical },
      { label, group: 'by tags, published', value: publishedTags },
      { label, group: 'by tags, ours', value: tags },
    ]
  })
}
