import { charsetOf } from '../../formats/index.js'
import type { ContentAnswer } from './content-answer.js'
import { mediaKind } from './media-kind.js'
import { readContent } from './read-content.js'
import { visibleFingerprint } from './visible-fingerprint.js'

/** The fingerprint alone that `readContent` gives, for who needs no more of a content. */
export function contentFingerprint(answer: ContentAnswer): string {
  const { body, headers } = answer
  const contentType = headers['content-type']
  const isPage = mediaKind(body, contentType) === 'html' && charsetOf(body, contentType) === 'utf-8'
  const known = isPage ? visibleFingerprint(body) : undefined
  return known ?? readContent(answer).fingerprint
}
