import { hash } from 'node:crypto'
import { pictureIn } from '../content/kept-picture.js'
import { differingShare } from '../content/pixels.js'
import { defaultPixels, type ReadingRules } from '../content/reading-rules.js'
import type { FetchAnswer } from '../model/fetcher.js'
import type { PageRecord } from '../model/page.js'
import type { Reader } from '../model/reader.js'
import type { Store } from '../model/store.js'

/** Whether a page counts as changed by how it looks. */
export function comparesPixels({ settings }: Pick<PageRecord, 'settings'>): boolean {
  const { compare } = (settings.reading ?? {}) as ReadingRules
  return settings.browser === true && compare === 'pixels'
}

/**
 * A reader for one answer with a screenshot: the fingerprint of the page stays
 * while its look differs from the last that counted as a change by no more than
 * the page's rules allow. Held against that one, a page that drifts by little
 * at a time is seen in the end.
 */
export async function pixelReader(
  reader: Reader,
  {
    answer,
    page,
    store,
  }: {
    readonly answer: FetchAnswer & { kind: 'content' }
    readonly page: PageRecord
    readonly store: Pick<Store, 'versionsOf' | 'snapshot'>
  },
): Promise<Reader> {
  const { screenshot } = answer
  if (screenshot === undefined) return reader
  const before = await lastPicture(page, store)
  const share = before === null ? null : differingShare(before, screenshot)
  const { pixels = defaultPixels } = (page.settings.reading ?? {}) as ReadingRules
  const isAlike = share !== null && 100 * share <= pixels
  return {
    read(given, of) {
      const reading = reader.read(given, of)
      if ('fault' in reading) return reading
      const rules = reading.fingerprint.slice(0, reading.fingerprint.indexOf(':') + 1)
      const kept = of.fingerprint
      const fingerprint =
        isAlike && kept?.startsWith(`${rules}${mark}`) === true
          ? kept
          : `${rules}${mark}${hash('sha256', screenshot, 'hex').slice(0, 32)}`
      return { ...reading, fingerprint }
    },
    compare: (one, other) => reader.compare?.(one, other) ?? (one === other ? 'same' : 'different'),
    lastModified: (given) => reader.lastModified(given),
  }
}

/** Stands before the value of a fingerprint that is a picture's. */
const mark = 'pixels '

async function lastPicture(
  page: PageRecord,
  store: Pick<Store, 'versionsOf' | 'snapshot'>,
): Promise<Uint8Array | null> {
  const newest = (await store.versionsOf(page)).at(-1)
  const body = newest === undefined ? null : await store.snapshot(newest.digest)
  return body === null ? null : pictureIn(body)
}
