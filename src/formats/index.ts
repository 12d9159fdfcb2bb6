/**
 * Bytes in, records out, and back: visit logs, robots.txt, sitemaps, feeds, OPML, WARC, dates. Parsers take bytes, never sockets. Uses model.
 */
export { decodedText } from './charset.js'
export { type Attributes, type MarkupEvents, scanMarkup } from './markup/scan-markup.js'
export { type RobotsDirectives, userAgent } from './user-agent.js'
