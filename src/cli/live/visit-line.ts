import type { SavedVisit } from '../../engine/index.js'
import { shown } from '../../formats/index.js'
import { faultAdvice, humanDuration, humanTime, type UnixSeconds } from '../../model/index.js'
import { humanBytes } from '../text/human-bytes.js'
import { humanMoment } from '../text/human-moment.js'

/** One visit as one line: when, what came of it, and when next. */
export function visitLine(saved: SavedVisit): string {
  return lineOf(saved, adviceText(saved.visit.fault))
}

/** The same, with why the next visit is then. */
export function visitLineWithReason(saved: SavedVisit): string {
  return lineOf(saved, `: ${shown(saved.due.reason)}`)
}

function lineOf({ visit, due, lease }: SavedVisit, more: string): string {
  const { at, outcome, status, bytes, duration, fault } = visit
  const answer = [fault, status].filter((each) => each !== null).join(' ') || '-'
  const cost = `${humanBytes(bytes)} in ${humanDuration(duration)}`
  return `${humanTime(at)}  ${outcome.padEnd(9)}  ${answer.padEnd(4)}  ${shown(lease.page.url)}  ${cost}; next ${nextVisit(due.at, at)}${more}`
}

function adviceText(fault: string | null): string {
  const advice = fault === null ? null : faultAdvice(fault)
  return advice === null ? '' : ` (${advice})`
}

function nextVisit(at: UnixSeconds | 'never', now: UnixSeconds): string {
  return at === 'never' ? 'never' : humanMoment(at, now)
}

/** The same for a program: one JSON object a line. */
export function visitJson(saved: SavedVisit): string {
  return JSON.stringify(visitRecord(saved))
}

export function visitRecord({ visit, due, lease }: SavedVisit) {
  return { url: lease.page.url, ...visit, due }
}
