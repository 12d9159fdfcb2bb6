import { charsetOf } from '../../formats/index.js'
import { pdfTextOf } from './content/pdf-text.js'
import { plainText } from './content/plain-text.js'
import type { ContentAnswer } from './content-answer.js'
import { readHtml } from './html-reading.js'
import { mediaKind } from './media-kind.js'
import { leftOut } from './rules/left-out.js'
import type { PageRules } from './rules/page-rules.js'

/**
 * The text of a content that counts by a page's rules, before masks; null for
 * what has none and is compared by its bytes. Throws a RuleFault where the
 * rules cannot read it.
 */
export function comparableText(answer: ContentAnswer, rules: PageRules): string | null {
  const text = wholeText(answer, rules)
  return text === null || text === '' ? null : leftOut(text, rules)
}

function wholeText(answer: ContentAnswer, rules: PageRules): string | null {
  const { body, headers, url } = answer
  const contentType = headers['content-type']
  const kind = mediaKind(body, contentType)
  if (kind === 'binary') return pdfTextOf(answer) ?? null
  const whole = new TextDecoder(charsetOf(body, contentType)).decode(body)
  if (kind === 'text') return plainText(whole, { contentType, ignored: rules.paths })
  const { select, ignore, compare } = rules
  const links = compare === 'words-and-links' ? ('within' as const) : false
  return readHtml(whole, { url, links, select, ignore }).text
}
