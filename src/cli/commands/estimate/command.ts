import { trendOf } from '../../../estimators/trend/trend-of.js'
import { PageByPage, type PageHistory } from '../../../formats/histories/page-by-page.js'
import {
  AnyTimeHistories,
  ForwardHistories,
  type PageHistories,
} from '../../../formats/histories/page-histories.js'
import { shown } from '../../../formats/printable-text.js'
import { Problems } from '../../../formats/problems.js'
import type { ReadReport } from '../../../formats/visit-log/read-visits.js'
import { humanDuration } from '../../../model/duration.js'
import { type Estimate, periodRange, type ShownEstimate } from '../../../model/estimate.js'
import type { History } from '../../../model/history.js'
import type { Seconds } from '../../../model/units.js'
import { plainCommand } from '../../command.js'
import { type Environment, exitCode, type TextOutput } from '../../environment.js'
import { pageEstimate } from '../../text/estimate.js'
import { AlignedTable, columns } from '../../text/table.js'
import { closingLine, logOf, problemLines, type Tally } from '../../visit-log.js'
import { bulkEstimate, printStatement } from './bulk.js'
import { usesEngine } from './bulk-options.js'
import { betweenWriter, monthsWriter, pageBetween, pageMonths } from './calendar.js'
import { CsvFile } from './csv.js'
import { distributionWriter } from './distribution.js'
import { distributionJson } from './distribution-records.js'
import { estimateTable } from './estimate-table.js'
import { type HtmlReport, openReport, saveReport } from './html.js'
import {
  type EstimateFlags,
  type EstimateSettings,
  estimateHelp,
  estimateOptions,
  estimateSettings,
  fileAfterDates,
  type Order,
} from './options.js'
import { pageDistribution } from './page-distribution.js'
import { type PageWriter, recordWriter } from './page-writer.js'
import { settingsWithPrior } from './prior.js'
import { stalenessJson, stalenessWriter } from './staleness.js'
import { trendWriter } from './trend.js'
import { comparedJson, comparedTrends, trendJson } from './trend-records.js'

/** All methods side by side: one row a page, a column a method, change periods in the cells. */
function compareWriter({ estimators, level }: EstimateSettings, out: TextOutput): PageWriter {
  // A name on several lines keeps ten columns within a wide terminal.
  const titles = estimators.map(({ name }) => `>${name.replaceAll('-', '-\n')}`)
  const table = new AlignedTable(columns('page', ...titles), out)
  return {
    page({ url, history }) {
      const cells = estimators.map((estimator) => cell(pageEstimate(history, { estimator, level })))
      table.row([shown(url), ...cells])
    },
    end() {
      table.end()
      out.write('* with caution: --method NAME says why\n')
    },
  }
}

function cell({ changePeriod, verdict }: Estimate): string {
  if (verdict === 'always-changed') return 'each visit*'
  if (changePeriod === null) return '-'
  const text = changePeriod === 0 ? 'too fast' : humanDuration(changePeriod)
  return verdict === 'ok' ? text : `${text}*`
}

/**
 * What the options ask for as a JSON array: `{url, method, changeRate,
 * changePeriod, bounds, evidence, verdict}` for each page and method, or one
 * record a page for each of the other views, null where the page was never seen.
 */
function jsonWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  return recordWriter((page) => recordsOf(page, settings), out)
}

function recordsOf({ url, history }: PageHistory, settings: EstimateSettings): object[] {
  const { level, view } = settings
  switch (view.kind) {
    case 'estimate':
      return settings.estimators.map((estimator) => ({
        url,
        ...pageEstimate(history, { estimator, level }),
      }))
    case 'distribution':
      return settings.distributions.map((choice) => ({
        url,
        distribution:
          history === null ? null : distributionJson(pageDistribution(history, { level, choice })),
      }))
    case 'staleness':
      return [stalenessJson({ url, history }, { gaps: view.gaps, settings })]
    case 'trend': {
      const found = history === null ? null : trendRecord(history, settings)
      return [{ url, trend: found }]
    }
    case 'between':
      return [{ url, between: pageBetween(history, { span: view.span, level }) }]
    case 'months':
      return [{ url, ...pageMonths(history, { level }) }]
  }
}

