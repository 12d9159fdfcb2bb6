import { succeeded, type Visit, visitTimeFault } from '../../model/history.js'
import type { UnixSeconds } from '../../model/units.js'
import { shown } from '../printable-text.js'
import { type Refusal, refusal } from '../problems.js'
import type { VisitLine } from './visit-line.js'

/** The form of an address under which a page is kept; undefined where it is none of a page, or why it is not taken. */
export type AddressOf = (text: string) => string | Refusal | undefined

interface LoggedVisit extends Visit {
  /** The content's digest; null where the log gives the outcome itself. */
  readonly digest: string | null
}

/** The visits of a log by page, in any order; all of them are held, about 200 bytes each. */
export class GatheredVisits {
  readonly #now: UnixSeconds
  readonly #address: AddressOf
  readonly #pages = new Map<string, LoggedVisit[]>()

  constructor({ now, address }: { readonly now: UnixSeconds; readonly address: AddressOf }) {
    this.#now = now
    this.#address = address
  }

  readonly take = (line: VisitLine): Refusal | undefined => {
    const fault = visitTimeFault(line.at, { after: -Infinity, now: this.#now })
    if (fault !== undefined) return fault
    const address = line.url.text()
    const url = this.#address(address)
    if (url === undefined)
      return refusal('bad-url', () => `${shown(address)} is no address of a web page`)
    if (typeof url !== 'string') return url
    const visits = this.#pages.get(url)
    if (visits === undefined) this.#pages.set(url, [logged(line)])
    else visits.push(logged(line))
    return undefined
  };

  /** Each page with its visits in order of time. */
  *pages(): Generator<{ readonly url: string; readonly visits: readonly Visit[] }> {
    for (const [url, visits] of this.#pages) {
      visits.sort((a, b) => a.at - b.at)
      yield { url, visits: compared(visits) }
    }
  }
}

/**
 * The visits of a log that is sorted by address, page by page as each ends:
 * only one page is held. Addresses are taken as they are.
 */
export class SortedVisits {
  readonly #now: UnixSeconds
  readonly #each: (page: { readonly url: string; readonly visits: readonly Visit[] }) => void
  #url: string | undefined
  #visits: LoggedVisit[] = []

  constructor(about: {
    readonly now: UnixSeconds
    readonly each: (page: { readonly url: string; readonly visits: readonly Visit[] }) => void
  }) {
    this.#now = about.now
    this.#each = about.each
  }

  readonly take = (line: VisitLine): Refusal | undefined => {
    const fault = visitTimeFault(line.at, { after: -Infinity, now: this.#now })
    if (fault !== undefined) return fault
    const url = line.url.text()
    if (url !== this.#url) this.finish()
    this.#url = url
    this.#visits.push(logged(line))
    return undefined
  }

  /** The log is over: gives the last page. */
  finish(): void {
    if (this.#url === undefined) return
    this.#visits.sort((a, b) => a.at - b.at)
    this.#each({ url: this.#url, visits: compared(this.#visits) })
    this.#url = undefined
    this.#visits = []
  }
}

function logged(line: VisitLine): LoggedVisit {
  const { at, outcome, lastModified, unchangedFor } = line
  const byDigest = outcome === 'by-digest'
  return {
    at,
    line: line.line,
    outcome: outcome === 'by-digest' ? 'first' : outcome,
    digest: byDigest ? line.digest.text() : null,
    ...(lastModified === undefined ? {} : { lastModified }),
    ...(unchangedFor === undefined ? {} : { unchangedFor }),
  }
}

/** Outcomes from digests: a new digest is a change; with nothing to compare with it is a first. */
function compared(visits: readonly LoggedVisit[]): Visit[] {
  let before: string | null = null
  return visits.map(({ digest, ...visit }) => {
    if (digest === null) {
      if (succeeded(visit.outcome) && visit.outcome !== 'unchanged') before = null
      return visit
    }
    const outcome = before === null ? 'first' : digest === before ? 'unchanged' : 'changed'
    before = digest
    return { ...visit, outcome }
  })
}
