import type { PublisherReader } from '../../model/index.js'
import { answerHints } from '../hints/answer-hints.js'
import type { ContentAnswer } from '../read/content-answer.js'
import { readContent } from '../read/read-content.js'
import { headerDirectives } from '../read/robots-directives.js'
import { type FoundPagesOptions, foundPages } from './found-pages.js'

/** Whether an answer says noindex, in its header or its page. */
function asksNotToBeListed(answer: ContentAnswer): boolean {
  const { body, headers } = answer
  if (headerDirectives(headers['x-robots-tag'] ?? '').noindex) return true
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return /noindex|none/i.test(bytes.toString('latin1')) && readContent(answer).robots.noindex
}

/** What publishers say, read from answers: for the loop. */
export function publisherReader(options: FoundPagesOptions = {}): PublisherReader {
  return {
    hints: answerHints,
    found: (answer, about) => foundPages(answer, about, options),
    unlisted: asksNotToBeListed,
  }
}
