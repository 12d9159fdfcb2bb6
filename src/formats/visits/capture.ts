import { MINUS } from '../bytes/ascii.js'
import { type ByteSlice, sliceOf } from '../bytes/byte-slice.js'
import type { VisitFields } from './visit-fields.js'

/** One capture of a web archive, as CDX and CDXJ tell it. */
export interface Capture {
  /** The canonical key (SURT): http, https, www and ports are one page, and files are sorted by it. */
  readonly key: ByteSlice
  readonly url: ByteSlice
  readonly at: ByteSlice
  readonly status: ByteSlice
  readonly digest: ByteSlice
}

const failed = sliceOf('failed')
const unchanged = sliceOf('unchanged')

/**
 * A capture as a visit. Status 2xx, or `-` (a revisit record, which repeats the
 * digest), shows the content; 304 says that it is the same, and the digest of
 * its empty body is never compared; any other status is a failed visit.
 */
export function fillCapture(fields: VisitFields, capture: Capture): void {
  fields.key.copyFrom(capture.key)
  fields.url.copyFrom(isDash(capture.url) ? capture.key : capture.url)
  fields.at.copyFrom(capture.at)
  fields.hasDigest = true
  const { bytes, start, length } = capture.status
  if (
    length === 3 &&
    bytes[start] === 0x33 &&
    bytes[start + 2] === 0x34 &&
    bytes[start + 1] === 0x30
  )
    fields.changed.copyFrom(unchanged)
  else if (!isDash(capture.status) && !(length === 3 && bytes[start] === 0x32))
    fields.changed.copyFrom(failed)
  else if (!isDash(capture.digest)) fields.digest.copyFrom(capture.digest)
}

function isDash({ bytes, start, length }: ByteSlice): boolean {
  return length === 0 || (length === 1 && bytes[start] === MINUS)
}
