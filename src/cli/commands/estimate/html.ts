import type { Bands } from '../../../estimators/law/bands.js'
import type { LawBounds } from '../../../estimators/law/law-bounds.js'
import { duanePlot, duaneTrend } from '../../../estimators/trend/duane.js'
import { hoursOfWeek } from '../../../estimators/trend/hours-of-week.js'
import { expectedUpdates } from '../../../estimators/trend/trend-curve.js'
import {
  type FittedWindow,
  type Trend,
  type TrendOptions,
  trendOf,
} from '../../../estimators/trend/trend-of.js'
import type { PageHistory } from '../../../formats/histories/page-by-page.js'
import { shown } from '../../../formats/printable-text.js'
import type { TakeVisit } from '../../../formats/visit-log/visit-line.js'
import type { DistributionChart } from '../../../lab/figures/distribution-chart.js'
import type { EstimateSharpening } from '../../../lab/figures/estimate-sharpening.js'
import type { MethodRow } from '../../../lab/figures/method-comparison.js'
import type { DuaneWindow, TimelineWindow } from '../../../lab/figures/trend-windows.js'
import type { TimelineVisit } from '../../../lab/figures/visit-timeline.js'
import type { HtmlTable } from '../../../lab/report/html-document.js'
import type { IndexEntry, PageReport, ReportPage } from '../../../lab/report/report-page.js'
import { humanTime } from '../../../model/duration.js'
import { type Estimator, shownEstimate } from '../../../model/estimate.js'
import type { History } from '../../../model/history.js'
import type { PerSecond } from '../../../model/units.js'
import { rateEstimators } from '../../../planner/registry.js'
import type { Environment } from '../../environment.js'
import { isStandIn, pageEstimate, verdictWords } from '../../text/estimate.js'
import { closingLine, type Tally } from '../../visit-log.js'
import { distributionWords, lockWords } from './distribution.js'
import type { EstimateSettings } from './options.js'
import {
  type DistributionChoice,
  hasLaw,
  type PageDistribution,
  pageDistribution,
} from './page-distribution.js'
import { lastChange } from './page-writer.js'
import { comparedRow, isMoving, nextWords, surelyState, trendWords } from './trend.js'
import { comparedTrends } from './trend-records.js'

/** More visits than these are not kept: a picture of them would show no more. */
const most = 100_000

/**
 * Notes the visits of a log that saw nothing. A history has no place for them,
 * but a time line does.
 */
class MissedVisits {
  readonly #byUrl = new Map<string, TimelineVisit[]>()
  #kept = 0

  /** The taker of visits, with its failed ones noted on the way. */
  noting(take: TakeVisit): TakeVisit {
    return (visit) => {
      const refusal = take(visit)
      const { outcome } = visit
      if (
        refusal === undefined &&
        (outcome === 'failed' || outcome === 'gone' || outcome === 'refused')
      )
        this.#keep(visit.url.text(), { at: visit.at, outcome })
      return refusal
    }
  }

  /** The missed visits of a page, in the order of the log. */
  of(url: string): readonly TimelineVisit[] {
    return this.#byUrl.get(url) ?? []
  }

  #keep(url: string, visit: TimelineVisit): void {
    if (this.#kept++ >= most) return
    const here = this.#byUrl.get(url)
    if (here === undefined) this.#byUrl.set(url, [visit])
    else here.push(visit)
  }
}

/**
 * The age distribution and the law of update gaps, as far as they are known; by
 * several methods where several were asked for, all in one figure.
 */
