import { digestOf } from '../digest.js'
import { packContent, packContentNow } from '../packed-content.js'
import type { Database } from './database.js'
import type { ReadyVisit } from './recorder.js'
import type { NamedContent, Snapshots } from './snapshots.js'
import type { WrittenVisit } from './written-visit.js'

/** Names the contents of visits and packs those that are new, before any transaction begins. */
export async function readyVisits(
  visits: readonly WrittenVisit[],
  { db, snapshots }: { readonly db: Database; readonly snapshots: Snapshots },
): Promise<ReadyVisit[]> {
  const digests = visits.map(({ body, digest }) =>
    body === null ? null : (digest ?? digestOf(body)),
  )
  const named = digests.filter((digest) => digest !== null)
  if (named.length === 0) return visits.map((visit) => ({ visit, named: undefined }))
  const known = db.read(() => new Set(named.filter((digest) => snapshots.has(digest))))
  const ready = visits.map(async (visit, at) => ({
    visit,
    named: await namedContent(visit, { digest: digests[at]!, known }),
  }))
  return Promise.all(ready)
}

async function namedContent(
  { body, mediaType, headers }: WrittenVisit,
  { digest, known }: { readonly digest: string | null; readonly known: ReadonlySet<string> },
): Promise<NamedContent | undefined> {
  if (body === null || digest === null) return undefined
  const named = { digest, bytes: body.length, mediaType, headers }
  // Known now, it may yet be let go before the commit.
  if (known.has(digest)) return { ...named, packed: () => packContentNow(body) }
  const packed = await packContent(body)
  return { ...named, packed: () => packed }
}