function trendRecord(history: History, { trend, compare }: EstimateSettings): object {
  return compare ? comparedJson(comparedTrends(history, trend)) : trendJson(trendOf(history, trend))
}

/** One page a line, estimated by the one method. */
function tableWriter({ estimators, level }: EstimateSettings, out: TextOutput): PageWriter {
  const estimator = estimators[0]!
  const table = estimateTable({ level }, out)
  return {
    page: ({ url, history }) => table.page(url, pageEstimate(history, { estimator, level })),
    end: () => table.end(),
  }
}

/** The writer that the options ask for. */
function chooseWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  if (settings.json) return jsonWriter(settings, out)
  const { view } = settings
  switch (view.kind) {
    case 'estimate':
      return settings.compare ? compareWriter(settings, out) : tableWriter(settings, out)
    case 'distribution':
      return distributionWriter(settings, out)
    case 'staleness':
      return stalenessWriter(settings, { gaps: view.gaps, out })
    case 'trend':
      return trendWriter(settings, out)
    case 'between':
      return betweenWriter(settings, { span: view.span, out })
    case 'months':
      return monthsWriter(settings, out)
  }
}

/**
 * The pages in the order to show them: as in the log, or by URL, by change
 * period (the fastest first, those without one last) or by changes (the most
 * first). Holds one number a page; periods are estimated here and once more
 * when they are shown, which costs time rather than memory.
 */
function pageOrder(
  histories: PageHistories,
  settings: EstimateSettings,
): Iterable<number> & { readonly length: number } {
  const pages = Uint32Array.from({ length: histories.pages }, (_, page) => page)
  if (settings.order === undefined) return pages
  if (settings.order === 'url') return byUrl(histories, pages)
  const keys = sortKeys(histories, { order: settings.order, settings })
  return pages.sort((a, b) => keys[a]! - keys[b]! || a - b)
}

function byUrl(histories: PageHistories, pages: Uint32Array): Uint32Array {
  const urls = Array.from(pages, (page) => histories.url(page))
  return pages.sort((a, b) => (urls[a]! < urls[b]! ? -1 : urls[a]! > urls[b]! ? 1 : 0))
}

function sortKeys(
  histories: PageHistories,
  { order, settings }: { order: Order; settings: EstimateSettings },
): Float64Array {
  const keys = new Float64Array(histories.pages)
  const estimator = settings.estimators[0]!
  for (let page = 0; page < keys.length; page++) {
    const history = histories.history(page)
    const estimate = pageEstimate(history, { estimator, level: settings.level })
    // Finite, since a difference of infinities would be no order.
    const last = Number.MAX_VALUE
    keys[page] = order === 'period' ? (periodOf(estimate) ?? last) : -estimate.evidence.changes
  }
  return keys
}

/** The period to put a page in order by: of one that changed at every visit the longest that may be. */
function periodOf({ changePeriod, verdict, bounds }: ShownEstimate): Seconds | null {
  return verdict === 'always-changed' ? periodRange(bounds).longest : changePeriod
}

/** `revisit estimate FILE`: how often each page of a log changes. */
export const estimateCommand = plainCommand({
  description:
    'How often each page of a log of visits changes, with bounds. FILE is CSV, JSON lines, CDX, CDXJ, WARC (each gzipped or not) or Parquet, of which several files, folders and patterns are read by an engine; without FILE, or with -, the log is piped in.',
  arguments: [
    ['[FILES...]', 'the log of visits; several, folders or patterns where it is Parquet'],
  ],
  options: estimateOptions,
  more: estimateHelp,
  run: (environment, [files], flags) => estimate(environment, { files, flags }),
})

