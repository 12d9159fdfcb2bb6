import {
  type Due,
  type Lease,
  observe,
  type PageRecord,
  type Policy,
  type RandomSource,
  succeeded,
  type Visit,
  type VisitReport,
} from '../model/index.js'
import { afterFailure, afterGone, afterRefusal } from './backoff.js'
import { learned } from './learned.js'
import type { Mind } from './step.js'

/**
 * The report of a visit that was made elsewhere and told by a log: no answer
 * and no content, but outcome, observation, state and due time as if it had
 * been made here. The page is as it was after the visit before; a first
 * success is recorded as one, whatever the log compared it with. Pure.
 */
export function recordedReport(told: {
  readonly lease: Lease
  readonly page: PageRecord
  readonly visit: Visit
  readonly mind: Mind
  readonly random: RandomSource
}): VisitReport {
  const { lease, page, mind, random } = told
  const { at, lastModified, calmFor } = told.visit
  const seen = succeeded(told.visit.outcome)
  const outcome = seen && page.lastSeen === null ? 'first' : told.visit.outcome
  const visit = { at, outcome, ...(lastModified === undefined ? {} : { lastModified }) }
  const record = { ...visit, status: null, fingerprint: null, bytes: 0, duration: 0, fault: null }
  if (!seen)
    return {
      lease,
      visit: { ...record, gap: null, contentAge: null },
      due: dueAfterUnseen(page, told.visit, mind.policy),
      keepLease: true,
    }
  const compared = calmFor === undefined ? visit : { ...visit, calmFor }
  const observation = outcome === 'first' ? null : observe({ at: page.lastSeen! }, compared)
  const { due, state, contentAge } = learned({ mind, random }, { page, observation, visit })
  const gap = observation?.gap ?? null
  const calm = observation?.calmFor === undefined ? {} : { calmFor: observation.calmFor }
  return { lease, visit: { ...record, ...calm, gap, contentAge }, due, state, keepLease: true }
}

/** A page that was gone, refused or failing elsewhere is left alone for as long as if that had been met here. */
function dueAfterUnseen(
  { failing, gone }: PageRecord,
  { at, outcome }: Visit,
  { minGap }: Policy,
): Due {
  // A log tells no fault, so a failure waits as the plainest does.
  const source = 'told by a log'
  if (outcome === 'gone') return afterGone(at, { gone, minGap })
  if (outcome === 'refused') return afterRefusal(at, { failing, why: source, minGap })
  return afterFailure(at, { failing, fault: source, minGap })
}
