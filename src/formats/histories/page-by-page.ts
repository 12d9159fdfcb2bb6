import { InputError } from '../../model/errors.js'
import { type History, historyOf, type Visit, visitTimeFault } from '../../model/history.js'
import type { UnixSeconds } from '../../model/units.js'
import { ByteSlice } from '../bytes/byte-slice.js'
import { quoted } from '../printable-text.js'
import type { Refusal } from '../problems.js'
import type { VisitLine } from '../visit-log/visit-line.js'
import { digestAfter, digestNumber, noDigest, outcomeByDigest } from './digest.js'
import { isText, notText } from './url-table.js'

/** Below, at or above 0 as `a` sorts before, with or after `b` by bytes, as `LC_ALL=C sort` does. */
function compareBytes(a: ByteSlice, b: ByteSlice): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = a.bytes[a.start + i]! - b.bytes[b.start + i]!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

export interface PageHistory {
  readonly url: string
  /** Null if no visit of the page succeeded. */
  readonly history: History | null
}

/**
 * Gives each page of a log that is sorted by page as soon as it ends, and keeps
 * nothing of it. A page that comes before its predecessor in the order of bytes
 * stops the reading: its visits may be spread over the file, so that every
 * estimate would be wrong without a sign.
 */
export class PageByPage {
  readonly #now: UnixSeconds
  readonly #each: (page: PageHistory) => void
  readonly #key = new ByteSlice()
  #url = ''
  #begun = false
  #page: Visit[] = []
  #triedAt = -Infinity
  #digest = noDigest
  #visits = 0
  #pages = 0

  constructor({ now, each }: { now: UnixSeconds; each: (page: PageHistory) => void }) {
    this.#now = now
    this.#each = each
  }

  readonly take = (visit: VisitLine): Refusal | undefined => {
    const impossible = visitTimeFault(visit.at, { after: -Infinity, now: this.#now })
    if (impossible !== undefined) return impossible
    const order = this.#begun ? compareBytes(visit.key, this.#key) : 1
    if (order < 0) throw notSorted(visit)
    if (order > 0) {
      if (!isText(visit.key) || !isText(visit.url)) return notText
      this.finish()
      this.#begin(visit)
    }
    const fault = visitTimeFault(visit.at, { after: this.#triedAt, now: this.#now })
    if (fault !== undefined) return fault
    this.#triedAt = visit.at
    this.#visits++
    this.#keep(visit)
    return undefined
  }

  /** The log is over: gives the last page. */
  finish(): void {
    if (!this.#begun) return
    this.#begun = false
    this.#pages++
    this.#each({ url: this.#url, history: historyOf(this.#page) })
  }

  get pages(): number {
    return this.#pages
  }

  get visits(): number {
    return this.#visits
  }

  #begin({ key, url }: VisitLine): void {
    this.#key.bytes = key.bytes.slice(key.start, key.end)
    this.#key.end = key.length
    this.#url = url.text()
    this.#begun = true
    this.#page = []
    this.#triedAt = -Infinity
    this.#digest = noDigest
  }

  #keep(visit: VisitLine): void {
    const byDigest = visit.outcome === 'by-digest'
    const digest = byDigest ? digestNumber(visit.digest) : noDigest
    const outcome =
      visit.outcome === 'by-digest' ? outcomeByDigest(digest, this.#digest) : visit.outcome
    this.#digest = digestAfter({ outcome, digest }, this.#digest)
    const { at, lastModified, unchangedFor } = visit
    const logged = lastModified === undefined ? { at, outcome } : { at, outcome, lastModified }
    this.#page.push(unchangedFor === undefined ? logged : { ...logged, unchangedFor })
  }
}

function notSorted({ key, line }: VisitLine): InputError {
  return new InputError(
    'pages-not-sorted',
    `${quoted(key)} comes before the page above it in the order of bytes; leave out --sorted, or sort the log by its URL (LC_ALL=C sort)`,
    { line },
  )
}
