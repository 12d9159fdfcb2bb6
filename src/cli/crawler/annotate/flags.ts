import type { CrawlerFlags } from '../configured.js'

/** The options of `revisit annotate`. */
export interface AnnotateFlags extends CrawlerFlags {
  readonly store?: boolean
  readonly base?: string
  readonly dryRun?: boolean
  readonly print?: boolean
  readonly keep?: boolean
  readonly touch?: boolean
  readonly literal?: boolean
  readonly weeks?: string
}
