import type { TextOutput } from '../world.js'
import { betweenWriter } from './calendar/between-writer.js'
import { monthsWriter } from './calendar/months-writer.js'
import { compareWriter } from './compare-writer.js'
import { distributionWriter } from './distribution/distribution-writer.js'
import { jsonWriter } from './json-writer.js'
import type { PageWriter } from './page-writer.js'
import type { EstimateSettings } from './settings.js'
import { tableWriter } from './table-writer.js'
import { trendWriter } from './trend/trend-writer.js'

/** The writer that the options ask for. */
export function chooseWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  if (settings.json) return jsonWriter(settings, out)
  const { view } = settings
  switch (view.kind) {
    case 'estimate':
      return settings.compare ? compareWriter(settings, out) : tableWriter(settings, out)
    case 'distribution':
      return distributionWriter(settings, out)
    case 'trend':
      return trendWriter(settings, out)
    case 'between':
      return betweenWriter(settings, { span: view.span, out })
    case 'months':
      return monthsWriter(settings, out)
  }
}
