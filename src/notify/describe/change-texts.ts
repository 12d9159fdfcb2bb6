import { readContent } from '../../crawl/index.js'
import { shown } from '../../formats/index.js'
import type { PageRef, Store, UnixSeconds, Version } from '../../model/index.js'
import { cut, type TextChange, textChange } from './short-diff.js'

/** The two contents that a change lies between, as far as they are kept. */
export interface ChangeTexts {
  readonly title: string | null
  /** When the content before was first seen. */
  readonly previous: UnixSeconds | null
  readonly before: string | null
  readonly after: string | null
  readonly change: TextChange | null
}

const nothingKept = { title: null, previous: null, before: null, after: null, change: null }

/**
 * What a visit that found a change saw, and what was there before. Contents
 * may have been let go, or never been kept, as where an outside fetcher told
 * a digest alone: then parts are null.
 */
export async function changeTexts(
  store: Store,
  { page, at }: { readonly page: PageRef & { readonly url: string }; readonly at: UnixSeconds },
): Promise<ChangeTexts> {
  const versions = await store.versionsOf(page)
  const place = versions.findIndex((each) => each.at === at)
  const version = versions[place]
  if (version === undefined) return nothingKept
  const earlier = versions[place - 1]
  const after = await readVersion(store, { version, url: page.url })
  const before =
    earlier === undefined ? null : await readVersion(store, { version: earlier, url: page.url })
  const texts = [before?.text ?? null, after?.text ?? null] as const
  const comparable = texts[0] !== null && texts[1] !== null
  return {
    title: titleOf(after?.title ?? null),
    previous: earlier?.at ?? null,
    before: texts[0],
    after: texts[1],
    change: comparable ? textChange(texts[0], texts[1]) : null,
  }
}

async function readVersion(
  store: Store,
  { version, url }: { readonly version: Version; readonly url: string },
) {
  const body = await store.snapshot(version.digest)
  if (body === null) return null
  const type = version.mediaType ?? version.headers?.['content-type']
  const headers = type === undefined ? {} : { 'content-type': type }
  const { at } = version
  return readContent({ kind: 'content', status: 200, at, url, headers, body, bytesReceived: 0 })
}

function titleOf(title: string | null): string | null {
  const line = title === null ? '' : shown(title.replace(/\s+/g, ' ').trim())
  return line === '' ? null : cut(line, 200)
}
