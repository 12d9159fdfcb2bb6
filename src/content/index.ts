/**
 * What counts as a change: readers, selectors, fingerprints, `noise/`, and diffs of kept versions. Uses model and formats.
 */
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
export { pageReader, rememberingPageReader } from './page-reader.js'
