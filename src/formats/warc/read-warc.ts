import type { Chunks } from '../bytes/gunzip.js'
import { looseDate } from '../time/loose-date.js'
import type { Capture } from './capture.js'
import { httpAnswer } from './http-answer.js'
import { type Fields, warcRecords } from './warc-records.js'

/**
 * Reads the responses and revisits of a WARC file, packed or not, in order;
 * other records are passed over. A body larger than `largestBody` is refused by
 * skipping its record. Throws where the file is no WARC, such as an ARC file,
 * and where it ends within a record, after the captures before it.
 */
export async function* readWarc(
  chunks: Chunks,
  { largestBody = 64 * 1024 * 1024 }: { readonly largestBody?: number } = {},
): AsyncGenerator<Capture> {
  const wants = (fields: Fields, length: number) =>
    /^(?:response|revisit)$/i.test(fields.get('warc-type') ?? '') && length <= largestBody
  for await (const { fields, block } of warcRecords(chunks, wants))
    if (block !== null) yield captureOf(fields, block, largestBody)
}

function captureOf(fields: Fields, block: Buffer, largest: number): Capture {
  const revisit = revisitOf(fields)
  const { status, headers, body } = httpAnswer(block, { largest })
  return {
    url: address(fields, 'warc-target-uri'),
    at: looseDate(fields.get('warc-date') ?? ''),
    status,
    headers: Object.fromEntries(headers),
    body: revisit === undefined ? new Uint8Array(body) : null,
    ...(revisit === undefined ? {} : { revisit }),
  }
}

/** WARC 1.0 put addresses in angle brackets. */
function address(fields: Fields, name: string): string {
  return (fields.get(name) ?? '').replace(/^<(.*)>$/, '$1')
}

function revisitOf(fields: Fields): Capture['revisit'] {
  if (!/^revisit$/i.test(fields.get('warc-type') ?? '')) return undefined
  return {
    of: {
      url: address(fields, 'warc-refers-to-target-uri'),
      at: looseDate(fields.get('warc-refers-to-date') ?? ''),
      digest: fields.get('warc-payload-digest') ?? '',
    },
    because: becauseOf(fields.get('warc-profile') ?? ''),
  }
}

function becauseOf(profile: string): NonNullable<Capture['revisit']>['because'] {
  if (/not-modified/.test(profile)) return 'not-modified'
  return /same-visible-text/.test(profile) ? 'same-text' : 'same-content'
}
