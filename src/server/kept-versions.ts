import type { PageRecord, Version } from '../model/index.js'
import { whyIncomparable } from '../notify/index.js'
import { ApiError } from './api-error.js'
import type { ServiceParts } from './service-parts.js'

/** A version of a page with its bytes. */
export async function keptVersion(
  { page, digest }: { readonly page: PageRecord; readonly digest: string },
  { store }: Pick<ServiceParts, 'store'>,
): Promise<{ version: Version; body: Uint8Array }> {
  const versions = await store.versionsOf(page)
  const version = versions.findLast((each) => each.digest === digest)
  const body = version === undefined ? null : await store.snapshot(digest)
  if (version === undefined || body === null)
    throw new ApiError(404, 'no-version', 'this page has no such version, or no longer')
  return { version, body }
}

/** A version as text: all that a reader sees of it, or as it was sent. */
export async function versionText(
  asked: { readonly page: PageRecord; readonly digest: string; readonly view: 'whole' | 'source' },
  parts: Pick<ServiceParts, 'store' | 'diffs'>,
): Promise<{ version: Version; text: string }> {
  const content = await keptVersion(asked, parts)
  const found = await parts.diffs.text({ page: asked.page, content }, asked.view)
  if (found.kind === 'text') return { version: content.version, text: found.text }
  if (found.kind === 'no-text') throw noText()
  throw new ApiError(422, 'unreadable', whyIncomparable(found))
}

export function noText(): ApiError {
  return new ApiError(422, 'no-text', 'this version is no text that could be shown')
}
