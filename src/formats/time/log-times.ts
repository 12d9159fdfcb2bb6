import { humanTime } from '../../model/duration.js'
import { type Seconds, type UnixSeconds, YEAR } from '../../model/units.js'
import { type ByteSlice, isDigit, numberField } from '../bytes/byte-slice.js'
import { quoted } from '../printable-text.js'
import { type Refusal, refusal } from '../problems.js'
import { cdxDigits, cdxTime, isoTime, looksIso } from './iso-time.js'
import { parsedHttpDate } from './web-dates.js'

/** 1990-01-01: there was no web page to visit before. */
export const earliest: UnixSeconds = 631_152_000

/**
 * The unit of a time that is written as a bare number, if only one can be
 * meant: the one in which it lies between 1990 and `latest`. The two ranges
 * never meet. Undefined for a number that is no such time.
 */
function bareNumberUnit(
  value: number,
  { latest }: { latest: UnixSeconds },
): 'seconds' | 'milliseconds' | undefined {
  if (value >= earliest && value <= latest) return 'seconds'
  if (value / 1000 >= earliest && value / 1000 <= latest) return 'milliseconds'
  return undefined
}

/** How the times of a log are written. */
export const timeKinds = ['seconds', 'milliseconds', 'iso', 'cdx'] as const
export type TimeKind = (typeof timeKinds)[number]

export interface TimeOptions {
  /** The present: nothing was seen after it. */
  readonly now: UnixSeconds
  /** How times are written; found from the first line by default. */
  readonly time?: TimeKind | undefined
  /** Seconds east of UTC for ISO times that name no zone; these are refused unless it is given. */
  readonly zone?: Seconds | undefined
}

/**
 * Reads times, and never guesses in silence. An ISO time needs its zone. A
 * bare number is taken only when exactly one of seconds and milliseconds lies
 * between 1990 and now; the first settles what all must be. With the kind
 * given, any finite number is taken as it stands.
 */
export class TimeReading {
  #kind: TimeKind | undefined
  readonly #given: boolean
  readonly #zone: Seconds | undefined
  readonly #latest: UnixSeconds

  constructor({ now, time, zone }: TimeOptions) {
    this.#kind = time
    this.#given = time !== undefined
    this.#zone = zone
    this.#latest = now
  }

  /** What the times turned out to be; undefined until one was read. */
  get kind(): TimeKind | undefined {
    return this.#kind
  }

  /** Whether the kind was given rather than found. */
  get given(): boolean {
    return this.#given
  }