function distributionFigures(
  pages: readonly PageDistribution[],
  { changeRate }: { readonly changeRate: PerSecond | null },
): DistributionChart[] {
  const poisson = changeRate === null ? {} : { poisson: changeRate }
  const figures: DistributionChart[] = []
  const shown = pages.flatMap((page) =>
    hasLaw(page.contentAges) ? [{ page, ...page.contentAges }] : [],
  )
  const [first, ...others] = shown
  if (first === undefined) return figures
  const nameOf = (page: PageDistribution) => (pages.length === 1 ? 'this page' : page.choice.name)
  figures.push({
    title: 'How old the content is',
    subtitle: `The share of time for which it is at most so old, by ${shown.map(({ method }) => method).join(', ')}`,
    xTitle: 'time since the last change',
    name: nameOf(first.page),
    curve: first.curve,
    ...bandOf(first.page.contentAgeBands),
    others: others.map(({ page, curve }) => ({ name: nameOf(page), curve })),
    ...poisson,
  })
  const laws = shown.flatMap(({ page }) =>
    page.updateGaps.kind === 'law' ? [{ page, law: page.updateGaps }] : [],
  )
  const [firstLaw, ...otherLaws] = laws
  if (firstLaw !== undefined)
    figures.push({
      title: 'How long it stays unchanged',
      subtitle: 'The share of times between two changes that are at most so long',
      xTitle: 'time from one change to the next',
      name: nameOf(firstLaw.page),
      curve: { ...firstLaw.law, shape: 'line' },
      ...bandOf(firstLaw.page.updateGapBounds),
      others: otherLaws.map(({ page, law }) => ({
        name: nameOf(page),
        curve: { ...law, shape: 'line' },
      })),
      ...poisson,
    })
  return figures
}

function bandOf(bounds: Bands | LawBounds): Pick<DistributionChart, 'band'> {
  return bounds.kind === 'none' ? {} : { band: bounds }
}

const mostOfSharpening = 80

/** The estimate after each visit, or after 80 of them, closer together at the beginning. */
function sharpeningOf(
  history: History,
  { estimator, level }: { readonly estimator: Estimator; readonly level: number },
): EstimateSharpening {
  const points = counts(history.observations.length).map((count) => {
    const seen = { start: history.start, observations: history.observations.slice(0, count) }
    const { changePeriod, bounds, verdict } = shownEstimate(estimator.estimate(seen, { level }))
    return { visits: count + 1, changePeriod, bounds, standIn: isStandIn(verdict) }
  })
  return { method: estimator.name, points }
}

function counts(all: number): number[] {
  if (all <= mostOfSharpening) return Array.from({ length: all }, (_, i) => i + 1)
  const spaced = Array.from({ length: mostOfSharpening }, (_, i) =>
    Math.round(all * ((i + 1) / mostOfSharpening) ** 1.7),
  )
  return [...new Set(spaced.filter((count) => count > 0))]
}

const fitPoints = 24

/** The windows along the calendar, and each on its Duane plot; nothing where no update was seen. */
function trendFigures(trend: Trend): Pick<PageReport, 'windows' | 'duane'> {
  const { points, origin } = trend.series
  if (points.length < 2) return {}
  const updates = points.map(({ at }, i) => ({ at, gap: at - (points[i - 1]?.at ?? origin) }))
  const windows = trend.windows.map((each) => timelineWindow(each, trend))
  return {
    windows: { updates, windows, verdict: trendWords(trend) },
    duane: { windows: trend.windows.map((each) => duaneWindow(each, trend)) },
  }
}

function timelineWindow(fitted: FittedWindow, trend: Trend): TimelineWindow {
  const { window, curve } = fitted
  const { origin, times } = window
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  // A curve through fewer points than the method's least would be trusted.
  const steps = curve.verdict === 'ok' ? fitPoints + 1 : 0
  const fit = Array.from({ length: steps }, (_, i) => {
    const t = first + ((last - first) * i) / fitPoints
    return { at: origin + t, meanGap: curve.mtbu(t) }
  })
  return { state: surelyState(fitted, trend), from: origin, to: origin + last, fit }
}

function duaneWindow(fitted: FittedWindow, trend: Trend): DuaneWindow {
  const { times } = fitted.window
  const { law } = duaneTrend().fit(times)
  const ends = law === null ? [] : [times[0]!, times.at(-1)!]
  const fit = ends.map((time) => ({ time, meanGap: time / (expectedUpdates(law!, time) ?? 0) }))
  return { state: surelyState(fitted, trend), points: duanePlot(times), fit }
}

/** The last window by every estimator of a trend. */
function comparedTable(history: History, { trend }: Pick<ReportOptions, 'trend'>): HtmlTable {
  return {
    caption: 'The last window by every estimator of a change rate that rises or falls',
    columns: ['estimator', 'exponent', 'at its end', 'next update', 'bounds'].map((title) => ({
      title,
    })),
    rows: comparedTrends(history, trend).map(comparedRow),
  }
}

