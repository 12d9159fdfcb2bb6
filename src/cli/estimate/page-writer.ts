import type { PageHistory } from '../../formats/index.js'
import type { TextOutput } from '../world.js'
import { compareWriter } from './compare-writer.js'
import { jsonWriter } from './json-writer.js'
import type { EstimateSettings } from './settings.js'
import { tableWriter } from './table-writer.js'

/** Writes the estimates of pages, one after the other. */
export interface PageWriter {
  page(page: PageHistory): void
  /** All pages are written. */
  end(): void
}

export function pageWriter(settings: EstimateSettings, out: TextOutput): PageWriter {
  if (settings.json) return jsonWriter(settings, out)
  return settings.compare ? compareWriter(settings, out) : tableWriter(settings, out)
}
