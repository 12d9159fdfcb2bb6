import type { ByteSlice } from '../bytes/byte-slice.js'
import {
  type ByteWindow,
  endOfLine,
  isBlankLine,
  type RecordScanner,
} from '../bytes/record-window.js'
import { type Refusal, refusal } from '../problems.js'
import { fieldNames, formerNames, type RecordTaker } from './visit-fields.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON object that bytes write, or why they write none. */
export function jsonObject(
  bytes: Uint8Array,
): { readonly object: Record<string, unknown> } | { readonly refused: Refusal } {
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch (error) {
    return { refused: error instanceof SyntaxError ? notJson : notText }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { refused: notAnObject }
  return { object: value as Record<string, unknown> }
}

const notJson = refusal('bad-json', () => 'this is not JSON, or it was cut short')
const notText = refusal('bad-text', () => 'the text is not UTF-8')
const notAnObject = refusal(
  'bad-json',
  () => 'this is not a JSON object such as {"url": ..., "at": ..., "changed": true}',
)

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
    for (const [former, name] of Object.entries(formerNames))
      if (former in found.object) found.object[name] ??= found.object[former]
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
