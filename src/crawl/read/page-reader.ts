import type { Reader } from '../../model/index.js'
import { lastModifiedOf } from './last-modified.js'
import { readContent } from './read-content.js'

/** Reads pages by their visible text, for the loop. */
export const pageReader: Reader = {
  read(answer) {
    const { fingerprint, lastModified } = readContent(answer)
    const mediaType = answer.headers['content-type']
    return {
      fingerprint,
      ...(lastModified === null ? {} : { lastModified }),
      ...(mediaType === undefined ? {} : { mediaType }),
    }
  },
  lastModified: ({ headers, at }) => lastModifiedOf(headers, { now: at }) ?? undefined,
}
