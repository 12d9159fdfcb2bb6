/** What rules of reading make of the kept contents of a page: for the routes that try them. */

import { Type } from 'typebox'
import type { ChangeBetween } from '../../content/bounded/diff-jobs.js'
import { type KeptContent, whyIncomparable } from '../../content/bounded/version-diffs.js'
import { readingRules } from '../../content/reading-rules.js'
import { type PageRecord, withChosen } from '../../model/page.js'
import type { Json, UnixSeconds } from '../../model/units.js'
import { ApiError } from '../errors.js'
import { type Answer, orNull, Time } from '../schema.js'
import type { ServiceParts } from '../service-parts.js'

export const TrialAnswer = Type.Object({
  text: orNull(Type.String({ description: 'of the newest version, by these rules' })),
  note: orNull(Type.String({ description: 'why there is no text' })),
  changes: Type.Array(
    Type.Object({
      at: Time,
      before: Type.Boolean({ description: 'a change by the rules that the page has' }),
      after: Type.Boolean({ description: 'a change by the rules that are tried' }),
      removed: Type.String({ description: 'by the rules that are tried' }),
      added: Type.String(),
      note: orNull(Type.String({ description: 'where they cannot be compared' })),
    }),
    { description: 'of the last versions, the newest first' },
  ),
})

/** Letters that are of use to a person. */
export const mostLetters = 200_000
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
interface TriedChange {
  readonly at: UnixSeconds
  /** By the rules that the page has. */
  readonly now: Judged
  /** By those that are tried. */
  readonly tried: Judged
}

/** Each version against the one before, by the rules as they are and by others; the newest first. */
async function triedChanges(
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

/** A page's settings with other rules of reading, which are checked; as they are where none are given. */
export function withRules(page: PageRecord, reading: Json | undefined): PageRecord['settings'] {
  if (reading === undefined) return page.settings
  readingRules(reading)
  return withChosen(page.settings, { reading })
}

/** What rules compare of a content; cut where it is long. */
export async function comparedText(
  page: PageRecord,
  { content, parts }: { content: KeptContent; parts: Pick<ServiceParts, 'diffs'> },
): Promise<{ text: string | null; note: string | null }> {
  const found = await parts.diffs.text({ page, content }, 'compared')
  if (found.kind === 'text') return { text: found.text.slice(0, mostLetters), note: null }
  const why = found.kind === 'no-text' ? 'there is no text to compare' : whyIncomparable(found)
  return { text: null, note: why }
}

/** What rules would have made of the last contents of a page. */
export async function trial(
  page: PageRecord,
  {
    contents,
    reading,
    parts,
  }: { contents: readonly KeptContent[]; reading: Json; parts: ServiceParts },
): Promise<Answer<typeof TrialAnswer>> {
  const tried: PageRecord = { ...page, settings: withRules(page, reading) }
  const newest = contents.at(-1)
  if (newest === undefined)
    throw new ApiError(404, 'no-version', 'no content of this page is kept yet')
  const changes = (await triedChanges(contents, { page, tried }, parts)).map(
    ({ at, now, tried: { found, counts } }) => ({
      at,
      before: now.counts,
      after: counts,
      removed: found.kind === 'change' ? found.excerpt.removed : '',
      added: found.kind === 'change' ? found.excerpt.added : '',
      note: found.kind === 'change' ? null : whyIncomparable(found),
    }),
  )
  return { ...(await comparedText(tried, { content: newest, parts })), changes }
}
