import { digestOf } from '../digest.js'
import { type PackedContent, packContent, packContentNow } from '../packed-content.js'
import type { Database } from './database.js'
import type { NamedContent } from './named-content.js'
import type { ReadyVisit } from './recorder.js'
import type { Snapshots } from './snapshots.js'
import type { WrittenVisit } from './written-visit.js'

/** Names the contents of visits and packs those that are new, before any transaction begins. */
export async function readyVisits(
  visits: readonly WrittenVisit[],
  { db, snapshots }: { readonly db: Database; readonly snapshots: Snapshots },
): Promise<ReadyVisit[]> {
  const digests = visits.map(({ body, digest }) =>
    body === null ? null : (digest ?? digestOf(body)),
  )
  const asked = digests.filter((digest) => digest !== null)
  if (asked.length === 0) return visits.map((visit) => ({ visit, named: undefined }))
  const known = db.readOne(() => snapshots.known(asked))
  const isNew = (at: number) => digests[at] !== null && !known.has(digests[at]!)
  const packed = await allPacked(visits.map(({ body }, at) => (isNew(at) ? body : null)))
  return visits.map((visit, at) => ({
    visit,
    named: namedContent(visit, digests[at]!, packed[at]),
  }))
}

/** Each in its place; few of them are so large that there is something to wait for. */
async function allPacked(
  bodies: readonly (Uint8Array | null)[],
): Promise<readonly (PackedContent | undefined)[]> {
  const packed = bodies.map((body) => (body === null ? undefined : packContent(body)))
  const waits = packed.some((each) => each instanceof Promise)
  return waits ? Promise.all(packed) : (packed as (PackedContent | undefined)[])
}

function namedContent(
  { body, mediaType, headers }: WrittenVisit,
  digest: string | null,
  packed: PackedContent | undefined,
): NamedContent | undefined {
  if (body === null || digest === null) return undefined
  return {
    digest,
    bytes: body.length,
    mediaType,
    headers,
    isNew: packed !== undefined,
    // Known now, it may yet be let go before the commit.
    packed: () => packed ?? packContentNow(body),
  }
}