  read(field: ByteSlice): UnixSeconds | Refusal {
    if (field.length === 0) return refusal('no-time', () => 'the time is empty')
    if (this.#kind === 'cdx') return this.#readCdx(field)
    if (looksIso(field)) return this.#readIso(field)
    const value = numberField(field)
    if (Number.isNaN(value)) return notATime(field)
    const at = this.ofNumber(value)
    return Number.isNaN(at) ? this.#refuseNumber(value, field) : at
  }

  /** A time that is a number already, where `read` would take it; NaN where it says why not. */
  ofNumber(value: number): UnixSeconds {
    if (!Number.isFinite(value) || this.#kind === 'cdx') return Number.NaN
    if (this.#given && this.#kind === 'iso') return Number.NaN
    if (this.#given) return this.#kind === 'milliseconds' ? value / 1000 : value
    const kind = bareNumberUnit(value, { latest: this.#latest })
    if (kind === undefined || (this.#kind !== undefined && this.#kind !== kind)) return Number.NaN
    this.#kind = kind
    return kind === 'seconds' ? value : value / 1000
  }

  /** The same for a timestamp, which names its zone or has the one that is given. */
  ofTimestamp(at: UnixSeconds): UnixSeconds {
    if (this.#kind !== undefined && this.#kind !== 'iso') return Number.NaN
    this.#kind = 'iso'
    return at
  }

  #readCdx(field: ByteSlice): UnixSeconds | Refusal {
    const at = cdxTime(field)
    if (!Number.isNaN(at)) return at
    return refusal(
      'bad-time',
      () => `${quoted(field)} is not a timestamp of 14 digits (YYYYMMDDhhmmss)`,
    )
  }

  #readIso(field: ByteSlice): UnixSeconds | Refusal {
    if (this.#kind !== undefined && this.#kind !== 'iso') return this.#mixed('iso', field)
    const at = isoTime(field, this.#zone)
    if (at === 'no-zone')
      return refusal(
        'no-zone',
        () => `${quoted(field)} names no zone; add Z or +02:00, or give --zone utc`,
      )
    if (Number.isNaN(at))
      return refusal('bad-time', () => `there is no such time as ${quoted(field)}`)
    this.#kind = 'iso'
    return at
  }

  #refuseNumber(value: number, field: ByteSlice): Refusal {
    if (this.#given) return notATime(field)
    const kind = bareNumberUnit(value, { latest: this.#latest })
    return kind === undefined ? this.#implausible(value, field) : this.#mixed(kind, field)
  }

  #implausible(value: number, field: ByteSlice): Refusal {
    if (field.length === cdxDigits && isDigit(field.bytes[field.start]))
      return refusal(
        'ambiguous-time',
        () => `${quoted(field)} may be a CDX timestamp: give --time cdx`,
      )
    const at = this.#kind === 'milliseconds' ? value / 1000 : value
    if (at > this.#latest && at < this.#latest + 10 * YEAR)
      return refusal(
        'time-in-future',
        () => `${quoted(field)} (${humanTime(at)}) lies in the future`,
      )
    return refusal(
      'ambiguous-time',
      () =>
        `${quoted(field)} is no time since 1990, neither in seconds nor in milliseconds; if it is right, give --time seconds or --time milliseconds`,
    )
  }

  #mixed(kind: TimeKind, field: ByteSlice): Refusal {
    return refusal(
      'mixed-times',
      () =>
        `${quoted(field)} is in ${words[kind]}, but the times of this log are in ${words[this.#kind!]}; write them all in one kind`,
    )
  }
}

const words: Record<TimeKind, string> = {
  seconds: 'seconds',
  milliseconds: 'milliseconds',
  iso: 'ISO 8601',
  cdx: 'CDX timestamps',
}

function notATime(field: ByteSlice): Refusal {
  return refusal(
    'bad-time',
    () => `${quoted(field)} is not a time; write Unix seconds, milliseconds or ISO 8601`,
  )
}

/**
 * Reads what servers sent as Last-Modified: an HTTP date, an ISO time, or a
 * number in the unit of the log's visit times. Servers with a wrong clock date
 * their pages up to a year ahead (the observation then does not trust them),
 * and those that know nothing say 0; other numbers far off mean another unit,
 * and are refused.
 */
export class LastModifiedReading {
  readonly #visitTimes: TimeReading
  readonly #options: TimeOptions
  #unit: TimeKind | undefined

  constructor(options: TimeOptions, visitTimes: TimeReading) {
    this.#visitTimes = visitTimes
    this.#options = { ...options, now: options.now + YEAR, time: undefined }
  }

  /** Undefined where the field is empty: the server sent none. */
  read(field: ByteSlice): UnixSeconds | Refusal | undefined {
    if (field.length === 0) return undefined
    if (looksIso(field)) return new TimeReading(this.#options).read(field)
    const value = numberField(field)
    if (Number.isNaN(value)) return this.#parsedHttpDate(field)
    const at = this.ofNumber(value)
    return Number.isNaN(at) ? otherUnit(field) : at
  }

  /** A date that is a number already; NaN where `read` says why it is not taken. */
  ofNumber(value: number): UnixSeconds {
    if (value === 0) return 0
    const { kind, given } = this.#visitTimes
    const ofVisits = kind === 'seconds' || kind === 'milliseconds' ? kind : undefined
    const expected = ofVisits ?? this.#unit
    const settled = given ? ofVisits : undefined
    const found = settled ?? bareNumberUnit(value, { latest: this.#options.now })
    this.#unit = expected ?? found
    if (found === undefined || found !== this.#unit) return Number.NaN
    return found === 'milliseconds' ? value / 1000 : value
  }

  #parsedHttpDate(field: ByteSlice): UnixSeconds | Refusal {
    const at = parsedHttpDate(field.text())
    if (!Number.isNaN(at)) return at
    return refusal(
      'bad-last-modified',
      () => `last_modified ${quoted(field)} is not a time; leave it empty if the server gave none`,
    )
  }
}

function otherUnit(field: ByteSlice): Refusal {
  return refusal(
    'mixed-times',
    () =>
      `last_modified ${quoted(field)} is not a time in the unit of the visits; if it is right, give --time seconds or --time milliseconds`,
  )
}
