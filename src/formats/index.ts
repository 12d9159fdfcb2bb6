/**
 * Bytes in, records out, and back: visit logs, robots.txt, sitemaps, feeds, OPML, WARC, dates. Parsers take bytes, never sockets. Uses model.
 */
export { decodedText } from './charset.js'
export type { Attributes } from './markup/html-tag.js'
export { type HtmlEvents, scanHtml } from './markup/scan-html.js'
export { type RobotsDirectives, userAgent } from './user-agent.js'
