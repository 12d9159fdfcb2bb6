import { createHash } from 'node:crypto'
import { type UnixSeconds, YEAR } from '../../model/index.js'
import { withoutTag } from '../html/annotate-html.js'
import type { ChangeRecord } from '../tag/weekly-counts.js'

/** What is remembered of one page of a folder. */
export interface PagePast extends ChangeRecord {
  /** Of its content without the tag. */
  readonly digest: string
  /** When it was last looked at. */
  readonly seen: UnixSeconds
}

/** How a page is found: its bytes, and when its file was last written. */
export interface PageFound {
  readonly bytes: Uint8Array
  readonly written: UnixSeconds
  readonly now: UnixSeconds
}

/** Files from archives and reproducible builds carry such times, and they mean nothing. */
const before = Date.UTC(1995, 0, 1) / 1000

/**
 * What is known of a page once it has been looked at again. It changed if its
 * content did, the tag left out; a file written anew with the same content did
 * not. When it changed is told by the time of the file, if that lies between
 * the two looks. A page never seen before has been as it is since its file was
 * written.
 */
export function pagePast(past: PagePast | undefined, { bytes, written, now }: PageFound): PagePast {
  const digest = contentDigest(bytes)
  if (past === undefined) {
    const since = written >= before && written <= now ? written : now
    return { digest, since, seen: now, changes: [] }
  }
  const seen = Math.max(now, past.seen)
  if (digest === past.digest) return { ...past, seen }
  const at = written > past.seen && written <= now ? written : seen
  const kept = past.changes.filter((each) => each > now - YEAR)
  return { digest, since: past.since, seen, changes: [...kept, at] }
}

function contentDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(withoutTag(bytes)).digest('base64url').slice(0, 22)
}
