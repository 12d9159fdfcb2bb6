import { isAscii } from 'node:buffer'
import { charsetOf } from '../../formats/index.js'
import type { ContentAnswer } from './content-answer.js'
import { mediaKind } from './media-kind.js'
import { readContent } from './read-content.js'
import { visibleFingerprint } from './visible-fingerprint.js'

/** The fingerprint alone that `readContent` gives, for who needs no more of a content. */
export function contentFingerprint(answer: ContentAnswer): string {
  const known = isUtf8Page(answer) ? visibleFingerprint(answer.body) : undefined
  return known ?? readContent(answer).fingerprint
}

/** Whether a content is a page that can be read as one in UTF-8, if its bytes are that. */
function isUtf8Page({ body, headers }: ContentAnswer): boolean {
  const contentType = headers['content-type']
  if (mediaKind(body, contentType) !== 'html') return false
  const charset = charsetOf(body, contentType)
  return charset === 'utf-8' || (charset === 'windows-1252' && isAscii(body))
}
