import type { FetchAnswer, Hint } from '../../model/index.js'
import { lastModifiedOf } from '../read/last-modified.js'
import { readContent } from '../read/read-content.js'
import { cacheLifetime } from './cache-lifetime.js'
import { changeFrequencyTag } from './change-frequency-tag.js'

const tagName = 'change-frequency'
/** Most pages have no tag, and a look costs a hundredth of reading them. */
const mayHaveTag = /change.{0,12}?frequency/i

/** The hints that an answer gives of its own page: its tag, Last-Modified, its cache lifetime. */
export function answerHints(
  answer: FetchAnswer & { readonly kind: 'content' | 'not-modified' },
): readonly Hint[] {
  const { headers, at } = answer
  const hints: Hint[] = []
  const declared = answer.kind === 'content' ? declaredBy(answer) : null
  if (declared !== null) hints.push({ kind: 'meta', claim: { says: 'declared', declared } })
  const changedAt = lastModifiedOf(headers, { now: at })
  if (changedAt !== null)
    hints.push({ kind: 'last-modified', claim: { says: 'changed-at', at: changedAt } })
  const duration = cacheLifetime(headers, { now: at })
  if (duration !== null) hints.push({ kind: 'cache', claim: { says: 'fresh-for', duration } })
  return hints
}

/** The first tag that says something counts. */
function declaredBy(answer: FetchAnswer & { readonly kind: 'content' }) {
  const { body } = answer
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (!isWide(answer) && !mayHaveTag.test(bytes.toString('latin1'))) return null
  for (const { name, content } of readContent(answer).metas) {
    const declared = name === tagName ? changeFrequencyTag(content) : null
    if (declared !== null) return declared
  }
  return null
}

/** Whether letters may take two bytes each, so that a look at single bytes finds no words. */
function isWide({ body, headers }: FetchAnswer & { readonly kind: 'content' }): boolean {
  const marked = body[0]! + body[1]! === 0xff + 0xfe || body[0] === 0 || body[1] === 0
  return marked || /utf-?16/i.test(headers['content-type'] ?? '')
}
