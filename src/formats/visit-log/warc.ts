import type { Chunks } from '../bytes/gunzip.js'
import { type ArchivedCapture, readWarc } from '../read-warc.js'
import { lastModifiedOf } from '../time/web-dates.js'
import { payloadDigest } from '../write-warc.js'
import type { RecordTaker } from './visit-fields.js'

/**
 * The captures of a web archive as visits; gives the number of each record once
 * it is taken. As in CDX, a status of 2xx shows a content by its digest, 304 says
 * that it is the same, and any other status is a failed visit. The digest is the
 * archive's own where it gives one: revisit records repeat that.
 */
export async function* warcVisits(chunks: Chunks, taker: RecordTaker): AsyncGenerator<number> {
  let record = 0
  for await (const capture of readWarc(chunks)) {
    fill(taker, capture)
    taker.take(++record)
    yield record
  }
}

function fill({ fields }: RecordTaker, capture: ArchivedCapture): void {
  const { url, at, status, headers, body, revisit, digest } = capture
  fields.clear()
  fields.write(fields.url, url)
  if (!Number.isNaN(at)) fields.write(fields.at, String(at))
  fields.hasDigest = true
  const known = digest ?? (body === null ? null : payloadDigest(body))
  // A revisit record may come without the answer's head, and so without its status.
  const ok = (status >= 200 && status < 300) || (status === 0 && revisit !== undefined)
  if (status === 304 || revisit?.because === 'not-modified')
    fields.write(fields.changed, 'unchanged')
  else if (!ok) fields.write(fields.changed, 'failed')
  else if (known === null) fields.write(fields.changed, 'unchanged')
  else fields.write(fields.digest, known)
  const lastModified = ok ? lastModifiedOf(headers, { now: at }) : null
  if (lastModified !== null) fields.write(fields.lastModified, String(lastModified))
}