async function estimate(
  environment: Environment,
  { files, flags }: { files: readonly string[]; flags: EstimateFlags },
): Promise<number> {
  const settings = await settingsWithPrior(environment, {
    settings: estimateSettings(flags, { clock: environment.now() }),
    flags,
  })
  const log = fileAfterDates(files[0], flags)
  if (flags.printSql !== undefined) return printStatement(environment, { files, flags, settings })
  if (await usesEngine(environment, { files, flags, settings }))
    return bulkEstimate(environment, { files, flags, settings })
  for (const path of [settings.html, settings.csv])
    if (path !== undefined) await environment.mayReplace(path, log === undefined ? [] : [log])
  const html = settings.html === undefined ? undefined : await openReport(settings)
  const csv =
    settings.csv === undefined ? undefined : new CsvFile({ ...settings, csv: settings.csv })
  const run = new EstimateRun(environment, { settings, html, csv })
  const tally = await (settings.sorted ? run.streamed(log) : run.gathered(log))
  report(environment, { tally, settings })
  if (html !== undefined && tally.visits > 0) await saveReport(environment, { html, log, tally })
  if (csv !== undefined && tally.visits > 0) await csv.save(environment)
  return tally.visits === 0 ? exitCode.nothingLeft : exitCode.done
}

class EstimateRun {
  readonly #environment: Environment
  readonly #settings: EstimateSettings
  readonly #problems: Problems
  readonly #writer: PageWriter
  readonly #html: HtmlReport | undefined
  readonly #csv: CsvFile | undefined
  #changes = 0
  #written = 0

  constructor(
    environment: Environment,
    {
      settings,
      html,
      csv,
    }: {
      settings: EstimateSettings
      html: HtmlReport | undefined
      csv: CsvFile | undefined
    },
  ) {
    this.#environment = environment
    this.#settings = settings
    this.#html = html
    this.#csv = csv
    this.#problems = new Problems({ strict: settings.strict })
    this.#writer = chooseWriter(settings, environment.out)
  }

  /** A log sorted by page: each page is written as it ends, and nothing is kept. */
  async streamed(file: string | undefined): Promise<Tally> {
    const pages = new PageByPage({ now: this.#settings.now, each: (page) => this.#show(page) })
    const read = await this.#read(file, pages.take)
    pages.finish()
    return this.#end(pages, read)
  }

  /** A log in any order: read to the end, then written. */
  async gathered(file: string | undefined): Promise<Tally> {
    const { now, sort } = this.#settings
    const { seed } = this.#environment
    const histories = new (sort ? AnyTimeHistories : ForwardHistories)({ now, seed })
    const read = await this.#read(file, histories.take)
    if (histories instanceof AnyTimeHistories) histories.finish(this.#problems)
    this.#settings.fitPrior?.(historiesIn(histories))
    await this.#showAll(histories)
    return this.#end(histories, read)
  }

  #read(file: string | undefined, take: PageByPage['take']): Promise<ReadReport> {
    const problems = this.#problems
    const seen = this.#html?.noting(take) ?? take
    return logOf(this.#environment, { file, take: seen, settings: this.#settings, problems })
  }

  async #showAll(histories: PageHistories): Promise<void> {
    const progress = this.#environment.progress({
      label: 'estimating',
      total: histories.pages,
      writes: true,
    })
    for (const page of pageOrder(histories, this.#settings)) {
      this.#show({ url: histories.url(page), history: histories.history(page) })
      progress.at(this.#written)
      if (this.#written % 100 === 0) await this.#environment.out.drained()
    }
    progress.stop()
  }

  #show(page: PageHistory): void {
    for (const { changed } of page.history?.observations ?? []) if (changed) this.#changes++
    if (this.#written++ >= this.#settings.top) return
    this.#writer.page(page)
    this.#html?.page(page)
    this.#csv?.page(page)
  }

  #end({ pages, visits }: { pages: number; visits: number }, read: ReadReport): Tally {
    this.#writer.end()
    return { pages, visits, changes: this.#changes, problems: this.#problems, read }
  }
}

function* historiesIn(histories: PageHistories): Generator<History> {
  for (let page = 0; page < histories.pages; page++) {
    const history = histories.history(page)
    if (history !== null) yield history
  }
}

/** What a person reads beside the estimates: on stderr, so that JSON stays JSON. */
function report(
  { out, err }: Environment,
  { tally, settings }: { tally: Tally; settings: EstimateSettings },
): void {
  for (const line of problemLines(tally.problems, tally.read)) err.write(`${line}\n`)
  const closing = `${closingLine(tally)}\n`
  if (tally.visits === 0)
    err.write(
      `${closing.trimEnd()}: there was no visit to estimate from; see revisit estimate --help\n`,
    )
  else if (settings.json) err.write(closing)
  else out.write(`\n${closing}`)
}
