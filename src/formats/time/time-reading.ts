import { humanTime, type Seconds, type UnixSeconds, YEAR } from '../../model/index.js'
import { isDigit } from '../bytes/ascii.js'
import type { ByteSlice } from '../bytes/byte-slice.js'
import { numberField } from '../bytes/number-field.js'
import { quoted } from '../bytes/shown.js'
import { type Refusal, refusal } from '../refusal.js'
import { bareNumberUnit } from './bare-number.js'
import { cdxDigits, cdxTime } from './cdx-time.js'
import { isoTime, looksIso } from './iso-time.js'

/** How the times of a log are written. */
export const timeKinds = ['seconds', 'milliseconds', 'iso', 'cdx'] as const
export type TimeKind = (typeof timeKinds)[number]

export interface TimeOptions {
  /** The present: nothing was seen after it. */
  readonly now: UnixSeconds
  /** How times are written; found from the first line unless said. */
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
    return this.#given ? this.#inUnit(value, field) : this.#plausible(value, field)
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

  #inUnit(value: number, field: ByteSlice): UnixSeconds | Refusal {
    if (this.#kind === 'iso') return notATime(field)
    return this.#kind === 'milliseconds' ? value / 1000 : value
  }

  #plausible(value: number, field: ByteSlice): UnixSeconds | Refusal {
    const kind = bareNumberUnit(value, { latest: this.#latest })
    if (kind === undefined) return this.#implausible(value, field)
    if (this.#kind !== undefined && this.#kind !== kind) return this.#mixed(kind, field)
    this.#kind = kind
    return kind === 'seconds' ? value : value / 1000
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
