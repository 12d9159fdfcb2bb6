/**
 * Bytes in, records out, and back: visit logs, robots.txt, sitemaps, feeds, OPML, WARC, dates. Parsers take bytes, never sockets. Uses model.
 */
export type { Chunks } from './bytes/gunzip.js'
export { readRecordedChanges } from './change-times/recorded-changes.js'
export { charsetOf, charsetOfHeader, decodedText, wideCharset } from './charset.js'
export type {
  Feed,
  FeedCategory,
  FeedGenerator,
  FeedItem,
  FeedLink,
  FeedPart,
  FeedPerson,
} from './feed/feed-part.js'
export { feedOf, readFeed } from './feed/read-feed.js'
export { type AtomEntry, type AtomFeed, writeAtom, xmlText } from './feed/write-atom.js'
export { PageByPage, type PageHistory } from './histories/page-by-page.js'
export {
  AnyTimeHistories,
  ForwardHistories,
  type PageHistories,
} from './histories/page-histories.js'
export { decodedText as decodedEntities } from './markup/html-tag.js'
export { type HtmlEvents, type HtmlPlaces, scanHtml, scanHtmlPlaces } from './markup/scan-html.js'
export { type Attributes, type MarkupEvents, scanMarkup } from './markup/scan-markup.js'
export { type OpmlOutline, readOpml } from './opml.js'
export { percentNormalForm } from './percent-encoding.js'
export { escaped, shown, shownText } from './printable-text.js'
export { type Problem, Problems, type Refusal, refusal } from './problems.js'
export { readWarc } from './read-warc.js'
export {
  longestRobots,
  productToken,
  type RobotsRule,
  type RobotsRules,
  readRobots,
} from './robots-file.js'
export { RobotsPermit } from './robots-permit.js'
export { readSitemap, type Sitemap, type SitemapEntry } from './sitemap.js'
export { type TimeKind, type TimeOptions, timeKinds } from './time/log-times.js'
export { httpDate, looseDate } from './time/web-dates.js'
export {
  hostOf,
  type NormalUrlOptions,
  normalUrl,
  originOf,
  robotsUrl,
  trackingParameters,
} from './url.js'
export {
  headerDirectives,
  metaDirectives,
  productName,
  type RobotsDirectives,
  userAgent,
} from './user-agent.js'
export { type AddressOf, GatheredVisits } from './visit-log/gathered-visits.js'
export { type LoadDuckDb, readParquet } from './visit-log/parquet.js'
export {
  type ReadOptions,
  type ReadReport,
  readVisits,
  type VisitFormat,
  visitFormats,
} from './visit-log/read-visits.js'
export { type TakeVisit, VisitLine } from './visit-log/visit-line.js'
export {
  csvHead,
  csvRow,
  jsonRow,
  type VisitSpan,
  visitStretches,
} from './visit-log/write-visits.js'
export { type Capture, type EarlierCapture, payloadDigest, writeWarc } from './write-warc.js'
