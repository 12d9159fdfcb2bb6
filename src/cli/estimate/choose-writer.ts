import type { TextOutput } from '../world.js'
import { compareWriter } from './compare-writer.js'
import { jsonWriter } from './json-writer.js'
import type { PageWriter } from './page-writer.js'
import type { EstimateSettings } from './settings.js'
import { tableWriter } from './table-writer.js'

/** The writer that the options ask for. */
export function chooseWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  if (settings.json) return jsonWriter(settings, out)
  return settings.compare ? compareWriter(settings, out) : tableWriter(settings, out)
}
