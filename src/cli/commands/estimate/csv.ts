import { csvField } from '../../../formats/csv-table.js'
import type { PageHistory } from '../../../formats/histories/page-by-page.js'
import { shown } from '../../../formats/printable-text.js'
import { OptionError } from '../../../model/errors.js'
import type { Environment } from '../../environment.js'
import { pageEstimate } from '../../text/estimate.js'
import { distributionCsv, distributionCsvHead } from './distribution-records.js'
import type { EstimateSettings } from './options.js'
import { pageDistribution } from './page-distribution.js'
import { pageStaleness, stalenessCsv, stalenessCsvHead } from './staleness.js'
import { trendCsv, trendCsvHead } from './trend-records.js'

const estimateHead =
  'url,method,change_period,change_rate,low,high,level,visits,comparisons,changes,verdict'

interface CsvView {
  readonly head: string
  lines(page: PageHistory): readonly string[]
}

/** What a view writes; the calendar's views have no CSV. */
function viewOf(settings: EstimateSettings): CsvView {
  const { view, level } = settings
  switch (view.kind) {
    case 'estimate':
      return { head: estimateHead, lines: (page) => estimateLines(page, settings) }
    case 'distribution':
      return {
        head: distributionCsvHead,
        lines: ({ url, history }) =>
          history === null
            ? []
            : settings.distributions.flatMap((choice) =>
                distributionCsv(url, pageDistribution(history, { level, choice })),
              ),
      }
    case 'staleness':
      return {
        head: stalenessCsvHead,
        lines: ({ url, history }) =>
          stalenessCsv(
            url,
            pageStaleness(history, {
              gaps: view.gaps,
              level,
              choice: settings.distributions[0]!,
            }),
          ),
      }
    case 'trend':
      return { head: trendCsvHead, lines: (page) => trendCsv(page, settings) }
    default:
      throw new OptionError(
        'options-conflict',
        `--csv and --${view.kind} do not go together; --json has all of it`,
      )
  }
}

function estimateLines({ url, history }: PageHistory, settings: EstimateSettings): string[] {
  const { estimators, level } = settings
  return estimators.map((estimator) => {
    const estimate = pageEstimate(history, { estimator, level })
    const { method, changePeriod, changeRate, bounds, evidence, verdict } = estimate
    return [
      csvField(url),
      method,
      changePeriod ?? '',
      changeRate ?? '',
      bounds?.low ?? '',
      bounds?.high ?? '',
      bounds?.level ?? '',
      evidence.visits,
      evidence.observations,
      evidence.changes,
      verdict,
    ].join(',')
  })
}

/** `--csv`: gathers what the view shows as lines of CSV; low and high are of the change rate. */
export class CsvFile {
  readonly path: string
  readonly #view: CsvView
  readonly #lines: string[] = []

  constructor(settings: EstimateSettings & { readonly csv: string }) {
    this.path = settings.csv
    this.#view = viewOf(settings)
  }

  page(page: PageHistory): void {
    for (const line of this.#view.lines(page)) this.#lines.push(line)
  }

  async save({ save, err }: Environment): Promise<void> {
    await save(this.path, `${[this.#view.head, ...this.#lines].join('\n')}\n`)
    err.write(`CSV written to ${shown(this.path)}\n`)
  }
}
