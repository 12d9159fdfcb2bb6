import type { ByteSlice } from '../bytes/byte-slice.js'
import { endOfLine, isBlankLine } from '../bytes/next-line.js'
import type { ByteWindow, RecordScanner } from '../bytes/record-window.js'
import { type Refusal, refusal } from '../refusal.js'
import { jsonObject } from './json-object.js'
import type { RecordTaker } from './record-taker.js'
import { fieldNames } from './visit-fields.js'

/** JSON lines: one object a line, with the keys that a CSV has as columns. */
export class JsonlScanner implements RecordScanner {
  readonly #taker: RecordTaker

  constructor(taker: RecordTaker) {
    this.#taker = taker
  }

  scan(window: ByteWindow): boolean {
    const end = endOfLine(window)
    if (end === -1) return false
    const line = { start: window.from, end }
    if (!isBlankLine(window.bytes, line)) {
      const refused = this.#read(window.bytes.subarray(line.start, line.end))
      if (refused === undefined) this.#taker.take(window.line)
      else this.#taker.refuse(window.line, refused)
    }
    window.from = end + 1
    window.line++
    return true
  }

  #read(bytes: Uint8Array): Refusal | undefined {
    const { fields } = this.#taker
    fields.clear()
    const found = jsonObject(bytes)
    if ('refused' in found) return found.refused
    for (let i = 0; i < fieldNames.length; i++) {
      const value = found.object[fieldNames[i]!]
      const refused = this.#fill(fields.slices[i]!, value, fieldNames[i]!)
      if (refused !== undefined) return refused
    }
    fields.hasDigest = 'digest' in found.object
    return undefined
  }

  #fill(field: ByteSlice, value: unknown, name: string): Refusal | undefined {
    if (value === undefined || value === null) return undefined
    if (typeof value === 'object')
      return refusal('bad-json', () => `${name} is not a text, a number, true or false`)
    this.#taker.fields.write(field, String(value))
    return undefined
  }
}
