import { OptionError } from '../model/errors.js'
import type { Due } from '../model/policy.js'
import { DAY, HOUR, type UnixSeconds, WEEK } from '../model/units.js'

/** Hours of the week in which a page may be visited, in UTC: 168 of them, Monday 0 o'clock first. */
export interface AllowedHours {
  readonly hours: readonly boolean[]
}

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
/** Unix time began on a Thursday. */
const firstMonday = 4 * DAY

/**
 * Reads `mon-fri 8-18`, `sat,sun`, `22-6`: days, hours, or both, in UTC;
 * several with a semicolon between them. Hours end before the second number.
 */
export function parseAllowedHours(text: string): AllowedHours {
  const hours = new Array<boolean>(168).fill(false)
  for (const part of text.split(';')) {
    const words = part.trim().toLowerCase().split(/\s+/)
    const days = words
      .filter((word) => /^[a-z]/.test(word))
      .flatMap((word) => word.split(',').flatMap((each) => dayRange(each, text)))
    const spans = words.filter((word) => /^\d/.test(word)).map((word) => hourRange(word, text))
    if (words.length === 0 || words.some((word) => !/^[a-z\d]/.test(word))) throw unreadable(text)
    for (const day of days.length > 0 ? days : [0, 1, 2, 3, 4, 5, 6]) {
      for (const hour of spans.length > 0 ? spans.flat() : allHours)
        hours[(day * 24 + hour) % 168] = true
    }
  }
  return { hours }
}

/** The first time from `at` on that is allowed. */
export function nextAllowed(at: UnixSeconds, { hours }: AllowedHours): UnixSeconds {
  const sinceMonday = (((at - firstMonday) % WEEK) + WEEK) % WEEK
  const hour = Math.floor(sinceMonday / HOUR)
  for (let ahead = 0; ahead < 168; ahead++) {
    if (hours[(hour + ahead) % 168])
      return ahead === 0 ? at : at - (sinceMonday % HOUR) + ahead * HOUR
  }
  return at
}

const allHours = Array.from({ length: 24 }, (_, hour) => hour)

function dayRange(word: string, text: string): number[] {
  const [first, last = first] = word.split('-').map((name) => dayNames.indexOf(name.slice(0, 3)))
  if (first === undefined || first < 0 || last === undefined || last < 0) throw unreadable(text)
  const count = ((last - first + 7) % 7) + 1
  return Array.from({ length: count }, (_, i) => (first + i) % 7)
}

/** 22-6 runs over midnight into the next day. */
function hourRange(word: string, text: string): number[] {
  const match = /^(\d{1,2})-(\d{1,2})$/.exec(word)
  const from = Number(match?.[1] ?? -1)
  const to = Number(match?.[2] ?? -1)
  if (match === null || from > 23 || to > 24) throw unreadable(text)
  const count = (to - from + 24) % 24 || 24
  return Array.from({ length: count }, (_, i) => from + i)
}

function unreadable(text: string): OptionError {
  return new OptionError(
    'bad-hours',
    `hours are written like "mon-fri 8-18" or "sat,sun; 22-6", in UTC; got "${text}"`,
  )
}

const deferredNote = '; deferred to its allowed hours'
/** As rows of 0.1 end; one that waits for its hours keeps its text until it is visited. */
const deferredNotes = [deferredNote, '; put off to the hours allowed for it']

/** A due time moved into the hours in which the page may be visited; the reason says so. */
export function dueWithin(due: Due, hours: AllowedHours | null): Due {
  if (hours === null || due.at === 'never') return due
  const at = nextAllowed(due.at, hours)
  if (at === due.at) return due
  return { at, reason: isDeferred(due) ? due.reason : due.reason + deferredNote }
}

export function isDeferred({ reason }: Due): boolean {
  return deferredNotes.some((note) => reason.endsWith(note))
}

/** What was deferred, due now: the hours that it waits for may be others by now. */
export function reopened({ reason }: Due, now: UnixSeconds): Due {
  const note = deferredNotes.find((each) => reason.endsWith(each)) ?? ''
  return { at: now, reason: reason.slice(0, reason.length - note.length) }
}
