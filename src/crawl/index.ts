export { AddressGuard, type AddressOptions } from './address/address-guard.js'
export {
  NameResolver,
  type NameResolverOptions,
  type Resolve,
  type ResolvedAddress,
} from './address/name-resolver.js'
export { isPublicAddress } from './address/public-address.js'
export {
  BoundedCalls,
  type BoundedCallsOptions,
  type BoundedWork,
} from './bounded/bounded-calls.js'
export { BoundedReading, type BoundedReadingOptions } from './bounded/bounded-reading.js'
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
export { systemClock } from './clock/system-clock.js'
export { fitsAddress } from './discover/address-pattern.js'
export {
  type DiscoverRules,
  defaultDiscovery,
  discoverRules,
  isList,
  listRole,
} from './discover/discover-rules.js'
export { type FoundPagesOptions, foundPages } from './discover/found-pages.js'
export { publisherReader } from './discover/publisher-reader.js'
export { looksEndless, sessionParameters, shapeOf, withoutSession } from './discover/trap.js'
export { DrawingFetcher, type DrawingFetcherOptions } from './fetch/drawing-fetcher.js'
export type { BrowserKit, BrowserRequest, BrowserResponse } from './fetch/drawn-page.js'
export { defaultLimits, type FetchLimits, fetchLimits } from './fetch/fetch-limits.js'
export { HttpFetcher, type HttpFetcherOptions } from './fetch/http-fetcher.js'
export { playwrightBrowser } from './fetch/playwright-browser.js'
export { basicAuthorization } from './fetch/request-headers.js'
export { productName, userAgent } from './fetch/user-agent.js'
export type { Admission, EnterTerms, Permit } from './gate/admission.js'
export { type DayCount, noRequests } from './gate/day-count.js'
export { HostGate, type HostGateOptions } from './gate/host-gate.js'
export {
  allowedAt,
  delayOf,
  type HostState,
  hostFrom,
  hostInTime,
  hostOpensAt,
  newHost,
  type RequestEnd,
  recordOf,
  requestEnded,
  requestStarted,
} from './gate/host-state.js'
export { backoff, defaultPoliteness, type Politeness, politeness } from './gate/politeness.js'
export { SharedBudget } from './gate/shared-budget.js'
export { answerHints } from './hints/answer-hints.js'
export { cacheLifetime } from './hints/cache-lifetime.js'
export { changeFrequencyTag } from './hints/change-frequency-tag.js'
export { entryHints, type ListEntry, listEntries, type PageList } from './hints/list-entries.js'
export { namedPace } from './hints/named-pace.js'
export { type Mask, type Noise, noiseOf, noNoise } from './noise/noise.js'
export { type CloserLookOptions, pageCloserLook } from './noise/page-closer-look.js'
export { compareFingerprints } from './read/compare/compare-fingerprints.js'
export { bitsApart, simhash } from './read/compare/simhash.js'
export { wordsAndLinks } from './read/compare/words-and-links.js'
export { readPdf } from './read/content/pdf-text.js'
export type { ContentAnswer } from './read/content-answer.js'
export { bytesFingerprint, composed, textFingerprint } from './read/fingerprint.js'
export {
  type HtmlReading,
  type HtmlReadingOptions,
  type PageMeta,
  readHtml,
} from './read/html-reading.js'
export { lastModifiedOf } from './read/last-modified.js'
export { type MediaKind, mediaKind } from './read/media-kind.js'
export type { PageLink } from './read/page-links.js'
export { pageReader, rememberingPageReader } from './read/page-reader.js'
export {
  type Reading,
  type ReadOptions,
  readContent,
  validatorsOf,
} from './read/read-content.js'
export {
  headerDirectives,
  metaDirectives,
  type RobotsDirectives,
} from './read/robots-directives.js'
export {
  type Comparison,
  comparisons,
  type ReadingRules,
  readingRules,
} from './read/rules/reading-rules.js'
export type { View } from './read/viewed-text.js'
export { isCurrent, type RobotsRecord, robotsAllow, robotsRecord } from './robots/robots-record.js'
export { type NormalUrlOptions, normalUrl } from './url/normal-url.js'
export { hostOf, originOf, robotsUrl } from './url/site.js'
export { trackingParameters } from './url/tracking-parameters.js'
export { BudgetedVisitor } from './visit/budgeted-visitor.js'
export type { PoliteVisit } from './visit/polite-visit.js'
export { PoliteVisitor } from './visit/polite-visitor.js'
export { StoredVisitor } from './visit/stored-visitor.js'
export type { PoliteVisitorOptions, VisitOptions } from './visit/visit-options.js'
