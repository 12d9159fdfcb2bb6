import { type Capture, payloadDigest } from '../../../formats/index.js'
import type { PageRecord, Store, Version, VisitRecord } from '../../../model/index.js'
import { listed } from '../pages/list-command.js'

/**
 * The visits of a collection as an archive keeps them, page by page: a
 * response for each copy that is kept, and a revisit for each visit that found
 * it unchanged. What followed a copy that was let go has nothing to refer to,
 * and is left out; so are visits that saw nothing.
 */
export async function* capturesOf(
  store: Store,
  { collection, from = -Infinity, until = Infinity }: CaptureSpan,
): AsyncGenerator<Capture> {
  for await (const page of listed(store, { filter: { collection } }))
    for await (const capture of pageCaptures(store, page))
      if (capture.at >= from && capture.at < until) yield capture
}

export interface CaptureSpan {
  readonly collection: string
  readonly from?: number
  readonly until?: number
}

async function* pageCaptures(store: Store, page: PageRecord): AsyncGenerator<Capture> {
  const versions = new Map((await store.versionsOf(page)).map((each) => [each.at, each]))
  let current: { at: number; digest: string } | undefined
  for (const visit of await store.visitsOf(page)) {
    if (visit.outcome === 'unchanged') {
      if (current !== undefined) yield revisitOf(page, { visit, of: current })
      continue
    }
    if (visit.outcome !== 'first' && visit.outcome !== 'changed') continue
    const version = versions.get(visit.at)
    const body = version === undefined ? null : await store.snapshot(version.digest)
    if (version === undefined || body === null) {
      // Let go; but a visit that began anew and found the copy as it was made no version either.
      if (visit.outcome === 'changed') current = undefined
      continue
    }
    current = { at: visit.at, digest: payloadDigest(body) }
    yield responseOf(page, { visit, version, body })
  }
}

function responseOf(
  { url }: PageRecord,
  { visit, version, body }: { visit: VisitRecord; version: Version; body: Uint8Array },
): Capture {
  const type = version.mediaType
  const headers = version.headers ?? (type === null ? {} : { 'content-type': type })
  return { url, at: visit.at, status: visit.status ?? 200, headers, body }
}

/** A 304 is the server's word; otherwise only the text is known to be the same. */
function revisitOf(
  { url }: PageRecord,
  { visit, of }: { visit: VisitRecord; of: { at: number; digest: string } },
): Capture {
  const because = visit.status === 304 ? 'not-modified' : 'same-text'
  const status = visit.status ?? 200
  return {
    url,
    at: visit.at,
    status,
    headers: {},
    body: null,
    revisit: { of: { url, ...of }, because },
  }
}
