import { hoursOfWeek, rateEstimators, type Trend, trendOf } from '../../../estimate/index.js'
import type { PageHistory } from '../../../formats/index.js'
import { type Estimator, type History, shownEstimate } from '../../../model/index.js'
import type { MethodRow, PageReport, TimelineVisit } from '../../../report/index.js'
import { verdictWords } from '../../text/verdict-words.js'
import { distributionWords, lockWords } from '../distribution/distribution-words.js'
import {
  hasLaw,
  type PageDistribution,
  pageDistribution,
} from '../distribution/page-distribution.js'
import { lastChange } from '../last-change.js'
import { pageEstimate } from '../page-estimate.js'
import { isStandIn } from '../stand-in.js'
import { isMoving, nextWords, trendWords } from '../trend/trend-words.js'
import { distributionFigures } from './distribution-figures.js'
import { sharpeningOf } from './sharpening.js'
import { trendFigures } from './trend-figures.js'

export interface ReportOptions {
  readonly estimator: Estimator
  readonly level: number
  /** Visits that saw nothing: a history does not hold them. */
  readonly missed: readonly TimelineVisit[]
}

/** All that a report shows of a page, from every estimator that has something to say. */
export function pageReport({ url, history }: PageHistory, options: ReportOptions): PageReport {
  const estimate = pageEstimate(history, options)
  const head = { url, estimate, lastChange: lastChange(history) }
  const timeline = { visits: visitsOf(history, options.missed) }
  if (history === null || history.observations.length === 0) return { ...head, timeline }
  const figures = {
    timeline,
    sharpening: sharpeningOf(history, options),
    methods: {
      rows: rateEstimators.map((each) => methodRow(history, { ...options, estimator: each })),
    },
  }
  const distribution = pageDistribution(history, options)
  // Visits that always, or never, found a change say nothing of when it came.
  if (!hasLaw(distribution.contentAges))
    return { ...head, ...figures, notes: lockWords(distribution.lock) }
  const trend = trendOf(history, { predict: { level: options.level } })
  return {
    ...head,
    ...figures,
    notes: notesOf(distribution, trend),
    distributions: distributionFigures(distribution, {
      changeRate: isStandIn(estimate.verdict) ? null : estimate.changeRate,
    }),
    ...trendFigures(trend),
    hours: hoursOfWeek(history),
  }
}

function notesOf(distribution: PageDistribution, trend: Trend): string[] {
  const moving = isMoving(trend)
  const next = nextWords(trend.next)
  return [
    ...(moving ? [trendWords(trend)] : []),
    ...distributionWords(distribution, { moving }),
    ...(next === null ? [] : [next]),
  ]
}

function methodRow(
  history: History,
  { estimator, level }: { estimator: Estimator; level: number },
): MethodRow {
  const { changePeriod, bounds, verdict } = shownEstimate(estimator.estimate(history, { level }))
  const note = verdict === 'ok' ? {} : { note: verdictWords[verdict] }
  return { method: estimator.name, changePeriod, bounds, standIn: isStandIn(verdict), ...note }
}

function visitsOf(history: History | null, missed: readonly TimelineVisit[]): TimelineVisit[] {
  if (history === null) return [...missed]
  const seen = history.observations.map(
    ({ gap: _, changed, ...visit }): TimelineVisit => ({
      ...visit,
      outcome: changed ? 'changed' : 'unchanged',
    }),
  )
  const all: TimelineVisit[] = [{ ...history.start, outcome: 'first' }, ...seen, ...missed]
  return all.sort((a, b) => a.at - b.at)
}
