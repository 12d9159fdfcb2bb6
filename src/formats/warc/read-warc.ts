import { WARCParser, type WARCRecord } from 'warcio'
import type { Chunks } from '../bytes/gunzip.js'
import { looseDate } from '../time/loose-date.js'
import type { Capture } from './capture.js'

/**
 * Reads the responses and revisits of a WARC file, packed or not, in order;
 * other records are passed over. A body larger than `largestBody` is refused by
 * skipping its record.
 */
export async function* readWarc(
  chunks: Chunks,
  { largestBody = 64 * 1024 * 1024 }: { readonly largestBody?: number } = {},
): AsyncGenerator<Capture> {
  for await (const record of new WARCParser(chunks)) {
    const wanted = record.warcType === 'response' || record.warcType === 'revisit'
    if (!wanted || record.warcContentLength > largestBody) continue
    yield await captureOf(record)
  }
}

async function captureOf(record: WARCRecord): Promise<Capture> {
  const revisit = revisitOf(record)
  const body = await record.readFully(true)
  return {
    url: record.warcTargetURI ?? '',
    at: looseDate(record.warcDate ?? ''),
    status: Number(record.httpHeaders?.statusCode ?? 0),
    headers: Object.fromEntries(record.httpHeaders?.headers ?? []),
    body: revisit === undefined ? body : null,
    ...(revisit === undefined ? {} : { revisit }),
  }
}

function revisitOf(record: WARCRecord): Capture['revisit'] {
  if (record.warcType !== 'revisit') return undefined
  const field = (name: string) => record.warcHeaders.headers.get(name) ?? ''
  return {
    of: {
      url: record.warcRefersToTargetURI ?? '',
      at: looseDate(record.warcRefersToDate ?? ''),
      digest: field('WARC-Payload-Digest'),
    },
    because: becauseOf(field('WARC-Profile')),
  }
}

function becauseOf(profile: string): NonNullable<Capture['revisit']>['because'] {
  if (/not-modified/.test(profile)) return 'not-modified'
  return /same-visible-text/.test(profile) ? 'same-text' : 'same-content'
}
