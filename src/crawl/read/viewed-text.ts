import { decodedText } from '../../formats/index.js'
import { countedText } from './comparable-text.js'
import { countedWords, linkMark } from './compare/words-and-links.js'
import { pdfTextOf } from './content/pdf-text.js'
import type { ContentAnswer } from './content-answer.js'
import { composed } from './fingerprint.js'
import { mediaKind } from './media-kind.js'
import { readContent } from './read-content.js'
import { type PageRules, waitsForWords } from './rules/page-rules.js'

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
  return isText(answer) ? decodedText(answer.body, answer.headers['content-type']) : null
}

function isText({ body, headers }: ContentAnswer): boolean {
  return mediaKind(body, headers['content-type']) !== 'binary'
}
