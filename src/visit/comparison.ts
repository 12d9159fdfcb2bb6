import { headMarks } from '../content/page-reader.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { Lease } from '../model/lease.js'
import type { PageRecord, Validators } from '../model/page.js'
import type { Likeness, Reader, Reading, UnreadContent } from '../model/reader.js'
import type { Content } from '../model/visit-record.js'
import { type Look, lookFingerprint } from './pixel-comparison.js'

/** What a successful visit saw. */
export interface Comparison {
  readonly at: number
  readonly status: number
  readonly bytes: number
  readonly outcome: 'first' | 'changed' | 'unchanged'
  readonly lastModified: number | undefined
  readonly fingerprint: string | null
  readonly content?: Content
  readonly validators: Validators
  readonly movedTo?: string
}

/** What a visit brought to compare its page by, where that is not what can be read of it: a client's own digest, or how it looks. */
export type ComparedBy = { readonly digest: string } | { readonly look: Look }

interface Sight {
  readonly page: PageRecord
  readonly reader: Reader
  readonly comparedBy?: ComparedBy | undefined
}

/**
 * A visit that brought content: changed if its fingerprint is not like the one
 * kept. While it is, the one kept stays, unless another content was let pass
 * without counting as a change.
 */
export function contentSeen(
  answer: FetchAnswer & { kind: 'content' },
  sight: Sight,
): Comparison | UnreadContent {
  const { page } = sight
  const reading = readingOf(answer, sight)
  if ('fault' in reading) return reading
  const fingerprint = fingerprintOf(reading, sight)
  const likeness = likenessOf(fingerprint, sight)
  const outcome =
    likeness === 'incomparable' ? 'first' : likeness === 'different' ? 'changed' : 'unchanged'
  const { lastModified } = reading
  const sent = validatorsOf(answer.headers)
  const comparison: { -readonly [Field in keyof Comparison]: Comparison[Field] } = {
    at: forward(answer.at, page),
    status: answer.status,
    bytes: answer.bytesReceived,
    outcome,
    lastModified,
    fingerprint: likeness === 'same' ? null : fingerprint,
    validators: trusted(sent, { page, outcome, lastModified }),
  }
  if (outcome !== 'unchanged') comparison.content = contentOf(answer, reading)
  if (answer.movedTo !== undefined) comparison.movedTo = answer.movedTo
  return comparison
}

function contentOf(
  { body, headers }: FetchAnswer & { kind: 'content' },
  { mediaType, digest }: Reading,
): Content {
  const content: { -readonly [Field in keyof Content]: Content[Field] } = { body, headers }
  if (mediaType !== undefined) content.mediaType = mediaType
  if (digest !== undefined) content.digest = digest
  return content
}

/** Of a page that comes by a client's own digest there is nothing to read: its rules would find nothing. */
function readingOf(
  answer: FetchAnswer & { kind: 'content' },
  { page, reader, comparedBy }: Sight,
): Reading | UnreadContent {
  if (comparedBy === undefined || 'look' in comparedBy) return reader.read(answer, page)
  return { fingerprint: `${clientDigest}${comparedBy.digest}`, ...headMarks(answer) }
}

function fingerprintOf({ fingerprint }: Reading, { page, comparedBy }: Sight): string {
  if (comparedBy === undefined || 'digest' in comparedBy) return fingerprint
  return lookFingerprint(comparedBy.look, { read: fingerprint, kept: page.fingerprint })
}

function likenessOf(fingerprint: string, { page, reader }: Sight): Likeness {
  if (page.fingerprint === null || page.lastSeen === null) return 'incomparable'
  if (reader.compare !== undefined) return reader.compare(page.fingerprint, fingerprint)
  return page.fingerprint === fingerprint ? 'same' : 'different'
}

/** A 304 is "unchanged" and is never compared; null where nothing is kept that it could confirm. */
export function unchangedSeen(
  answer: FetchAnswer & { kind: 'not-modified' },
  { page, reader }: { readonly page: PageRecord; readonly reader: Reader },
): Comparison | null {
  if (page.fingerprint === null || page.lastSeen === null) return null
  return {
    at: forward(answer.at, page),
    status: answer.status,
    bytes: answer.bytesReceived,
    outcome: 'unchanged',
    // Most say nothing, and reading nothing takes its time too.
    lastModified:
      answer.headers['last-modified'] === undefined ? undefined : reader.lastModified(answer),
    fingerprint: null,
    validators: confirmed(page.validators, answer.headers),
  }
}

/** What a 304 leaves out stays; most tell what is known, and then it is the same object. */
function confirmed(known: Validators, headers: Readonly<Record<string, string>>): Validators {
  const { etag = known.etag, 'last-modified': date = known.lastModified } = headers
  if (etag === known.etag && date === known.lastModified) return known
  return { ...known, ...validatorsOf(headers) }
}

/**
 * The validators that may be sent next time. None where the content changed
 * and they stood still: a server that goes by them would say "not modified"
 * for ever. A date that was found out so is taken up again when it moves
 * beyond the last successful visit.
 */
function trusted(
  sent: Validators,
  about: {
    readonly page: PageRecord
    readonly outcome: Comparison['outcome']
    readonly lastModified: number | undefined
  },
): Validators {
  const { page, outcome, lastModified } = about
  if (outcome === 'first' || page.lastSeen === null) return sent
  const { etag, lastModified: date } = page.validators
  if (etag === undefined && date === undefined) {
    const stuck = sent.etag === undefined && !((lastModified ?? -Infinity) > page.lastSeen)
    return stuck ? {} : sent
  }
  const still = sent.etag === etag && sent.lastModified === date
  return outcome === 'changed' && still ? {} : sent
}

/** What to send back at the next visit, as the server wrote it. */
function validatorsOf(headers: Readonly<Record<string, string>>): Validators {
  const sent: { -readonly [Field in keyof Validators]: Validators[Field] } = {}
  const { etag, 'last-modified': lastModified } = headers
  if (etag !== undefined) sent.etag = etag
  if (lastModified !== undefined) sent.lastModified = lastModified
  return sent
}

/** A clock that was set back must not stop a page from being recorded. */
function forward(at: number, { lastSeen, lastVisit }: PageRecord): number {
  return Math.max(at, (lastSeen ?? -Infinity) + 0.001, (lastVisit?.at ?? -Infinity) + 0.001)
}

/** Digests that clients make are not those that we make, and are never compared with them. The prefix as stores of 0.1 have it. */
const clientDigest = 'told:'

/** A page known by a client's digests and one read by us have nothing to compare: the visit is a first one. */
export function comparableLease(
  lease: Lease,
  { answer, digest }: { readonly answer: FetchAnswer; readonly digest: string | undefined },
): Lease {
  const { page } = lease
  if (answer.kind !== 'content' || page.fingerprint === null) return lease
  const isDigest = page.fingerprint.startsWith(clientDigest)
  return isDigest === (digest !== undefined)
    ? lease
    : { ...lease, page: { ...page, fingerprint: null } }
}
