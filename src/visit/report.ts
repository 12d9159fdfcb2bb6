import { pictureHeader, withPicture } from '../content/kept-picture.js'
import { titleOf } from '../content/read-content.js'
import { adjustedObservation, type HintsAfter, hintsAfter } from '../hints/hints-after-visit.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { Hint } from '../model/hint.js'
import { type History, type Outcome, observe } from '../model/history.js'
import type { HostRecord, Lease } from '../model/lease.js'
import type { Due } from '../model/policy.js'
import type { Reader, UnreadContent } from '../model/reader.js'
import { pageHintsFrom } from '../model/stored-hints.js'
import type { Json, RandomSource, Seconds } from '../model/units.js'
import type { Content, VisitRecord, VisitReport } from '../model/visit-record.js'
import { learned } from '../planner/learned-step.js'
import type { Planner } from '../planner/step.js'
import { afterFailure, afterGone, afterLater, afterRefusal, askedToWait } from './backoff.js'
import { type ComparedBy, type Comparison, contentSeen, unchangedSeen } from './comparison.js'
import { moveKept } from './request.js'

/** What a report is made of. */
export interface FetchedVisit {
  readonly lease: Lease
  readonly answer: FetchAnswer
  /** The host's record after the visit, where it changed. */
  readonly host: HostRecord | undefined
  readonly planner: Planner
  readonly reader: Reader
  /** In the place of what is read of the content. */
  readonly comparedBy?: ComparedBy | undefined
  readonly random: RandomSource
  /** What was learned of the page's noise at this visit; its fingerprint was made anew by it. */
  readonly noise?: Json
  /** Received in repeats of this visit. */
  readonly repeatBytes?: number
  readonly duration: Seconds
  /** What was seen of the page before, where its row holds the numbers of another learner. */
  readonly past?: History | null
  /** What the answer tells of the page's changes; left out where nobody listens. */
  readonly hints?: readonly Hint[]
  /** What was known of the host's hints before the visit. */
  readonly hostHints?: Json
}

/** A visit with all that follows from it: outcome, observation, state, due time. Pure. */
export function visitReport(fetched: FetchedVisit): VisitReport {
  return moveKept(reportOf(fetched), { page: fetched.lease.page, answer: fetched.answer })
}

function reportOf(fetched: FetchedVisit): VisitReport {
  const { answer, lease, planner } = fetched
  const { failing, gone } = lease.page
  const { minGap } = planner.policy
  switch (answer.kind) {
    case 'content':
      return contentReport(fetched, answer)
    case 'not-modified':
      return notModified(fetched, answer)
    case 'gone':
      return unseen(fetched, { outcome: 'gone', due: afterGone(answer.at, { gone, minGap }) })
    case 'refused':
      return unseen(fetched, {
        outcome: 'refused',
        due: afterRefusal(answer.at, { failing, why: `status ${answer.status}`, minGap }),
      })
    case 'later':
      return unseen(fetched, {
        outcome: 'failed',
        fault: askedToWait(answer) ? 'later' : 'server-error',
        due: afterLater(answer.at, { ...answer, failing, minGap }),
      })
    case 'failed':
      return unseen(fetched, {
        outcome: 'failed',
        fault: answer.fault,
        due: afterFailure(answer.at, { failing, fault: answer.fault, minGap }),
      })
  }
}

/** A visit that robots.txt forbade: nothing was requested. */
export function forbiddenReport(fetched: {
  lease: Lease
  host: HostRecord | undefined
  at: number
}): VisitReport {
  const visit = { ...emptyVisit, at: fetched.at, outcome: 'refused' as const, fault: 'robots' }
  const due = afterRefusal(fetched.at, { failing: fetched.lease.page.failing, why: 'robots.txt' })
  return { lease: fetched.lease, visit, due, ...hosted(fetched.host) }
}

function hosted(host: HostRecord | undefined): { host?: HostRecord } {
  return host === undefined ? {} : { host }
}

/** A visit that brought nothing. */
export const emptyVisit = {
  status: null,
  gap: null,
  contentAge: null,
  fingerprint: null,
  bytes: 0,
  duration: 0,
  fault: null,
}

function unseen(
  fetched: FetchedVisit,
  what: { outcome: Outcome; due: Due; fault?: string },
): VisitReport {
  const { answer, lease, host, duration } = fetched
  const status = answer.kind === 'failed' ? null : answer.status
  const visit = {
    ...emptyVisit,
    at: answer.at,
    outcome: what.outcome,
    status,
    bytes: answer.bytesReceived,
    duration,
    fault: what.fault ?? null,
  }
  return { lease, visit, due: what.due, ...hosted(host) }
}

