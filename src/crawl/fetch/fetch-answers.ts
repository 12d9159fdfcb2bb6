import type { Answered, FetchAnswer, Seconds } from '../../model/index.js'
import { retryAfter } from './retry-after.js'

/** Field by field, here and below: every visit ends here, and copying an object with more to it takes several times as long. */
export function contentAnswer(body: Uint8Array, answered: Answered): FetchAnswer {
  const { status, at, headers, url, bytesReceived, movedTo } = answered
  const content = { kind: 'content' as const, status, at, headers, url, bytesReceived, body }
  return movedTo === undefined ? content : { ...content, movedTo }
}

export function plainAnswer(
  kind: 'not-modified' | 'gone' | 'refused',
  answered: Answered,
): FetchAnswer {
  const { status, at, headers, url, bytesReceived, movedTo } = answered
  const answer = { kind, status, at, headers, url, bytesReceived }
  return movedTo === undefined ? answer : { ...answer, movedTo }
}

/** The server asks to come back, for no longer than `most`, or failed. */
export function laterAnswer(answered: Answered, most: Seconds): FetchAnswer {
  const { at, headers } = answered
  const wait = retryAfter(headers['retry-after'], { now: at, most })
  return { ...answered, kind: 'later', retryAfter: wait }
}
