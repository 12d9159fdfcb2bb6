import {
  type History,
  historyOf,
  InputError,
  type UnixSeconds,
  type Visit,
  visitTimeFault,
} from '../../model/index.js'
import { ByteSlice } from '../bytes/byte-slice.js'
import { isText, notText } from '../bytes/is-text.js'
import { quoted } from '../bytes/shown.js'
import type { Refusal } from '../refusal.js'
import type { VisitLine } from '../visits/visit-line.js'
import { digestNumber } from './byte-hash.js'
import { compareBytes } from './compare-bytes.js'
import { digestAfter, noDigest, outcomeByDigest } from './digest-outcome.js'

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
    const { at, lastModified, calmFor } = visit
    const told = lastModified === undefined ? { at, outcome } : { at, outcome, lastModified }
    this.#page.push(calmFor === undefined ? told : { ...told, calmFor })
  }
}

function notSorted({ key, line }: VisitLine): InputError {
  return new InputError(
    'pages-not-sorted',
    `${quoted(key)} comes before the page above it in the order of bytes; leave out --sorted, or sort the log by its URL (LC_ALL=C sort)`,
    { line },
  )
}
