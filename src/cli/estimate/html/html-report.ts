import { type PageHistory, shown, type TakeVisit } from '../../../formats/index.js'
import { humanTime } from '../../../model/index.js'
import type { IndexEntry, PageReport, ReportPage } from '../../../report/index.js'

import type { World } from '../../world.js'
import { pageEstimate } from '../page-estimate.js'
import { closingLine, type Tally } from '../report.js'
import type { EstimateSettings } from '../settings.js'
import { MissedVisits } from './missed-visits.js'
import { pageReport } from './page-report.js'

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
    const { level, figures } = this.#settings
    const estimator = this.#estimator
    this.#total++
    if (this.#pages.length < figures)
      this.#pages.push(pageReport(page, { estimator, level, missed: this.#missed.of(page.url) }))
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
  const { reportPage } = await import('../../../report/index.js')
  return new HtmlReport({ ...settings, html: settings.html! }, reportPage)
}

/** Writes the report and says where it is. */
export async function saveReport(
  world: World,
  { html, log, tally }: { html: HtmlReport; log: string | undefined; tally: Tally },
): Promise<void> {
  const source = log === undefined || log === '-' ? 'standard input' : log
  const made = humanTime(world.now()).replace('T', ' ').replace('Z', ' UTC')
  await world.save(
    html.path,
    html.html({
      intro: `${closingLine(tally)}. All times are UTC.`,
      foot: `Made by revisit ${world.version} from ${source}, ${made}.`,
    }),
  )
  world.err.write(`report written to ${shown(html.path)}\n`)
}
