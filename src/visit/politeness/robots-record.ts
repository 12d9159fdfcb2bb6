import { decodedText } from '../../formats/charset.js'
import {
  longestRobots,
  productToken,
  type RobotsRules,
  readRobots,
} from '../../formats/robots-file.js'
import { RobotsPermit } from '../../formats/robots-permit.js'
import { productName } from '../../formats/user-agent.js'
import type { FetchAnswer, VisitEnd } from '../../model/fetcher.js'
import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds } from '../../model/units.js'
import { backoff } from './politeness.js'

/** The name by which robots.txt speaks of us. */
export const robotsAgent = productToken(productName)

/** What the robots.txt of one origin asks of us: a plain record that a store can keep. */
export interface RobotsRecord extends RobotsRules {
  /** The name it was read for; under another name it is read anew. */
  readonly agent: string
  readonly verdict: 'rules' | 'allow-all' | 'disallow-all'
  /** When it was fetched, and until when it counts. */
  readonly at: UnixSeconds
  readonly until: UnixSeconds
  /** How often in a row it could not be had. */
  readonly failures: number
}

/** RFC 9309, 2.4: a copy is not to be used for longer. */
const longestCached: Seconds = DAY
const retry = { firstBackoff: 5 * MINUTE, longestBackoff: 6 * HOUR }
const nothing: RobotsRules = { rules: [], crawlDelay: null, sitemaps: [] }

/**
 * What the answer to a request for robots.txt means. Rules where there is one;
 * all allowed where there is none (4xx, or more than five redirects); nothing
 * allowed where the server cannot tell (5xx, no answer), asked again when it
 * says, or ever later. RFC 9309, 2.3.1. Of the 4xx, 408, 425 and 429 are no
 * word on robots.txt but on when to come, and are taken as "later" too.
 */
export function robotsRecord(
  answer: FetchAnswer,
  { agent, before }: { readonly agent: string; readonly before?: RobotsRecord | undefined },
): RobotsRecord {
  const { at } = answer
  const settled = { agent, at, until: at + longestCached, failures: 0 }
  if (answer.kind === 'content') {
    const text = decodedText(wholeLines(answer.body), 'text/plain; charset=utf-8')
    return { ...settled, verdict: 'rules', ...readRobots(text, { agent }) }
  }
  if (isAbsent(answer)) return { ...settled, verdict: 'allow-all', ...nothing }
  const failures = (before?.failures ?? 0) + 1
  const asked = answer.kind === 'later' ? answer.retryAfter : null
  const until = at + (asked ?? backoff(failures, retry))
  return { ...settled, until, failures, verdict: 'disallow-all', ...nothing }
}

/** Of a file that is too long, the lines that end within the limit: half a rule may forbid what the whole one does not. */
function wholeLines(body: Uint8Array): Uint8Array {
  if (body.length <= longestRobots) return body
  const end = Math.max(
    body.lastIndexOf(lineFeed, longestRobots),
    body.lastIndexOf(carriageReturn, longestRobots),
  )
  return body.subarray(0, Math.max(0, end))
}

const lineFeed = 10
const carriageReturn = 13

function isAbsent(answer: FetchAnswer): boolean {
  if (answer.kind === 'gone' || answer.kind === 'refused') return true
  const { fault } = answer as { fault?: string }
  return fault === 'too-many-redirects' || fault === 'redirect-loop'
}

/** Patterns are read once for each record. */
const permits = new WeakMap<RobotsRecord, RobotsPermit>()

/** Whether a record lets an address be visited. */
export function robotsAllow(record: RobotsRecord, url: string): boolean {
  const { pathname, search } = new URL(url)
  return allowsPath(record, pathname + search)
}

/** The same for a path with its query. */
export function allowsPath(record: RobotsRecord, path: string): boolean {
  if (record.verdict === 'allow-all') return true
  if (record.verdict === 'disallow-all') return /^\/robots\.txt(?:\?|$)/.test(path)
  return permitOf(record).allows(path)
}

/**
 * Why a path is not to be asked for; undefined where it may be. A robots.txt
 * that cannot be had forbids nothing for good: the page waits until it is asked
 * for again.
 */
export function forbiddenBy(
  record: RobotsRecord,
  path: string,
): (VisitEnd & { readonly kind: 'wait' | 'disallowed' }) | undefined {
  if (allowsPath(record, path)) return undefined
  const kind = record.verdict === 'disallow-all' ? 'wait' : 'disallowed'
  return { kind, until: record.until }
}

function permitOf(record: RobotsRecord): RobotsPermit {
  const permit = permits.get(record) ?? new RobotsPermit(record)
  permits.set(record, permit)
  return permit
}

/** Whether a record still counts: not too old, and read for the name we go by now. */
export function isCurrent(
  record: RobotsRecord | undefined,
  { now, agent }: { readonly now: UnixSeconds; readonly agent: string },
): record is RobotsRecord {
  return record !== undefined && now < record.until && record.agent === agent
}
