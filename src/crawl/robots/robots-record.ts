import {
  decodedText,
  longestRobots,
  RobotsPermit,
  type RobotsRules,
  readRobots,
} from '../../formats/index.js'
import { DAY, type FetchAnswer, MINUTE, type Seconds, type UnixSeconds } from '../../model/index.js'
import { backoff } from '../gate/politeness.js'

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
const retry = { firstBackoff: 5 * MINUTE, longestBackoff: DAY }
const nothing: RobotsRules = { rules: [], crawlDelay: null, sitemaps: [] }

/**
 * What the answer to a request for robots.txt means. Rules where there is one;
 * all allowed where there is none (4xx, or more than five redirects); nothing
 * allowed where the server cannot tell (5xx, 429, no answer), asked again ever
 * later. RFC 9309, 2.3.1.
 */
export function robotsRecord(
  answer: FetchAnswer,
  { agent, before }: { readonly agent: string; readonly before?: RobotsRecord | undefined },
): RobotsRecord {
  const { at } = answer
  const settled = { agent, at, until: at + longestCached, failures: 0 }
  if (answer.kind === 'content') {
    const text = decodedText(answer.body.subarray(0, longestRobots), 'text/plain; charset=utf-8')
    return { ...settled, verdict: 'rules', ...readRobots(text, { agent }) }
  }
  if (isAbsent(answer)) return { ...settled, verdict: 'allow-all', ...nothing }
  const failures = (before?.failures ?? 0) + 1
  const asked = answer.kind === 'later' ? (answer.retryAfter ?? 0) : 0
  const until = at + Math.max(asked, backoff(failures, retry))
  return { ...settled, until, failures, verdict: 'disallow-all', ...nothing }
}

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
