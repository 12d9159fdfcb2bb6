/**
 * What counts as a change: readers, selectors, fingerprints, `noise/`, and diffs of kept versions. Uses model and formats.
 */
export {
  BoundedCalls,
  type BoundedCallsOptions,
  type BoundedWork,
} from './bounded/bounded-calls.js'
export type {
  ChangeBetween,
  Incomparable,
  LinesAsked,
  LinesBetween,
  TextIn,
} from './bounded/diff-jobs.js'
export {
  type KeptContent,
  VersionDiffs,
  type VersionDiffsOptions,
  type VersionPair,
  whyIncomparable,
} from './bounded/version-diffs.js'
export type { View } from './comparable-text.js'
export {
  bitsApart,
  bytesFingerprint,
  compareFingerprints,
  composed,
  simhash,
  textFingerprint,
  wordsAndLinks,
} from './fingerprint.js'
export {
  type HtmlReading,
  type HtmlReadingOptions,
  type PageLink,
  type PageMeta,
  readHtml,
} from './html-reading.js'
export { type MediaKind, mediaKind, readPdf } from './media-text.js'
export { type Mask, type Noise, noiseOf, noNoise } from './noise/masks.js'
export { pageReader, rememberingPageReader } from './page-reader.js'
export {
  type ContentAnswer,
  type Reading,
  type ReadOptions,
  readContent,
  validatorsOf,
} from './read-content.js'
export { type Comparison, comparisons, type ReadingRules, readingRules } from './reading-rules.js'
export {
  boundedDiff,
  type DiffLine,
  lineDiff,
  type TextChange,
  textChange,
  type Words,
} from './text-diff.js'
