import { hash } from 'node:crypto'
import { pictureIn } from '../content/kept-picture.js'
import { differingShare } from '../content/pixels.js'
import { defaultPixels, type ReadingRules } from '../content/reading-rules.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { PageRecord } from '../model/page.js'
import type { Store } from '../model/store.js'

/** Whether a page counts as changed by how it looks. */
export function comparesPixels({ settings }: Pick<PageRecord, 'settings'>): boolean {
  const { compare } = (settings.reading ?? {}) as ReadingRules
  return settings.browser === true && compare === 'pixels'
}

/** How a page looked at a visit. */
export interface Look {
  readonly digest: string
  /** Whether it differs from the last look that counted as a change by no more than the page's rules allow. */
  readonly isAlike: boolean
}

/** Of an answer with a screenshot. */
export async function lookOf(
  { screenshot }: FetchAnswer & { kind: 'content' },
  page: PageRecord,
  store: Pick<Store, 'versionsOf' | 'snapshot'>,
): Promise<Look | undefined> {
  if (screenshot === undefined) return undefined
  const before = await lastPicture(page, store)
  const share = before === null ? null : differingShare(before, screenshot)
  const { pixels = defaultPixels } = (page.settings.reading ?? {}) as ReadingRules
  const digest = hash('sha256', screenshot, 'hex').slice(0, 32)
  return { digest, isAlike: share !== null && 100 * share <= pixels }
}

/** Stands before the value of a fingerprint that is a picture's. */
const mark = 'pixels '

/**
 * The fingerprint of a page by how it looks, made by the rules that `read` was
 * made by: while it is alike, the one that is kept. Held against the last look
 * that counted as a change, a page that drifts by little at a time is seen in
 * the end.
 */
export function lookFingerprint(
  { digest, isAlike }: Look,
  { read, kept }: { readonly read: string; readonly kept: string | null },
): string {
  const start = `${read.slice(0, read.indexOf(':') + 1)}${mark}`
  return isAlike && kept?.startsWith(start) === true ? kept : `${start}${digest}`
}

async function lastPicture(
  page: PageRecord,
  store: Pick<Store, 'versionsOf' | 'snapshot'>,
): Promise<Uint8Array | null> {
  const newest = (await store.versionsOf(page)).at(-1)
  const body = newest === undefined ? null : await store.snapshot(newest.digest)
  return body === null ? null : pictureIn(body)
}
