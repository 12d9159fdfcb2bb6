import type { ChangeBetween } from '../../content/bounded/diff-jobs.js'
import type { KeptContent } from '../../content/bounded/version-diffs.js'
import { readingRules } from '../../content/reading-rules.js'
import type { PageRecord } from '../../model/page.js'
import type { UnixSeconds } from '../../model/units.js'
import type { ServiceParts } from '../service-parts.js'

/** Versions that rules are tried on. */
const mostTried = 10

/** The last contents of a page that are still kept, in order: one more than changes are judged of. */
export async function lastContents(
  page: PageRecord,
  { store }: Pick<ServiceParts, 'store'>,
): Promise<readonly KeptContent[]> {
  const all: KeptContent[] = []
  for (const version of (await store.versionsOf(page)).slice(-mostTried - 1)) {
    const body = await store.snapshot(version.digest)
    if (body !== null) all.push({ version, body })
  }
  return all
}

/** Whether two versions differ by a page's rules. */
interface Judged {
  readonly found: ChangeBetween
  readonly counts: boolean
}

/** One version against the one before it. */
export interface TriedChange {
  readonly at: UnixSeconds
  /** By the rules that the page has. */
  readonly now: Judged
  /** By those that are tried. */
  readonly tried: Judged
}

/** Each version against the one before, by the rules as they are and by others; the newest first. */
export async function triedChanges(
  contents: readonly KeptContent[],
  { page, tried }: { readonly page: PageRecord; readonly tried: PageRecord },
  parts: Pick<ServiceParts, 'diffs'>,
): Promise<readonly TriedChange[]> {
  const changes: TriedChange[] = []
  for (let i = contents.length - 1; i > 0; i--) {
    const pair = { before: contents[i - 1]!, after: contents[i]! }
    const now = await judged(page, pair, parts)
    changes.push({ at: pair.after.version.at, now, tried: await judged(tried, pair, parts) })
  }
  return changes
}

/** Words that are waited for included. */
async function judged(
  page: PageRecord,
  pair: { readonly before: KeptContent; readonly after: KeptContent },
  { diffs }: Pick<ServiceParts, 'diffs'>,
): Promise<Judged> {
  const { appear = [], disappear = [] } = readingRules(page.settings.reading)
  const found = await diffs.change({ page, ...pair }, [...appear, ...disappear])
  // What cannot be compared by its text is compared by its bytes.
  if (found.kind !== 'change') return { found, counts: found.kind !== 'unreadable' }
  if (appear.length + disappear.length === 0) return { found, counts: found.diff !== '' }
  const has = (text: string, i: number) => text[i] === '1'
  const { before, after } = found.words
  const came = appear.some((_, i) => !has(before, i) && has(after, i))
  const went = disappear.some((_, j) => {
    const i = appear.length + j
    return has(before, i) && !has(after, i)
  })
  return { found, counts: came || went }
}
