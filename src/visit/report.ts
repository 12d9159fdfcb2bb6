import { type HintsAfter, heardObservation, hintsAfter } from '../hints/hints-after-visit.js'
import { pageHintsFrom } from '../hints/stored-hints.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { Hint } from '../model/hint.js'
import { type History, type Outcome, observe } from '../model/history.js'
import type { HostRecord, Lease } from '../model/lease.js'
import type { Due } from '../model/policy.js'
import type { Reader, UnreadContent } from '../model/reader.js'
import type { Json, RandomSource, Seconds } from '../model/units.js'
import type { VisitRecord, VisitReport } from '../model/visit-record.js'
import { learned } from '../planner/learned-step.js'
import type { Mind } from '../planner/step.js'
import { afterFailure, afterGone, afterLater, afterRefusal, askedToWait } from './backoff.js'
import { contentSeen, type Sight, unchangedSeen } from './comparison.js'
import { moveKept } from './request.js'

/** What a report is made of. */
export interface Told {
  readonly lease: Lease
  readonly answer: FetchAnswer
  /** The host's record after the visit, where it changed. */
  readonly host: HostRecord | undefined
  readonly mind: Mind
  readonly reader: Reader
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
export function visitReport(told: Told): VisitReport {
  return moveKept(reportOf(told), { page: told.lease.page, answer: told.answer })
}

function reportOf(told: Told): VisitReport {
  const { answer, lease, mind } = told
  const { failing, gone } = lease.page
  const { minGap } = mind.policy
  switch (answer.kind) {
    case 'content':
      return contentReport(told, answer)
    case 'not-modified':
      return notModified(told, answer)
    case 'gone':
      return unseen(told, { outcome: 'gone', due: afterGone(answer.at, { gone, minGap }) })
    case 'refused':
      return unseen(told, {
        outcome: 'refused',
        due: afterRefusal(answer.at, { failing, why: `status ${answer.status}`, minGap }),
      })
    case 'later':
      return unseen(told, {
        outcome: 'failed',
        fault: askedToWait(answer) ? 'later' : 'server-error',
        due: afterLater(answer.at, { ...answer, failing, minGap }),
      })
    case 'failed':
      return unseen(told, {
        outcome: 'failed',
        fault: answer.fault,
        due: afterFailure(answer.at, { failing, fault: answer.fault, minGap }),
      })
  }
}

/** A visit that robots.txt forbade: nothing was requested. */
export function forbiddenReport(told: {
  lease: Lease
  host: HostRecord | undefined
  at: number
}): VisitReport {
  const visit = { ...emptyVisit, at: told.at, outcome: 'refused' as const, fault: 'robots' }
  const due = afterRefusal(told.at, { failing: told.lease.page.failing, why: 'robots.txt' })
  return { lease: told.lease, visit, due, ...hosted(told.host) }
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

function unseen(told: Told, what: { outcome: Outcome; due: Due; fault?: string }): VisitReport {
  const { answer, lease, host, duration } = told
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
function contentReport(told: Told, answer: FetchAnswer & { kind: 'content' }): VisitReport {
  const sight = contentSeen(answer, { page: told.lease.page, reader: told.reader })
  return 'fault' in sight ? unreadReport(told, sight) : seen(told, sight)
}

/** A visit whose content cannot be read: the page's own failure, with its reason. */
export function unreadReport(told: Told, { fault, message }: UnreadContent): VisitReport {
  const { failing } = told.lease.page
  const { minGap } = told.mind.policy
  const why = message === undefined ? { fault } : { fault, message }
  const due = afterFailure(told.answer.at, { failing, ...why, minGap })
  return unseen(told, { outcome: 'failed', fault, due })
}

/** To a page of which nothing is kept a 304 says nothing. */
function notModified(told: Told, answer: FetchAnswer & { kind: 'not-modified' }): VisitReport {
  const { page } = told.lease
  const sight = unchangedSeen(answer, { page, reader: told.reader })
  if (sight !== null) return seen(told, sight)
  const { failing } = page
  const { minGap } = told.mind.policy
  const due = afterFailure(answer.at, { failing, fault: 'not modified since never', minGap })
  return unseen(told, { outcome: 'failed', fault: 'bad-answer', due })
}

/** Steps 5 to 7 of the loop for a visit that saw the page. */
function seen(told: Told, sight: Sight): VisitReport {
  const { lease, host } = told
  const { page } = lease
  const { at, lastModified, outcome } = sight
  const visit = lastModified === undefined ? { at, outcome } : { at, outcome, lastModified }
  const observation = outcome === 'first' ? null : observe({ at: page.lastSeen! }, visit)
  const heard = hintsAfter(told, { at, observation })
  const publishers = heard?.publishers
  const lesson = observation?.changed !== true || page.hints === null ? null : observation
  const heardOf = lesson === null ? null : heardObservation(lesson, pageHintsFrom(page.hints))
  const listens = told.mind.policy.called !== undefined
  const about = { page, observation, visit, publishers, heard: listens ? heardOf : null }
  const { due, state, contentAge, early } = learned(told, about)
  const record: Building<VisitRecord> = {
    at,
    outcome,
    status: sight.status,
    gap: observation?.gap ?? null,
    contentAge,
    fingerprint: sight.fingerprint ?? (told.noise === undefined ? null : page.fingerprint),
    bytes: sight.bytes + (told.repeatBytes ?? 0),
    duration: told.duration,
    fault: null,
  }
  if (lastModified !== undefined) record.lastModified = lastModified
  if (heardOf?.calmFor !== undefined) record.calmFor = heardOf.calmFor
  const report: Building<VisitReport> = { lease, visit: record, due, state }
  if (sight.validators !== page.validators) report.validators = sight.validators
  const after = withHints(host, heard)
  if (after !== undefined) report.host = after
  if (heard !== null) report.hints = heard.hints(early)
  if (told.noise !== undefined) report.noise = told.noise
  if (sight.content !== undefined) report.content = sight.content
  if (sight.movedTo !== undefined) report.movedTo = sight.movedTo
  return report
}

/** A record before it is given away. Fields that may be absent are set one by one: this runs for every visit, and spreading costs as much as learning. */
type Building<T> = { -readonly [Field in keyof T]: T[Field] }

function withHints(host: HostRecord | undefined, heard: HintsAfter | null): HostRecord | undefined {
  return host === undefined || heard === null ? host : { ...host, hints: heard.host }
}
