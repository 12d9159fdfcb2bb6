import type { CrawlerFlags } from '../configured.js'

/** The options of `revisit prior`. */
export interface PriorFlags extends CrawlerFlags {
  readonly format?: string
  readonly time?: string
  readonly zone?: string
  readonly group?: string
}
