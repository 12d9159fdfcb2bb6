import { shown } from '../../formats/index.js'
import type { TextOutput } from '../world.js'
import { pageEstimate } from './page-estimate.js'
import type { PageWriter } from './page-writer.js'
import type { EstimateSettings } from './settings.js'

/**
 * An array of `{url, method, changeRate, changePeriod, bounds, evidence,
 * verdict}`, one element a page and method, written as the pages come. Signs
 * that a terminal would obey are written as JSON escapes.
 */
export function jsonWriter({ estimators, level }: EstimateSettings, out: TextOutput): PageWriter {
  let before = '['
  return {
    page({ url, history }) {
      for (const estimator of estimators) {
        const estimate = pageEstimate(history, { estimator, level })
        out.write(`${before}\n${shown(JSON.stringify({ url, ...estimate }))}`)
        before = ','
      }
    },
    end() {
      out.write(before === '[' ? '[]\n' : '\n]\n')
    },
  }
}
