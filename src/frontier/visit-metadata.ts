import { answerKind, retryAfter } from '../fetch/answer.js'
import { parsedHttpDate } from '../formats/time/web-dates.js'
import type { FetchAnswer, FetchFault } from '../model/fetcher.js'
import type { Metadata, PageRecord } from '../model/page.js'
import type { Seconds, UnixSeconds } from '../model/units.js'
import { firstValue, type KnownItem } from './items.js'

/** What a client reports of an address, as the answer that our own fetcher would have given. */
export interface ItemVisit {
  readonly answer: FetchAnswer | 'forbidden'
  readonly at: UnixSeconds
  readonly duration: Seconds
  /** The client's digest of the content. */
  readonly digest?: string
  /** Where a redirect led to, which the client follows as an address of its own. */
  readonly movedTo?: string
}

/** Metadata without which an item tells nothing of a visit: it is scheduled by the client's date. */
export type Missing = 'fetch.statusCode' | 'signature'

interface Terms {
  readonly now: UnixSeconds
  /** The longest Retry-After that is honoured. */
  readonly longestRetryAfter: Seconds
}

/** Clocks of other machines differ a little; what lies further ahead is a mistake. */
const clockSlack: Seconds = 60

/**
 * A known item as a visit, by the metadata that StormCrawler writes. An error
 * goes before the status: metadata is kept from fetch to fetch, and the status
 * of one that never got an answer is that of the fetch before. For the same
 * reason a redirect counts only with a status that is one. What is not given
 * is not guessed.
 */
export function visitIn(
  { url, metadata }: Pick<KnownItem, 'url' | 'metadata'>,
  terms: Terms,
): ItemVisit | { readonly missing: Missing } {
  const at = timeOf(metadata, terms.now)
  const duration = (numberIn(metadata, 'fetch.loadingTime') ?? 0) / 1000
  const bytesReceived = numberIn(metadata, 'fetch.byteLength') ?? 0
  const made = { at, duration }
  const failed = (fault: FetchFault): ItemVisit => ({
    ...made,
    answer: { kind: 'failed', fault, message: 'reported by a crawler', at, bytesReceived },
  })
  const cause = firstValue(metadata, 'error.cause')
  if (cause === 'robots.txt') return { ...made, answer: 'forbidden' }
  const status = statusOf(metadata)
  const errors = numberIn(metadata, 'fetch.error.count') ?? 0
  if ((cause !== undefined || errors > 0) && (status === null || status < 400))
    return failed(faultOf(metadata))
  if (status === null) return { missing: 'fetch.statusCode' }
  const headers = headersOf(metadata, terms.now)
  const answered = { status, at, url, headers, bytesReceived }
  const target = firstValue(metadata, '_redirTo')
  if (status >= 300 && status < 400 && status !== 304 && target !== undefined)
    return { ...made, answer: { ...answered, kind: 'gone' }, ...resolved(target, url) }
  const kind = answerKind(status, { conditional: true })
  if (kind === null) return failed('bad-answer')
  if (kind === 'later') {
    const text = firstValue(metadata, 'protocol.retry-after')
    const wait = retryAfter(text, { now: at, most: terms.longestRetryAfter })
    return { ...made, answer: { ...answered, kind, retryAfter: wait } }
  }
  if (kind !== 'content') return { ...made, answer: { ...answered, kind } }
  const digest = firstValue(metadata, 'signature')
  if (digest === undefined) return { missing: 'signature' }
  return { ...made, answer: { ...answered, kind, body: nothing }, digest }
}

const nothing = new Uint8Array()

/** When the client had dealt with it; our clock where it does not say, or speaks of the future. */
function timeOf(metadata: Metadata, now: UnixSeconds): UnixSeconds {
  const text = firstValue(metadata, 'lastProcessedDate')
  const at = text === undefined ? Number.NaN : Date.parse(text) / 1000
  return Number.isNaN(at) || at > now + clockSlack ? now : Math.min(at, now)
}

function statusOf(metadata: Metadata): number | null {
  const status = numberIn(metadata, 'fetch.statusCode')
  return status !== undefined && Number.isInteger(status) && status >= 100 && status < 600
    ? status
    : null
}

function numberIn(metadata: Metadata, name: string): number | undefined {
  const text = firstValue(metadata, name)
  const value = text === undefined ? Number.NaN : Number(text)
  return value >= 0 && value < Infinity ? value : undefined
}

/** StormCrawler has words for two of them. */
function faultOf(metadata: Metadata): FetchFault {
  const exception = firstValue(metadata, 'fetch.exception') ?? ''
  if (/timeout|timed out/i.test(exception)) return 'timeout'
  return /unknown host/i.test(exception) ? 'dns' : 'bad-answer'
}

/** What a server sent with the content, as our own fetcher would have it. */
function headersOf(metadata: Metadata, now: UnixSeconds): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const etag = firstValue(metadata, 'protocol.etag')
  if (etag !== undefined) headers.etag = etag
  const date =
    timeIn(firstValue(metadata, 'last-modified'), now) ??
    timeIn(firstValue(metadata, 'protocol.last-modified'), now)
  if (date !== null) headers['last-modified'] = new Date(date * 1000).toUTCString()
  return headers
}

/** Of an ISO time or a date of HTTP; null where it is neither. */
function timeIn(text: string | undefined, now: UnixSeconds): UnixSeconds | null {
  if (text === undefined) return null
  const time = /^\d{4}-/.test(text) ? Date.parse(text) / 1000 : parsedHttpDate(text, { now })
  return Number.isNaN(time) ? null : time
}

/** Nothing where it leads to no address. */
function resolved(target: string, url: string): Pick<ItemVisit, 'movedTo'> {
  try {
    return { movedTo: new URL(target, url).href }
  } catch {
    return {}
  }
}

/** Seconds that a host's robots.txt asks for between two requests; undefined where the client does not say. */
export function crawlDelayIn(metadata: Metadata): Seconds | undefined {
  return numberIn(metadata, 'robots.crawl.delay')
}

/**
 * The metadata that an address is given with: what is stored, and what its
 * server is to be asked with, so that the fetcher asks conditionally. Where the
 * content changed and they stood still, they are left out: a server that goes
 * by them would say "not modified" for ever.
 */
export function handedMetadata(
  metadata: Metadata,
  { fingerprint, lastSeen, validators }: PageRecord,
  now: UnixSeconds,
): Metadata {
  if (fingerprint === null || lastSeen === null) return metadata
  const { 'last-modified': _, 'protocol.etag': __, ...others } = metadata
  const { etag, lastModified } = validators
  const date = timeIn(lastModified, now)
  return {
    ...others,
    ...(etag === undefined ? {} : { 'protocol.etag': [etag] }),
    ...(date === null ? {} : { 'last-modified': [new Date(date * 1000).toISOString()] }),
  }
}
