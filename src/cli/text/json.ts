import { shown } from '../../formats/printable-text.js'
import type { TextOutput } from '../environment.js'

/** A record for a program: JSON on one line, and signs that a terminal would obey as its escapes. */
export function jsonText(record: unknown): string {
  return `${shown(JSON.stringify(record))}\n`
}

/** Records for a program as one JSON array, a record a line, written as they come. */
export class JsonArray {
  readonly #out: Pick<TextOutput, 'write'>
  #before = '[\n'

  constructor(out: Pick<TextOutput, 'write'>) {
    this.#out = out
  }

  record(record: unknown): void {
    this.#out.write(`${this.#before}${jsonText(record).trimEnd()}`)
    this.#before = ',\n'
  }

  end(): void {
    this.#out.write(this.#before === '[\n' ? '[]\n' : '\n]\n')
  }
}

/** A few records as such an array. */
export function jsonArray(records: readonly unknown[]): string {
  const parts: string[] = []
  const array = new JsonArray({ write: (part) => void parts.push(part) })
  for (const each of records) array.record(each)
  array.end()
  return parts.join('')
}

/** What a command came to: one record for a program, or a text for a person. */
export function answer(
  { out }: { readonly out: TextOutput },
  { json, record, text }: { json: boolean | undefined; record: unknown; text: string },
): void {
  out.write(json === true ? jsonText(record) : text)
}
