import {
  believableAge,
  type Due,
  type FetchAnswer,
  type HostRecord,
  type LearnerState,
  type Lease,
  type Observation,
  type Outcome,
  observe,
  type PageRecord,
  type RandomSource,
  type Reader,
  type Seconds,
  type VisitRecord,
  type VisitReport,
} from '../model/index.js'
import { afterFailure, afterGone, afterLater, afterRefusal } from './backoff.js'
import { packState, unpackState } from './packed-state.js'
import { contentSeen, type Sight, unchangedSeen } from './sight.js'
import { firstStep, type Mind, resume, step } from './step.js'

/** What a report is made of. */
export interface Told {
  readonly lease: Lease
  readonly answer: FetchAnswer
  /** The host's record after the visit, where it changed. */
  readonly host: HostRecord | undefined
  readonly mind: Mind
  readonly reader: Reader
  readonly random: RandomSource
  readonly duration: Seconds
}

/** A visit with all that follows from it: outcome, observation, state, due time. Pure. */
export function visitReport(told: Told): VisitReport {
  const { answer } = told
  switch (answer.kind) {
    case 'content':
      return seen(told, contentSeen(answer, { page: told.lease.page, reader: told.reader }))
    case 'not-modified':
      return notModified(told, answer)
    case 'gone':
      return unseen(told, { outcome: 'gone', due: afterGone(answer.at, told.lease.page) })
    case 'refused':
      return unseen(told, {
        outcome: 'refused',
        due: afterRefusal(answer.at, {
          failing: told.lease.page.failing,
          why: `status ${answer.status}`,
        }),
      })
    case 'later':
      return unseen(told, {
        outcome: 'failed',
        fault: 'later',
        due: afterLater(answer.at, {
          failing: told.lease.page.failing,
          retryAfter: answer.retryAfter,
        }),
      })
    case 'failed':
      return unseen(told, {
        outcome: 'failed',
        fault: answer.fault,
        due: afterFailure(answer.at, { failing: told.lease.page.failing, fault: answer.fault }),
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

const emptyVisit = {
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

/** To a page of which nothing is kept a 304 says nothing. */
function notModified(told: Told, answer: FetchAnswer & { kind: 'not-modified' }): VisitReport {
  const { page } = told.lease
  const sight = unchangedSeen(answer, { page, reader: told.reader })
  if (sight !== null) return seen(told, sight)
  const due = afterFailure(answer.at, { failing: page.failing, fault: 'not modified since never' })
  return unseen(told, { outcome: 'failed', fault: 'bad-answer', due })
}

/** Steps 5 to 7 of the loop for a visit that saw the page. */
function seen(told: Told, sight: Sight): VisitReport {
  const { lease, host } = told
  const { page } = lease
  const { at, lastModified, outcome } = sight
  const visit = lastModified === undefined ? { at, outcome } : { at, outcome, lastModified }
  const observation = outcome === 'first' ? null : observe({ at: page.lastSeen! }, visit)
  const { due, state, contentAge } = learned(told, { page, observation, visit })
  const record: Building<VisitRecord> = {
    at,
    outcome,
    status: sight.status,
    gap: observation?.gap ?? null,
    contentAge,
    fingerprint: sight.fingerprint,
    bytes: sight.bytes,
    duration: told.duration,
    fault: null,
  }
  if (lastModified !== undefined) record.lastModified = lastModified
  const { validators } = sight
  const report: Building<VisitReport> = { lease, visit: record, due, state, validators }
  if (host !== undefined) report.host = host
  if (sight.content !== undefined) report.content = sight.content
  if (sight.movedTo !== undefined) report.movedTo = sight.movedTo
  return report
}

/** A record before it is given away. Fields that may be absent are set one by one: this runs for every visit, and spreading costs as much as learning. */
type Building<T> = { -readonly [Field in keyof T]: T[Field] }

/** What a visit that saw the page adds to what is known of it: state, due time, believable age. */
export function learned(
  { mind, random }: Pick<Told, 'mind' | 'random'>,
  about: {
    page: PageRecord
    observation: Observation | null
    visit: { at: number; lastModified?: number }
  },
): { due: Due; state: LearnerState; contentAge: number | null } {
  const { observation, visit } = about
  const before = unpackState(mind, about.page, random)
  const start = startOf(visit)
  const next =
    before === null
      ? firstStep(mind, start, random)
      : observation === null
        ? resume(mind, before, start)
        : step(mind, before, observation)
  const told = observation === null ? start.contentAge : observation.contentAge
  return { due: next.due, state: packState(mind, next.state), contentAge: told ?? null }
}

function startOf(visit: { at: number; lastModified?: number }): {
  at: number
  contentAge?: number
} {
  const contentAge = believableAge({ ...visit, outcome: 'first' })
  return contentAge === undefined ? { at: visit.at } : { at: visit.at, contentAge }
}
