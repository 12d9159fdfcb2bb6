import { type UnixSeconds, YEAR } from '../../model/index.js'
import type { ByteSlice } from '../bytes/byte-slice.js'
import { numberField } from '../bytes/number-field.js'
import { quoted } from '../bytes/shown.js'
import { type Refusal, refusal } from '../refusal.js'
import { bareNumberUnit } from './bare-number.js'
import { httpDate } from './http-date.js'
import { looksIso } from './iso-time.js'
import { type TimeKind, type TimeOptions, TimeReading } from './time-reading.js'

/**
 * Reads what servers said in Last-Modified: an HTTP date, an ISO time, or a
 * number in the unit of the log's visit times. Servers with a wrong clock date
 * their pages up to a year ahead (the observation then does not believe them),
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

  /** Undefined where the field is empty: the server said nothing. */
  read(field: ByteSlice): UnixSeconds | Refusal | undefined {
    if (field.length === 0) return undefined
    if (looksIso(field)) return new TimeReading(this.#options).read(field)
    const value = numberField(field)
    if (Number.isNaN(value)) return this.#httpDate(field)
    return value === 0 ? 0 : this.#number(value, field)
  }

  #number(value: number, field: ByteSlice): UnixSeconds | Refusal {
    const { kind, given } = this.#visitTimes
    const ofVisits = kind === 'seconds' || kind === 'milliseconds' ? kind : undefined
    const expected = ofVisits ?? this.#unit
    const settled = given ? ofVisits : undefined
    const found = settled ?? bareNumberUnit(value, { latest: this.#options.now })
    this.#unit = expected ?? found
    if (found === undefined || found !== this.#unit) return otherUnit(field)
    return found === 'milliseconds' ? value / 1000 : value
  }

  #httpDate(field: ByteSlice): UnixSeconds | Refusal {
    const at = httpDate(field.text())
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
