import type { CrawlerFlags } from '../configured.js'

/** The options of `revisit watch` as they were written. */
export interface WatchFlags extends CrawlerFlags {
  readonly group?: string
  readonly importance?: string
  readonly hours?: string
  readonly policy?: string
  readonly objective?: string
  readonly shortest?: string
  readonly longest?: string
  readonly header?: readonly string[]
  readonly auth?: string
  readonly compare?: string
  readonly bits?: string
  readonly select?: readonly string[]
  readonly ignore?: readonly string[]
  readonly ignoreText?: readonly string[]
  readonly ignoreLines?: readonly string[]
  readonly ignorePaths?: readonly string[]
  readonly appear?: readonly string[]
  readonly disappear?: readonly string[]
  readonly readPlainly?: boolean
  readonly noiseCheck?: boolean
  readonly browser?: boolean
  readonly as?: string
  readonly anyHost?: boolean
  readonly discover?: boolean
  readonly depth?: string
  readonly pages?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}
