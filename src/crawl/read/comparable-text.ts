import { charsetOf } from '../../formats/index.js'
import { maskedTokens } from '../noise/masked-tokens.js'
import { textOf, tokensOf } from '../noise/tokens.js'
import { pdfTextOf } from './content/pdf-text.js'
import { plainText } from './content/plain-text.js'
import type { ContentAnswer } from './content-answer.js'
import { readHtml } from './html-reading.js'
import { mediaKind } from './media-kind.js'
import { leftOut } from './rules/left-out.js'
import { type PageRules, waitsForWords } from './rules/page-rules.js'

/**
 * The text of a content that counts by a page's rules, before masks; null for
 * what has none and is compared by its bytes. Throws a RuleFault where the
 * rules cannot read it.
 */
export function comparableText(answer: ContentAnswer, rules: PageRules): string | null {
  const text = wholeText(answer, rules)
  return text === null || text === '' ? null : leftOut(text, rules)
}

/** The same after masks: what fingerprints are made of, and what is shown of a change. */
export function countedText(answer: ContentAnswer, rules: PageRules): string | null {
  const text = comparableText(answer, rules)
  // A word that is waited for counts wherever it stands.
  if (text === null || rules.masks.length === 0 || waitsForWords(rules)) return text
  return textOf(maskedTokens(tokensOf(text), rules.masks).tokens)
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
