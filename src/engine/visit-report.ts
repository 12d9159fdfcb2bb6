import {
  believableAge,
  type Content,
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
  type Validators,
  type VisitRecord,
  type VisitReport,
} from '../model/index.js'
import { afterFailure, afterGone, afterLater, afterRefusal } from './backoff.js'
import { packState, unpackState } from './packed-state.js'
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
      return seen(told, contentSeen(told, answer))
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

/** What a successful visit saw. */
interface Sight {
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

function contentSeen(told: Told, answer: FetchAnswer & { kind: 'content' }): Sight {
  const { page } = told.lease
  const reading = told.reader.read(answer, page)
  const same = page.fingerprint === reading.fingerprint
  const outcome =
    page.fingerprint === null || page.lastSeen === null ? 'first' : same ? 'unchanged' : 'changed'
  const { mediaType } = reading
  return {
    at: answer.at,
    status: answer.status,
    bytes: answer.bytesReceived,
    outcome,
    lastModified: reading.lastModified,
    fingerprint: outcome === 'unchanged' ? null : reading.fingerprint,
    ...(outcome === 'unchanged'
      ? {}
      : {
          content: {
            body: answer.body,
            headers: answer.headers,
            ...(mediaType === undefined ? {} : { mediaType }),
          },
        }),
    validators: validatorsOf(answer.headers),
    ...(answer.movedTo === undefined ? {} : { movedTo: answer.movedTo }),
  }
}

/** A 304 is "unchanged" and is never compared; to a page of which nothing is kept it says nothing. */
function notModified(told: Told, answer: FetchAnswer & { kind: 'not-modified' }): VisitReport {
  const { page } = told.lease
  if (page.fingerprint === null || page.lastSeen === null) {
    const due = afterFailure(answer.at, {
      failing: page.failing,
      fault: 'not modified since never',
    })
    return unseen(told, { outcome: 'failed', fault: 'bad-answer', due })
  }
  return seen(told, {
    at: answer.at,
    status: answer.status,
    bytes: answer.bytesReceived,
    outcome: 'unchanged',
    lastModified: told.reader.lastModified(answer),
    fingerprint: null,
    validators: { ...page.validators, ...validatorsOf(answer.headers) },
  })
}

function validatorsOf(headers: Readonly<Record<string, string>>): Validators {
  const { etag } = headers
  const lastModified = headers['last-modified']
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  }
}

/** A clock that was set back must not stop a page from being recorded. */
function forward(at: number, { lastSeen, lastVisit }: PageRecord): number {
  return Math.max(at, (lastSeen ?? -Infinity) + 0.001, (lastVisit?.at ?? -Infinity) + 0.001)
}

/** Steps 5 to 7 of the loop for a visit that saw the page. */
function seen(told: Told, sight: Sight): VisitReport {
  const { lease, host } = told
  const { page } = lease
  const { lastModified, outcome } = sight
  const at = forward(sight.at, page)
  const visit = { at, outcome, ...(lastModified === undefined ? {} : { lastModified }) }
  const observation = outcome === 'first' ? null : observe({ at: page.lastSeen! }, visit)
  const { due, state, contentAge } = learned(told, { page, observation, visit })
  const record: VisitRecord = {
    ...visit,
    status: sight.status,
    gap: observation?.gap ?? null,
    contentAge,
    fingerprint: sight.fingerprint,
    bytes: sight.bytes,
    duration: told.duration,
    fault: null,
  }
  return {
    lease,
    ...hosted(host),
    visit: record,
    due,
    state,
    validators: sight.validators,
    ...(sight.content === undefined ? {} : { content: sight.content }),
    ...(sight.movedTo === undefined ? {} : { movedTo: sight.movedTo }),
  }
}

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