interface ReportOptions {
  readonly estimator: Estimator
  readonly level: number
  readonly distributions: readonly DistributionChoice[]
  readonly trend: TrendOptions
  readonly compareTrends: boolean
  /** Visits that saw nothing: a history does not hold them. */
  readonly missed: readonly TimelineVisit[]
}

/** All that a report shows of a page, from every estimator that has something to say. */
function pageReport({ url, history }: PageHistory, options: ReportOptions): PageReport {
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
  const distributions = options.distributions.map((choice) =>
    pageDistribution(history, { level: options.level, choice }),
  )
  // Visits that always, or never, found a change say nothing of when it came.
  if (!distributions.some(({ contentAges }) => hasLaw(contentAges)))
    return { ...head, ...figures, notes: lockWords(distributions[0]!.lock) }
  const trend = trendOf(history, options.trend)
  return {
    ...head,
    ...figures,
    notes: notesOf(distributions, trend),
    distributions: distributionFigures(distributions, {
      changeRate: isStandIn(estimate.verdict) ? null : estimate.changeRate,
    }),
    ...trendFigures(trend),
    ...(options.compareTrends ? { tables: [comparedTable(history, options)] } : {}),
    hours: hoursOfWeek(history),
  }
}

function notesOf(distributions: readonly PageDistribution[], trend: Trend): string[] {
  const moving = isMoving(trend)
  const next = nextWords(trend.next)
  const words = distributions
    .filter(({ contentAges }) => hasLaw(contentAges))
    .flatMap((page) => distributionWords(page, { moving }))
  return [
    ...(moving ? [trendWords(trend)] : []),
    ...new Set(words),
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

/** Lines of the index: more would make the file slow to open. */
const longestIndex = 1000

/** `--html`: gathers the pages of a report while they are shown. */
export class HtmlReport {
  readonly path: string
  readonly #settings: EstimateSettings
  readonly #draw: (report: ReportPage) => string
  readonly #missed = new MissedVisits()
  readonly #pages: PageReport[] = []
  readonly #index: IndexEntry[] = []
  #total = 0

  constructor(
    settings: EstimateSettings & { readonly html: string },
    draw: (report: ReportPage) => string,
  ) {
    this.path = settings.html
    this.#settings = settings
    this.#draw = draw
  }

  noting(take: TakeVisit): TakeVisit {
    return this.#missed.noting(take)
  }

  page(page: PageHistory): void {
    const { level, figures, distributions, trend, view, compare } = this.#settings
    const compareTrends = compare && view.kind === 'trend'
    const estimator = this.#estimator
    this.#total++
    if (this.#pages.length < figures)
      this.#pages.push(
        pageReport(page, {
          estimator,
          level,
          distributions,
          trend,
          compareTrends,
          missed: this.#missed.of(page.url),
        }),
      )
    if (this.#index.length < longestIndex)
      this.#index.push({
        url: page.url,
        estimate: pageEstimate(page.history, { estimator, level }),
      })
  }

  html({ intro, foot }: { readonly intro: string; readonly foot: string }): string {
    return this.#draw({
      title: 'How often the pages change',
      intro,
      pages: this.#pages,
      index: this.#index,
      total: this.#total,
      foot,
    })
  }

  /** With --compare there are many; the report then rests on the one that is the default. */
  get #estimator() {
    const { estimators, compare } = this.#settings
    const usual = estimators.find(({ name }) => name === 'irregular-mle')
    return (compare ? usual : undefined) ?? estimators[0]!
  }
}

/** The figures' libraries take a while to load, so only a report loads them. */
export async function openReport(settings: EstimateSettings): Promise<HtmlReport> {
  const { reportPage } = await import('../../../lab/report/report-page.js')
  return new HtmlReport({ ...settings, html: settings.html! }, reportPage)
}

/** Writes the report and says where it is. */
export async function saveReport(
  environment: Environment,
  { html, log, tally }: { html: HtmlReport; log: string | undefined; tally: Tally },
): Promise<void> {
  const source = log === undefined || log === '-' ? 'standard input' : log
  const made = humanTime(environment.now()).replace('T', ' ').replace('Z', ' UTC')
  await environment.save(
    html.path,
    html.html({
      intro: `${closingLine(tally)}. All times are UTC.`,
      foot: `Made by revisit ${environment.version} from ${source}, ${made}.`,
    }),
  )
  environment.err.write(`report written to ${shown(html.path)}\n`)
}
