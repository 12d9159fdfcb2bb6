import { ByteSlice } from '../bytes/byte-slice.js'
import type { Refusal } from '../problems.js'

/** The fields that tell of a visit, whatever the format. */
export const fieldNames = [
  'url',
  'at',
  'changed',
  'digest',
  'last_modified',
  'unchanged_for',
] as const
/** Names that fields had in logs of 0.1. */
export const formerNames: Readonly<Record<string, (typeof fieldNames)[number]>> = {
  calm_for: 'unchanged_for',
}

/** A field's text may be this long before it is cut: a line is no longer. */
const scratchStart = 4096

/**
 * The fields of one record, as slices that are pointed anew for each. A field
 * that is not a stretch of the input (an escaped CSV field, a JSON value) is
 * written into a scratch buffer.
 */
export class VisitFields {
  readonly slices: readonly ByteSlice[] = fieldNames.map(() => new ByteSlice())
  readonly url = this.slices[0]!
  readonly at = this.slices[1]!
  readonly changed = this.slices[2]!
  readonly digest = this.slices[3]!
  readonly lastModified = this.slices[4]!
  readonly unchangedFor = this.slices[5]!
  /** Whether the record has a digest, perhaps an empty one. */
  hasDigest = false
  /** What tells pages apart where it is not the URL; empty otherwise. */
  readonly key = new ByteSlice()

  #scratch = new Uint8Array(scratchStart)
  #used = 0
  readonly #encoder = new TextEncoder()

  clear(): void {
    for (let i = 0; i < this.slices.length; i++) this.slices[i]!.clear()
    this.key.clear()
    this.hasDigest = false
    this.#used = 0
  }

  named(field: (typeof fieldNames)[number]): ByteSlice {
    return this.slices[fieldNames.indexOf(field)]!
  }

  /** Gives a field a text of its own. */
  write(field: ByteSlice, text: string): void {
    const room = this.#room(text.length * 3)
    const { written } = this.#encoder.encodeInto(text, room)
    field.point(room, { start: 0, end: written })
    this.#used += written
  }

  /** A fresh buffer when the old one is full: slices into the old one stay valid. */
  #room(length: number): Uint8Array {
    if (this.#scratch.length - this.#used < length) {
      this.#scratch = new Uint8Array(Math.max(scratchStart, 2 * length))
      this.#used = 0
    }
    return this.#scratch.subarray(this.#used)
  }
}

/** What a format hands its records to: fill `fields`, then `take`, or `refuse` the line. */
export interface RecordTaker {
  readonly fields: VisitFields
  take(line: number): void
  refuse(line: number, refusal: Refusal): void
}
