import { InputError } from '../model/errors.js'

/** One record of a small table, with the line it starts at. */
export interface CsvRow {
  readonly line: number
  readonly fields: readonly string[]
}

/**
 * The records of a CSV text that fits in memory, as RFC 4180 quotes it. For
 * logs of any size there is `readVisits`, which works on bytes.
 */
export function* csvRows(text: string): Generator<CsvRow> {
  let at = text.startsWith('\ufeff') ? 1 : 0
  let line = 1
  while (at < text.length) {
    const start = line
    const fields: string[] = []
    for (;;) {
      const field = text[at] === '"' ? quotedField(text, { at, line: start }) : plainField(text, at)
      fields.push(field.value)
      line += field.lines
      at = field.next + 1
      if (text[field.next] !== ',') break
    }
    line++
    if (fields.length > 1 || fields[0] !== '') yield { line: start, fields }
  }
}

interface Field {
  readonly value: string
  /** Where the comma or line end after the field stands. */
  readonly next: number
  /** Line ends inside the field. */
  readonly lines: number
}

function plainField(text: string, at: number): Field {
  let next = at
  while (next < text.length && text[next] !== ',' && text[next] !== '\n') next++
  const end = text[next] === '\n' && text[next - 1] === '\r' && next > at ? next - 1 : next
  return { value: text.slice(at, end), next, lines: 0 }
}

function quotedField(text: string, { at, line }: { at: number; line: number }): Field {
  let end = text.indexOf('"', at + 1)
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  if (end === -1)
    throw new InputError('unclosed-quote', 'a quote (") is opened and not closed', { line })
  const value = text.slice(at + 1, end).replaceAll('""', '"')
  const next = text[end + 1] === '\r' ? end + 2 : end + 1
  return { value, next, lines: value.split('\n').length - 1 }
}

/** A table whose columns are found by the names in its header. */
export function* csvRecords(
  text: string,
  names: { needed: readonly string[] },
): Generator<{ line: number; get(name: string): string }> {
  let header: Map<string, number> | undefined
  for (const { line, fields } of csvRows(text)) {
    if (header === undefined) {
      header = new Map(fields.map((name, i) => [name.trim(), i]))
      const missing = names.needed.filter((name) => !header?.has(name))
      if (missing.length === 0) continue
      throw new InputError(
        'missing-column',
        `the header lacks ${missing.join(' and ')}; it has ${fields.join(', ')}`,
        { line },
      )
    }
    const columns = header
    yield { line, get: (name) => fields[columns.get(name) ?? -1] ?? '' }
  }
}

/** A value as a field of a row. RFC 4180, 2.6 and 2.7. */
export function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
