import type { PageRecord, Version } from '../model/index.js'
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

/** What a reader sees of a version. */
export async function versionText(
  asked: { readonly page: PageRecord; readonly digest: string },
  parts: Pick<ServiceParts, 'store' | 'web'>,
): Promise<string> {
  const { version, body } = await keptVersion(asked, parts)
  const text = parts.web.textOf({ version, body, url: asked.page.url })
  if (text === null) throw noText()
  return text
}

export function noText(): ApiError {
  return new ApiError(422, 'no-text', 'this version is no text that could be shown')
}
