import type { Reader } from '../../model/index.js'
import { bytesFingerprint } from './fingerprint.js'
import { lastModifiedOf } from './last-modified.js'
import { type ContentAnswer, readContent } from './read-content.js'

/** Reads pages by their visible text, for the loop. */
export const pageReader: Reader = readerBy((answer) => readContent(answer).fingerprint)

/** About 20 MB of digests. */
const remembered = 50_000

/**
 * The same for a loop that comes back: bytes it has read before, of the same
 * type, are known by their digest and not read again, which costs a tenth.
 * Keeps the digests of the last contents, and none of the contents.
 */
export function rememberingPageReader({
  most = remembered,
}: {
  readonly most?: number
} = {}): Reader {
  const known = new Map<string, string>()
  return readerBy((answer) => {
    const key = `${bytesFingerprint(answer.body)} ${answer.headers['content-type'] ?? ''}`
    const before = known.get(key)
    if (before !== undefined) return before
    const { fingerprint } = readContent(answer)
    if (known.size >= most) for (const oldest of known.keys()) if (known.delete(oldest)) break
    known.set(key, fingerprint)
    return fingerprint
  })
}

function readerBy(fingerprintOf: (answer: ContentAnswer) => string): Reader {
  return {
    read(answer) {
      const lastModified = lastModifiedOf(answer.headers, { now: answer.at })
      const mediaType = answer.headers['content-type']
      return {
        fingerprint: fingerprintOf(answer),
        ...(lastModified === null ? {} : { lastModified }),
        ...(mediaType === undefined ? {} : { mediaType }),
      }
    },
    lastModified: ({ headers, at }) => lastModifiedOf(headers, { now: at }) ?? undefined,
  }
}
