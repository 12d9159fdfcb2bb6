import type { SavedVisit } from '../../crawler/unsaved-visits.js'
import { shown } from '../../formats/printable-text.js'
import { humanDuration, humanMoment, humanTime } from '../../model/duration.js'
import { faultAdvice } from '../../model/fetcher.js'
import type { UnixSeconds } from '../../model/units.js'
import { jsonText } from '../text/json.js'
import { humanBytes } from '../text/numbers.js'

/** What is shown of one visit, part by part, safe for a terminal. */
export interface VisitWords {
  /** `2026-03-01T12:00:00Z`. */
  readonly time: string
  readonly outcome: string
  /** The fault, the status, or both. */
  readonly answer: string
  readonly address: string
  readonly size: string
  readonly duration: string
  /** `next in 3 hours`. */
  readonly next: string
  /** What a person can do about the fault; empty where that is nothing. */
  readonly advice: string
}

export function visitWords({ visit, due, lease }: SavedVisit): VisitWords {
  const { at, outcome, status, bytes, duration, fault } = visit
  return {
    time: humanTime(at),
    outcome,
    answer: [fault, status].filter((each) => each !== null).join(' ') || '-',
    address: shown(lease.page.url),
    size: humanBytes(bytes),
    duration: humanDuration(duration),
    next: `next ${nextVisit(due.at, at)}`,
    advice: (fault === null ? null : faultAdvice(fault)) ?? '',
  }
}

/** One visit as one line: when, what came of it, and when next. */
export function visitLine(saved: SavedVisit): string {
  const words = visitWords(saved)
  return lineOf(words, words.advice === '' ? '' : ` (${words.advice})`)
}

/** The same, with why the next visit is then. */
export function visitLineWithReason(saved: SavedVisit): string {
  return lineOf(visitWords(saved), `: ${shown(saved.due.reason)}`)
}

function lineOf(words: VisitWords, more: string): string {
  const { time, outcome, answer, address, size, duration, next } = words
  return `${time}  ${outcome.padEnd(9)}  ${answer.padEnd(4)}  ${address}  ${size} in ${duration}; ${next}${more}`
}

function nextVisit(at: UnixSeconds | 'never', now: UnixSeconds): string {
  return at === 'never' ? 'never' : humanMoment(at, now)
}

/** The same for a program: one JSON object a line. */
export function visitJson(saved: SavedVisit): string {
  return jsonText(visitRecord(saved)).trimEnd()
}

export function visitRecord({ visit, due, lease }: SavedVisit) {
  return { url: lease.page.url, ...visit, due }
}
