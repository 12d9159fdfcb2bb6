import type { PublisherReader } from '../../model/index.js'
import { answerHints } from '../hints/answer-hints.js'
import { type FoundPagesOptions, foundPages } from './found-pages.js'

/** What publishers say, read from answers: for the loop. */
export function publisherReader(options: FoundPagesOptions = {}): PublisherReader {
  return {
    hints: answerHints,
    found: (answer, about) => foundPages(answer, about, options),
  }
}
