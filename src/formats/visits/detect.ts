import { InputError } from '../../model/index.js'
import { cdxHeader } from './cdx.js'

export const visitFormats = ['csv', 'jsonl', 'cdx', 'cdxj', 'parquet'] as const
export type VisitFormat = (typeof visitFormats)[number]

/** As many bytes as are looked at to tell the format. */
export const headLength = 1 << 16

/** Whether the head holds all that is needed: a whole line that is not blank. */
export function headIsEnough(head: Uint8Array): boolean {
  return head.length >= headLength || textOf(head).trimStart().includes('\n')
}

/**
 * The format of a log, from its first line; throws, naming the option that
 * settles it, if the line fits none. Bytes that say nothing (an empty file)
 * are a CSV without a header.
 */
export function detectFormat(head: Uint8Array): VisitFormat {
  const text = textOf(head)
  if (text.startsWith('PAR1')) return 'parquet'
  const line = text.split('\n').find((each) => each.trim() !== '') ?? ''
  if (cdxHeader(Buffer.from(line, 'latin1')) !== undefined) return 'cdx'
  if (line.startsWith('!') || /^\S+ \d{14} \{/.test(line)) return 'cdxj'
  if (/^\S+ \d{14} \S+ \S+ \S+ \S+/.test(line)) return 'cdx'
  if (line.trimStart().startsWith('{')) return 'jsonl'
  if (line.trim() === '' || line.includes(',')) return 'csv'
  if (line.startsWith('['))
    throw new InputError('json-array', 'a JSON array; write one object a line (jq -c ".[]")')
  throw new InputError(
    'unknown-format',
    'the first line fits no format of a log; a CSV begins with a header such as url,at,changed. If you know the format, give --format csv, jsonl, cdx, cdxj or parquet',
  )
}

function textOf(head: Uint8Array): string {
  return Buffer.from(head.subarray(0, headLength)).toString('latin1')
}
