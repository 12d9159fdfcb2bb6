export type { Chunks } from './bytes/gunzip.js'
export { shown } from './bytes/shown.js'
export { readRecordedChanges } from './change-times/recorded-changes.js'
export type {
  Feed,
  FeedCategory,
  FeedGenerator,
  FeedItem,
  FeedLink,
  FeedPart,
  FeedPerson,
} from './feed/feed.js'
export { feedOf } from './feed/feed-of.js'
export { readFeed } from './feed/read-feed.js'
export { type AtomEntry, type AtomFeed, writeAtom, xmlText } from './feed/write-atom.js'
export { AnyTimeHistories } from './histories/any-time-histories.js'
export { ForwardHistories } from './histories/forward-histories.js'
export { PageByPage, type PageHistory } from './histories/page-by-page.js'
export type { PageHistories } from './histories/page-histories.js'
export { decodedText as decodedEntities } from './markup/decoded-entities.js'
export { type HtmlEvents, scanHtml } from './markup/scan-html.js'
export { type HtmlPlaces, scanHtmlPlaces } from './markup/scan-html-places.js'
export { type Attributes, type MarkupEvents, scanMarkup } from './markup/scan-markup.js'
export { type OpmlOutline, readOpml } from './opml/opml.js'
export { type Refusal, refusal } from './refusal.js'
export { percentNormalForm } from './robots/percent-normal-form.js'
export { productToken } from './robots/product-token.js'
export {
  longestRobots,
  type RobotsRule,
  type RobotsRules,
  readRobots,
} from './robots/robots-file.js'
export { RobotsPermit } from './robots/robots-permit.js'
export { readSitemap } from './sitemap/read-sitemap.js'
export type { Sitemap, SitemapEntry } from './sitemap/sitemap.js'
export { boundedDiff } from './text/bounded-diff.js'
export { charsetOf, charsetOfHeader, wideCharset } from './text/charset.js'
export { decodedText } from './text/decoded-text.js'
export { type DiffLine, lineDiff, type Words } from './text/line-diff.js'
export { cut, type TextChange, textChange } from './text/text-change.js'
export { httpDate } from './time/http-date.js'
export { looseDate } from './time/loose-date.js'
export { type TimeKind, type TimeOptions, timeKinds } from './time/time-reading.js'
export { type VisitFormat, visitFormats } from './visits/detect.js'
export { type AddressOf, GatheredVisits } from './visits/gathered-visits.js'
export { type LoadDuckDb, readParquet } from './visits/parquet.js'
export { type Problem, Problems } from './visits/problems.js'
export { type ReadOptions, type ReadReport, readVisits } from './visits/read-visits.js'
export { VisitLine } from './visits/visit-line.js'
export { csvHead, csvRow, jsonRow, type VisitSpan, visitStretches } from './visits/visit-rows.js'
export type { TakeVisit } from './visits/visit-taker.js'
export type { Capture, EarlierCapture } from './warc/capture.js'
export { payloadDigest } from './warc/payload-digest.js'
export { readWarc } from './warc/read-warc.js'
export { writeWarc } from './warc/write-warc.js'