/** A content that the page's rules cannot read tells nothing of change. */
function contentReport(
  fetched: FetchedVisit,
  answer: FetchAnswer & { kind: 'content' },
): VisitReport {
  const { lease, reader, comparedBy } = fetched
  const comparison = contentSeen(answer, { page: lease.page, reader, comparedBy })
  return 'fault' in comparison ? unreadReport(fetched, comparison) : seen(fetched, comparison)
}

/** A visit whose content cannot be read: the page's own failure, with its reason. */
export function unreadReport(
  fetched: FetchedVisit,
  { fault, message }: UnreadContent,
): VisitReport {
  const { failing } = fetched.lease.page
  const { minGap } = fetched.planner.policy
  const why = message === undefined ? { fault } : { fault, message }
  const due = afterFailure(fetched.answer.at, { failing, ...why, minGap })
  return unseen(fetched, { outcome: 'failed', fault, due })
}

/** To a page of which nothing is kept a 304 says nothing. */
function notModified(
  fetched: FetchedVisit,
  answer: FetchAnswer & { kind: 'not-modified' },
): VisitReport {
  const { page } = fetched.lease
  const comparison = unchangedSeen(answer, { page, reader: fetched.reader })
  if (comparison !== null) return seen(fetched, comparison)
  const { failing } = page
  const { minGap } = fetched.planner.policy
  const due = afterFailure(answer.at, { failing, fault: 'not modified since never', minGap })
  return unseen(fetched, { outcome: 'failed', fault: 'bad-answer', due })
}

/** Observation, learned step and next due time of a visit that saw the page. */
function seen(fetched: FetchedVisit, comparison: Comparison): VisitReport {
  const { lease, host } = fetched
  const { page } = lease
  const { at, lastModified, outcome } = comparison
  const visit = lastModified === undefined ? { at, outcome } : { at, outcome, lastModified }
  const observation = outcome === 'first' ? null : observe({ at: page.lastSeen! }, visit)
  const hinted = hintsAfter(fetched, { at, observation })
  const publishers = hinted?.publishers
  const changedObservation =
    observation?.changed !== true || page.hints === null ? null : observation
  const adjustedSeen =
    changedObservation === null
      ? null
      : adjustedObservation(changedObservation, pageHintsFrom(page.hints))
  const listens = fetched.planner.policy.called !== undefined
  const about = { page, observation, visit, publishers, adjusted: listens ? adjustedSeen : null }
  const { due, state, contentAge, early } = learned(fetched, about)
  const record: Building<VisitRecord> = {
    at,
    outcome,
    status: comparison.status,
    gap: observation?.gap ?? null,
    contentAge,
    fingerprint: comparison.fingerprint ?? (fetched.noise === undefined ? null : page.fingerprint),
    bytes: comparison.bytes + (fetched.repeatBytes ?? 0),
    duration: fetched.duration,
    fault: null,
  }
  if (lastModified !== undefined) record.lastModified = lastModified
  if (adjustedSeen?.unchangedFor !== undefined) record.unchangedFor = adjustedSeen.unchangedFor
  const report: Building<VisitReport> = { lease, visit: record, due, state }
  if (comparison.validators !== page.validators) report.validators = comparison.validators
  const after = withHints(host, hinted)
  if (after !== undefined) report.host = after
  if (hinted !== null) report.hints = hinted.hints(early)
  if (fetched.noise !== undefined) report.noise = fetched.noise
  if (comparison.content !== undefined) {
    report.content = contentToKeep(comparison.content, fetched.answer)
    const found = fetched.answer.kind === 'content' ? titleOf(fetched.answer) : page.title
    const title = page.settings.title ?? found
    if (title !== page.title) report.title = title
  }
  if (comparison.movedTo !== undefined) report.movedTo = comparison.movedTo
  return report
}

/** With the screenshot behind it, where there is one; the header that says so is ours alone. */
function contentToKeep(content: Content, answer: FetchAnswer): Content {
  const { screenshot } = answer as { readonly screenshot?: Uint8Array }
  if (screenshot === undefined && content.headers?.[pictureHeader] === undefined) return content
  const { [pictureHeader]: _, ...headers } = content.headers ?? {}
  if (screenshot === undefined) return { ...content, headers }
  const { digest: __, ...rest } = content
  const body = withPicture(content.body, screenshot)
  return { ...rest, body, headers: { ...headers, [pictureHeader]: 'png' } }
}

/** A record before it is given away. Fields that may be absent are set one by one: this runs for every visit, and spreading costs as much as learning. */
type Building<T> = { -readonly [Field in keyof T]: T[Field] }

function withHints(
  host: HostRecord | undefined,
  hinted: HintsAfter | null,
): HostRecord | undefined {
  return host === undefined || hinted === null ? host : { ...host, hints: hinted.host }
}
