import {
  type ChangeBetween,
  type KeptContent,
  type VersionDiffs,
  whyIncomparable,
} from '../../crawl/index.js'
import type { Store, UnixSeconds, Version } from '../../model/index.js'

/** A change as a visit saw it, as far as the contents it lies between are kept. */
export interface SeenChange {
  readonly title: string | null
  /** When the content before was first seen. */
  readonly previous: UnixSeconds | null
  /** What is compared of the two, by the page's rules and masks. */
  readonly change: Extract<ChangeBetween, { kind: 'change' }> | null
  /** In words, why there is no change to show, or why what is shown is the same. */
  readonly note: string | null
}

export interface ChangeAsked {
  readonly page: { readonly id: string }
  /** When the visit that found it was made. */
  readonly at: UnixSeconds
  /** Words to look for in both texts. */
  readonly words?: readonly string[]
}

const notKept = {
  title: null,
  previous: null,
  change: null,
  note: 'the contents of this change are not kept',
}
const sameNow =
  'what is compared of this page is the same in both copies: its rules or masks have changed since'
const spacesOnly = 'white space alone is different'

/**
 * What a visit that found a change saw, against what was there before. Contents
 * may have been let go, or never been kept, as where an outside fetcher
 * reported a digest alone.
 */
export async function seenChange(
  { page: { id }, at, words = [] }: ChangeAsked,
  { store, diffs }: { readonly store: Store; readonly diffs: VersionDiffs },
): Promise<SeenChange> {
  const page = await store.getPage({ id })
  if (page === null) return notKept
  const versions = await store.versionsOf(page)
  const place = versions.findIndex((each) => each.at === at)
  const after = await kept(versions[place], store)
  if (after === null) return notKept
  const earlier = versions[place - 1]
  const before = await kept(earlier, store)
  const previous = earlier?.at ?? null
  if (before === null)
    return {
      ...notKept,
      previous,
      title: (await diffs.change({ page, before: after, after })).title,
    }
  const change = await diffs.change({ page, before, after }, words)
  const { title } = change
  if (change.kind !== 'change')
    return { title, previous, change: null, note: whyIncomparable(change) }
  const same = change.share === 0 ? sameNow : spacesOnly
  return { title, previous, change, note: change.diff === '' ? same : null }
}

async function kept(version: Version | undefined, store: Store): Promise<KeptContent | null> {
  const body = version === undefined ? null : await store.snapshot(version.digest)
  return body === null ? null : { version: version!, body }
}
