import type { Outcome, Seconds, UnixSeconds } from '../../model/index.js'
import { ByteSlice } from '../bytes/byte-slice.js'

/**
 * One visit as a line of a log tells it. The reader fills the same object for
 * every line: copy what you keep.
 */
export class VisitLine {
  line = 0
  /** What tells pages apart: the URL, or the canonical key of a CDX line. */
  readonly key = new ByteSlice()
  /** What a person calls the page. */
  readonly url = new ByteSlice()
  at: UnixSeconds = 0
  /** `by-digest`: changed if the digest differs from that of the successful visit before. */
  outcome: Outcome | 'by-digest' = 'first'
  readonly digest = new ByteSlice()
  lastModified: UnixSeconds | undefined = undefined
  calmFor: Seconds | undefined = undefined
}
