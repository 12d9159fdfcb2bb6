import { charsetOf, decodedText } from '../formats/charset.js'
import { leftOut } from './apply-rules.js'
import { composed, countedWords, linkMark } from './fingerprint.js'
import { readHtml } from './html-reading.js'
import { withoutPicture } from './kept-picture.js'
import { mediaKind, pdfTextOf, plainText } from './media-text.js'
import { maskedTokens } from './noise/masks.js'
import { textOf, tokensOf } from './noise/tokens.js'
import { type ContentAnswer, readContent } from './read-content.js'
import { type PageRules, waitsForWords } from './reading-rules.js'

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

/**
 * What is shown of a content: what is compared of it by its page's rules and
 * masks, the whole page with its title, or its source.
 */
export type View = 'compared' | 'whole' | 'source'

/**
 * The text of a content in a view, as a person reads it; null where it has
 * none, as a picture. Throws a RuleFault where the rules cannot read it.
 */
export function viewedText(
  answer: ContentAnswer,
  { view, rules }: { readonly view: View; readonly rules: PageRules },
): string | null {
  if (view === 'whole') return pageText(answer)
  const bytes = rules.compare === 'bytes' && !waitsForWords(rules)
  return view === 'source' || bytes ? sourceText(answer) : comparedText(answer, rules)
}

function comparedText(answer: ContentAnswer, rules: PageRules): string | null {
  const counted = countedText(answer, rules)
  if (counted === null) return isText(answer) ? '' : null
  const plain = composed(counted)
  if (rules.compare === 'words-and-links' && !waitsForWords(rules)) return listed(plain)
  // Tokens are put together with spaces around line ends, too.
  const lines = rules.masks.length === 0 ? plain : plain.replace(/ ?\n ?/g, '\n')
  return lines.replaceAll(linkMark, '')
}

/** Where order does not count a text that keeps it would show moved lines: one word or link a line. */
function listed(text: string): string {
  const { words, links } = countedWords(text)
  const lines = [...words.keys()]
    .sort()
    .flatMap((word) => new Array<string>(words.get(word)!).fill(word))
  return [...lines, ...[...links].sort()].join('\n').replaceAll(linkMark, '')
}

function pageText(answer: ContentAnswer): string | null {
  const { title, text } = readContent(answer)
  const whole = text ?? pdfTextOf(answer) ?? null
  return title === null || whole === null ? whole : `${title}\n${whole}`
}

function sourceText(answer: ContentAnswer): string | null {
  const body = withoutPicture(answer.body)
  return isText(answer) ? decodedText(body, answer.headers['content-type']) : null
}

function isText({ body, headers }: ContentAnswer): boolean {
  return mediaKind(body, headers['content-type']) !== 'binary'
}
