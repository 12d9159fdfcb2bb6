import { trendOf } from '../../estimate/index.js'
import type { PageHistory } from '../../formats/index.js'
import type { TextOutput } from '../world.js'
import { pageBetween } from './calendar/between-writer.js'
import { pageMonths } from './calendar/page-months.js'
import { distributionJson } from './distribution/distribution-json.js'
import { pageDistribution } from './distribution/page-distribution.js'
import { pageEstimate } from './page-estimate.js'
import type { PageWriter } from './page-writer.js'
import { recordWriter } from './record-writer.js'
import type { EstimateSettings } from './settings.js'
import { trendJson } from './trend/trend-json.js'

/**
 * What the options ask for as a JSON array: `{url, method, changeRate,
 * changePeriod, bounds, evidence, verdict}` for each page and method, or one
 * record a page for each of the other views, null where the page was never seen.
 */
export function jsonWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
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
    case 'distribution': {
      const found = history === null ? null : distributionJson(pageDistribution(history, { level }))
      return [{ url, distribution: found }]
    }
    case 'trend': {
      const found = history === null ? null : trendJson(trendOf(history, { predict: { level } }))
      return [{ url, trend: found }]
    }
    case 'between':
      return [{ url, between: pageBetween(history, { span: view.span, level }) }]
    case 'months':
      return [{ url, ...pageMonths(history, { level }) }]
  }
}
