import { type UnixSeconds, YEAR } from '../../model/index.js'
import type { ByteSlice } from '../bytes/byte-slice.js'
import { numberField } from '../bytes/number-field.js'
import { quoted } from '../bytes/shown.js'
import { type Refusal, refusal } from '../refusal.js'
import { httpDate } from './http-date.js'
import { looksIso } from './iso-time.js'
import { type TimeOptions, TimeReading } from './time-reading.js'

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
  readonly #own: TimeReading

  constructor(options: TimeOptions, visitTimes: TimeReading) {
    this.#visitTimes = visitTimes
    this.#options = { ...options, now: options.now + YEAR, time: undefined }
    this.#own = new TimeReading(this.#options)
  }

  /** Undefined where the field is empty: the server said nothing. */
  read(field: ByteSlice): UnixSeconds | Refusal | undefined {
    if (field.length === 0) return undefined
    if (looksIso(field)) return new TimeReading(this.#options).read(field)
    const value = numberField(field)
    if (Number.isNaN(value)) return this.#httpDate(field)
    if (value === 0) return 0
    const { kind, given } = this.#visitTimes
    if (given && kind === 'seconds') return value
    if (given && kind === 'milliseconds') return value / 1000
    const at = this.#own.read(field)
    return this.#own.kind === kind || kind === 'iso' || kind === 'cdx' ? at : otherUnit(field)
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
    () => `last_modified ${quoted(field)} is not in the unit of the visit's time`,
  )
}
